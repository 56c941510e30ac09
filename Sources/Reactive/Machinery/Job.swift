/// Something that was handed to a scheduler and can be taken back: dropped, it keeps nothing alive.
@usableFromInline
final class Job: @unchecked Sendable {
  // Sendable: everything mutable is touched under the lock only.
  private let lock = Lock()
  private var action: (() -> Void)?
  private var timer: (any Cancellable)?

  @usableFromInline
  init(_ action: @escaping () -> Void) {
    self.action = action
  }

  @usableFromInline
  func run() {
    lock.withLock { action }?()
  }

  /// Takes what cancels the job at its scheduler; one that comes too late is cancelled at once.
  @usableFromInline
  func keep(_ timer: any Cancellable) {
    let isLate = lock.withLock {
      if action != nil { self.timer = timer }
      return action == nil
    }
    if isLate { timer.cancel() }
  }

  @usableFromInline
  func drop() {
    let (released, timer) = lock.withLock {
      defer { (action, self.timer) = (nil, nil) }
      return (action, self.timer)
    }
    timer?.cancel()
    withExtendedLifetime(released) {}
  }
}
