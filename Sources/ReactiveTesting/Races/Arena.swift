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

  /// Runs a closure on a thread of its own, so that the task that waits for it blocks nobody.
  static func elsewhere<R>(_ body: @escaping () -> R) async -> R {
    await withCheckedContinuation { continuation in
      _ = TestThread {
        nonisolated(unsafe) let result = body()
        continuation.resume(returning: result)
      }
    }
  }
}
