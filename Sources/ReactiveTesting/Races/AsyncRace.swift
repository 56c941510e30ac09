public import Reactive

/// Two tasks that work on the same state at the same time, many times over, and a verdict on each time.
///
/// It is a `Race` for what awaits: the parties are tasks, started together but for some turns that they yield, as the seed
/// decides. It has a twin as well, which has to be caught before the real thing counts. It blocks no thread, so it does not
/// wait for other races to end.
public struct AsyncRace<State: Sendable>: Sendable {
  private let rule: Rule
  private let name: String
  private let environment: VerificationEnvironment
  private let make: @Sendable () async -> State
  private let first: @Sendable (State) async -> Void
  private let second: @Sendable (State) async -> Void
  private let isRight: @Sendable (State) async -> Bool

  /// Prepares a race.
  ///
  /// - Parameters:
  ///   - rule: The rule that is broken when a state is not right.
  ///   - name: What reports call the race.
  ///   - environment: How many rounds, and which seed.
  ///   - make: Makes the state of a round.
  ///   - first: What one task does with it.
  ///   - second: What the other task does with it.
  ///   - isRight: The verdict on the state after both are done with it.
  public init(
    _ rule: Rule, name: String = #function, environment: VerificationEnvironment = .current,
    make: @escaping @Sendable () async -> State, first: @escaping @Sendable (State) async -> Void,
    second: @escaping @Sendable (State) async -> Void, isRight: @escaping @Sendable (State) async -> Bool
  ) {
    self.rule = rule
    self.name = name
    self.environment = environment
    self.make = make
    self.first = first
    self.second = second
    self.isRight = isRight
  }

  /// Catches the twin, then runs all rounds.
  ///
  /// - Parameter twin: Makes the state of the faulty scenario.
  /// - Returns: Failed with the first violation, or inconclusive when the twin was not caught.
  public func outcome(twin: @escaping @Sendable () async -> State) async -> Outcome {
    // A build for ThreadSanitizer leaves the twin out, as `Race` does.
    #if !REACTIVE_TSAN
      let deadline = ContinuousClock.now + environment.sensitivityTimeout
      let caught = await violation(atMost: environment.sensitivityRounds, until: deadline, make: twin)
      guard caught != nil else {
        return .inconclusive("the race `\(name)` did not notice the faults of its twin")
      }
    #endif
    // As many as a `Race` has with all its skews.
    let rounds = environment.rounds * environment.skews.count
    let found = await violation(atMost: rounds, until: nil, make: make)
    return found.map { .failed([$0]) } ?? .passed
  }

  /// Catches the twin, then runs all rounds.
  ///
  /// - Parameter twin: Makes the state of the faulty scenario.
  /// - Throws: `VerificationFailure` when a round went wrong, or when the twin was not caught.
  public func verify(twin: @escaping @Sendable () async -> State) async throws {
    try await outcome(twin: twin).orThrow()
  }

  private func violation(
    atMost rounds: Int, until deadline: ContinuousClock.Instant?, make: @Sendable () async -> State
  ) async -> Violation? {
    var generator = SeededGenerator(seed: environment.seed)
    for round in 0..<rounds {
      // Others may have kept the tasks waiting.
      if let deadline, round >= 1000, ContinuousClock.now >= deadline { return nil }
      let state = await make()
      let turns = (generator.next() % 8, generator.next() % 8)
      async let other: Void = Self.act(first, on: state, after: turns.0)
      await Self.act(second, on: state, after: turns.1)
      await other
      guard await isRight(state) else {
        let exhibit = Exhibit(state)
        return Violation(
          rule, "\(exhibit), in round \(round)", subject: name, seed: environment.seed, trace: exhibit.trace)
      }
      (state as? any Cancellable)?.cancel()
    }
    return nil
  }

  private static func act(
    _ action: @Sendable (State) async -> Void, on state: State, after turns: UInt64
  ) async {
    for _ in 0..<turns { await Task.yield() }
    await action(state)
  }
}
