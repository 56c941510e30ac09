internal import Reactive

/// A closure that waits for its time, on whatever thread that is, until it is dropped.
final class ScheduledAction: @unchecked Sendable {
  // Sendable: the closure is touched under the lock only, and called outside; a scheduler exists to move closures
  // between threads, and which of them may move is for the caller to know.
  private let lock = Lock()
  private var action: (() -> Void)?

  init(_ action: @escaping () -> Void) {
    self.action = action
  }

  /// Runs the closure, and keeps it for the next time.
  func run() {
    lock.withLock { action }?()
  }

  /// Runs the closure for the first and last time.
  func runOnce() {
    take()?()
  }

  /// Drops the closure: no run begins after this, except one that has taken the closure already.
  func drop() {
    withExtendedLifetime(take()) {}
  }

  private func take() -> (() -> Void)? {
    lock.withLock {
      defer { action = nil }
      return action
    }
  }
}
