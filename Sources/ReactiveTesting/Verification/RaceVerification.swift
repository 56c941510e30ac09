public import Reactive
internal import Synchronization

/// Lets two threads meet again and again, and looks at what each meeting has led to.
///
/// Each round has a state of its own. The two parties start at the same moment, give or take a number of turns that the
/// seed decides; one of them is the calling thread. States are made and checked in batches, so that a round costs little
/// more than the meeting. Nothing waits for time to pass.
public struct RaceVerification<State> {
  let name: String
  let environment: VerificationEnvironment
  let make: () -> State
  let first: (State) -> Void
  let second: (State) -> Void
  let check: (State) -> [Violation]

  /// Prepares a race.
  ///
  /// - Parameters:
  ///   - name: What violations call it.
  ///   - environment: How many rounds, with which skews and which seed.
  ///   - make: Makes the state of a round, on the calling thread.
  ///   - first: What the calling thread does.
  ///   - second: What the other thread does.
  ///   - check: Looks at the state after both have returned.
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

  /// Runs all rounds, for each skew.
  ///
  /// - Parameter limit: After how many violations to stop.
  /// - Returns: What was found, each with the seed.
  public func run(stoppingAfter limit: Int = 8) -> [Violation] {
    var found: [Violation] = []
    var generator = SeededGenerator(seed: environment.seed)
    for skew in environment.skews {
      var left = environment.rounds
      while left > 0, found.count < limit {
        let count = min(left, 512)
        left -= count
        let batch = Batch((0..<count).map { _ in make() }, skew: skew, using: &generator)
        let thread = TestThread { batch.run(1, second) }
        batch.run(0, first)
        thread.join(atMost: .seconds(600))
        for violation in batch.states.flatMap(check) {
          found.append(
            Violation(
              violation.rule, "\(violation.detail), with a skew of \(skew)", subject: name, seed: environment.seed,
              trace: violation.trace))
        }
      }
    }
    return found
  }

  /// Runs all rounds, if a faulty twin shows that this race is able to find anything.
  ///
  /// - Parameter twin: The same race between parties that are known to be wrong. It runs again and again, until the first
  ///   fault or the sensitivity timeout: on a busy machine two threads may not run at the same time for a while.
  /// - Returns: Inconclusive when the twin passes.
  public func outcome<Twin>(provenBy twin: RaceVerification<Twin>) -> Outcome {
    let deadline = ContinuousClock.now + environment.sensitivityTimeout
    var attempt: UInt64 = 0
    while twin.reseeded(attempt).run(stoppingAfter: 1).isEmpty {
      guard ContinuousClock.now < deadline else {
        return .inconclusive("the race `\(name)` did not see the faults of a faulty twin")
      }
      attempt += 1
    }
    let found = run()
    return found.isEmpty ? .passed : .failed(found)
  }

  private func reseeded(_ offset: UInt64) -> Self {
    var environment = environment
    environment.seed &+= offset
    return Self(name, environment: environment, make: make, first: first, second: second, check: check)
  }

  /// A number of rounds, and where the two threads are in them.
  private final class Batch: @unchecked Sendable {
    // Sendable: a state is touched by the two parties of its round, whose business that is; the rest is constant.
    let states: [State]
    private let delays: [[Int]]
    private let arrivals = Atomic<Int>(0)

    init(_ states: [State], skew: Int, using generator: inout SeededGenerator) {
      self.states = states
      delays = (0..<2).map { _ in states.map { _ in Int.random(in: 0...skew, using: &generator) } }
    }

    func run(_ party: Int, _ act: (State) -> Void) {
      for (round, state) in states.enumerated() {
        arrivals.wrappingAdd(1, ordering: .acquiringAndReleasing)
        var turns = 0
        while arrivals.load(ordering: .acquiring) < 2 * (round + 1) {
          turns += 1
          // The other thread may have no core: then spinning only keeps it from getting one.
          if turns > 1000 { TestThread.yield() }
        }
        for _ in 0..<delays[party][round] { _ = arrivals.load(ordering: .relaxed) }
        act(state)
      }
      // Nobody looks at the states before both have left the last round.
      arrivals.wrappingAdd(1, ordering: .acquiringAndReleasing)
      while arrivals.load(ordering: .acquiring) < 2 * (states.count + 1) { TestThread.yield() }
    }
  }
}
