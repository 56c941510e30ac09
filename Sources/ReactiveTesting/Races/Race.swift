public import Reactive

/// Two threads that meet at the same state at the same moment, many times over, and a verdict on each meeting.
///
/// Silence means something only if the race would have noticed a fault. So it needs a twin: the same scenario over
/// something that is known to be wrong. The twin runs first, until it has been caught; only then does the real thing
/// count. A `CarelessSubject` is a twin for everything that is made of subjects.
///
///     func race<S: Subject>(over make: @escaping () -> S) -> Race<Scene<S>> where S.Output == Int, S.Failure == Never {
///       Race(
///         .c07, make: { Scene(make()) }, first: { $0.subject.send(1) }, second: { $0.subject.send(2) },
///         isRight: { $0.first.values == $0.second.values })
///     }
///     try race { PassthroughSubject() }.verify(twin: race { CarelessSubject() })
///
/// The two start together, give or take a number of turns that the seed decides; the numbers are taken from each of the
/// environment's skews, because none of them brings about every collision. States are made and judged in batches, so that
/// a round costs little more than the meeting. A state that is `Cancellable` is cancelled after the verdict: a subscriber
/// that keeps its subscription would stay for ever. One race runs at a time in a process: it needs two cores to itself.
public struct Race<State> {
  let name: String
  let environment: VerificationEnvironment
  let make: () -> State
  let first: (State) -> Void
  let second: (State) -> Void
  let check: (State) -> [Violation]

  /// Prepares a race with a verdict of yes or no.
  ///
  /// A report shows the state: its description, or those of its properties that have one.
  ///
  /// - Parameters:
  ///   - rule: The rule that is broken when a state is not right.
  ///   - name: What reports call the race.
  ///   - environment: How many rounds, with which skews and which seed.
  ///   - make: Makes the state of a round, on the calling thread.
  ///   - first: What one thread does with it.
  ///   - second: What the other thread does with it.
  ///   - isRight: The verdict on the state after both are done with it.
  public init(
    _ rule: Rule, name: String = #function, environment: VerificationEnvironment = .current,
    make: @escaping () -> State, first: @escaping (State) -> Void, second: @escaping (State) -> Void,
    isRight: @escaping (State) -> Bool
  ) {
    self.init(name, environment: environment, make: make, first: first, second: second) { state in
      guard !isRight(state) else { return [] }
      let exhibit = Exhibit(state)
      return [Violation(rule, exhibit.description, trace: exhibit.trace)]
    }
  }

  /// Prepares a race with a verdict that names what was broken.
  ///
  /// - Parameters:
  ///   - name: What reports call the race.
  ///   - environment: How many rounds, with which skews and which seed.
  ///   - make: Makes the state of a round, on the calling thread.
  ///   - first: What one thread does with it.
  ///   - second: What the other thread does with it.
  ///   - check: Looks at the state after both are done with it, and tells what is wrong.
  public init(
    _ name: String, environment: VerificationEnvironment = .current, make: @escaping () -> State,
    first: @escaping (State) -> Void, second: @escaping (State) -> Void, check: @escaping (State) -> [Violation]
  ) {
    self.name = name
    self.environment = environment
    self.make = make
    self.first = first
    self.second = second
    self.check = check
  }

  /// Catches the twin, then runs all rounds.
  ///
  /// - Parameter twin: Makes the state of the faulty scenario.
  /// - Throws: `VerificationFailure` when a round went wrong, or when the twin was not caught.
  public func verify(twin: @escaping () -> State) throws {
    try outcome(twin: twin).orThrow()
  }

  /// Catches the twin, then runs all rounds.
  ///
  /// - Parameter twin: The same race over a state of another type.
  /// - Throws: `VerificationFailure` when a round went wrong, or when the twin was not caught.
  public func verify<Twin>(twin: Race<Twin>) throws {
    try outcome(twin: twin).orThrow()
  }

  /// Catches the twin, then runs all rounds, on a thread of its own: the task that calls blocks nobody.
  ///
  /// - Parameter twin: Makes the state of the faulty scenario.
  /// - Throws: `VerificationFailure` when a round went wrong, or when the twin was not caught.
  public func verify(twin: @escaping () -> State) async throws {
    try await verify(twin: replacing(twin))
  }

  /// Catches the twin, then runs all rounds, on a thread of its own: the task that calls blocks nobody.
  ///
  /// - Parameter twin: The same race over a state of another type.
  /// - Throws: `VerificationFailure` when a round went wrong, or when the twin was not caught.
  public func verify<Twin>(twin: Race<Twin>) async throws {
    try await TestThread.run { outcome(twin: twin) }.orThrow()
  }

  private func replacing(_ make: @escaping () -> State) -> Race {
    Race(name, environment: environment, make: make, first: first, second: second, check: check)
  }

  /// Catches the twin, then runs all rounds.
  ///
  /// - Parameter twin: Makes the state of the faulty scenario.
  /// - Returns: Failed with the first violations, or inconclusive when the twin was not caught.
  public func outcome(twin: @escaping () -> State) -> Outcome {
    outcome(twin: replacing(twin))
  }

  /// Catches the twin, then runs all rounds.
  ///
  /// - Parameter twin: The same race over a state of another type.
  /// - Returns: Failed with the first violations, or inconclusive when the twin was not caught.
  public func outcome<Twin>(twin: Race<Twin>) -> Outcome {
    Arena.outcome(
      unnoticed: "the race `\(name)` did not notice the faults of its twin", isCaught: { twin.isCaught() },
      violations: { runAll(stoppingAfter: 8) })
  }

  /// Runs all rounds without a proof that a fault would have been seen.
  ///
  /// - Parameter limit: After how many violations to stop.
  /// - Returns: What was found, each with round, skew and seed.
  public func violations(stoppingAfter limit: Int = 8) -> [Violation] {
    Arena.alone { runAll(stoppingAfter: limit) }
  }

  private func runAll(stoppingAfter limit: Int) -> [Violation] {
    var found: [Violation] = []
    for skew in environment.skews {
      var done = 0
      while done < environment.rounds, found.count < limit {
        let count = min(environment.rounds - done, Self.batchSize)
        guard let violations = run(count, after: done, skew: skew, seed: environment.seed &+ UInt64(done)) else {
          let stuck = "the two wait for each other, with a skew of \(skew)"
          return found + [Violation(.c08, stuck, subject: name, seed: environment.seed)]
        }
        found += violations
        done += count
      }
    }
    return Array(found.prefix(limit))
  }

  private func isCaught() -> Bool {
    Arena.isCaught(environment, batchesOf: Self.batchSize) { batch, skew in
      run(Self.batchSize, after: 0, skew: skew, seed: environment.seed &+ UInt64(batch))?.isEmpty != true
    }
  }

  private static var batchSize: Int { 512 }

  /// Lets the two meet at some states; nil when they have not come back.
  private func run(_ count: Int, after done: Int, skew: Int, seed: UInt64) -> [Violation]? {
    let batch = Batch((0..<count).map { _ in make() }, skew: skew, seed: seed)
    // The states of those that are stuck are theirs.
    guard batch.run(atMost: environment.partyTimeout, [first, second].map { act in { state, _ in act(state) } }) else {
      return nil
    }
    let found = batch.states.enumerated().flatMap { round, state in
      check(state).map {
        Violation(
          $0.rule, "\($0.detail), in round \(done + round) with a skew of \(skew)", subject: name,
          seed: environment.seed, trace: $0.trace)
      }
    }
    batch.letGo()
    return found
  }
}
