import Reactive

/// Where threads run against each other: one race or history at a time in a process, which needs the cores to itself.
enum Arena {
  private static let isTaken = WaitableState(false)

  static func alone<R>(_ body: () -> R) -> R {
    func take(_ isTaken: inout Bool) -> Bool {
      defer { isTaken = true }
      return !isTaken
    }
    while !isTaken.withLock(take) { _ = isTaken.wait(atMost: nil) { !$0 } }
    defer { isTaken.withLock { $0 = false } }
    return body()
  }

  /// Catches a twin, then looks for violations in the real thing, with the cores to itself.
  ///
  /// - Parameters:
  ///   - unnoticed: What to say when the twin is not caught.
  ///   - isCaught: Looks for the faults of the twin.
  ///   - violations: Looks for those of the real thing.
  static func outcome(
    unnoticed: @autoclosure () -> String, isCaught: () -> Bool, violations: () -> [Violation]
  ) -> Outcome {
    alone {
      // The sanitizer would rightly complain of the twin; it looks for something else than the order, and finds it in
      // fewer rounds.
      #if !REACTIVE_TSAN
        guard isCaught() else { return .inconclusive(unnoticed()) }
      #endif
      let found = violations()
      return found.isEmpty ? .passed : .failed(found)
    }
  }

  /// Runs batches of a twin until one is wrong, or the patience of the environment is at its end.
  ///
  /// - Parameters:
  ///   - size: How many rounds a batch has.
  ///   - isWrong: Runs a batch, told its number and skew.
  /// - Returns: Whether one was wrong.
  static func isCaught(
    _ environment: VerificationEnvironment, batchesOf size: Int, isWrong: (_ batch: Int, _ skew: Int) -> Bool
  ) -> Bool {
    let deadline = ContinuousClock.now + environment.sensitivityTimeout
    var batch = 0
    // On a busy machine two threads may not run at the same time for a while.
    while batch < 10 || batch * size < environment.sensitivityRounds && ContinuousClock.now < deadline {
      if isWrong(batch, environment.skews[batch % environment.skews.count]) { return true }
      batch += 1
    }
    return false
  }
}
