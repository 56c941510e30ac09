/// The subscription of something that has at most one result: it holds the result back until there is demand.
///
/// Towards upstream it is a `SubscriptionSlot`. Downstream's requests are not passed on: the first one lets the result
/// go, or allows it to go as soon as it is known.
@usableFromInline
package final class ResultSlot: Subscription, CustomStringConvertible, @unchecked Sendable {
  // Sendable: everything but the slot is touched under the lock only.
  @usableFromInline
  let slot = SubscriptionSlot(name: nil)

  private let lock = Lock()
  private let name: String
  private var isDemanded = false
  private var hasEnded = false
  @exclusivity(unchecked)
  private var result: (() -> Void)?

  @usableFromInline
  package init(name: String) {
    self.name = name
  }

  /// Gives the result out, now or at the first request.
  ///
  /// - Parameter deliver: Delivers the value; it is not called after a cancel.
  @usableFromInline
  package func settle(_ deliver: @escaping () -> Void) {
    let isDue = lock.withLock {
      guard !hasEnded else { return false }
      if !isDemanded { result = deliver }
      return isDemanded
    }
    if isDue { deliver() }
  }

  /// Marks the end.
  ///
  /// - Returns: Whether this call did it; then a completion may go downstream.
  @usableFromInline
  package func end() -> Bool {
    var dropped: (() -> Void)?
    return lock.withLock {
      guard !hasEnded else { return false }
      hasEnded = true
      swap(&dropped, &result)
      return true
    }
  }

  @usableFromInline
  package func request(_ demand: Subscribers.Demand) {
    guard demand > .none else { return }
    let due = lock.withLock { () -> (() -> Void)? in
      isDemanded = true
      defer { result = nil }
      return result
    }
    due?()
  }

  @usableFromInline
  package func cancel() {
    _ = end()
    slot.cancel()
  }

  @usableFromInline
  package var description: String { name }
}
