public import Synchronization

/// The place where a subscriber keeps its upstream subscription, and at the same time the subscription that an
/// operator hands downstream.
///
/// It takes the first subscription and cancels every other, forwards requests, sends upstream exactly one cancel and
/// none after the end, and lets go of upstream at either. It knows nothing of the subscriber it serves, so holding a
/// subscription keeps no subscriber alive.
@usableFromInline
package class SubscriptionSlot: Subscription, CustomStringConvertible, @unchecked Sendable {
  // Sendable: the phase is atomic, everything else is touched under the lock only.
  @usableFromInline static var waiting: UInt8 { 0 }
  @usableFromInline static var active: UInt8 { 1 }
  @usableFromInline static var ended: UInt8 { 2 }
  @usableFromInline static var cancelled: UInt8 { 3 }

  @usableFromInline
  final let phase = Atomic<UInt8>(0)

  private final let lock = Lock()
  @exclusivity(unchecked)
  private final var upstream: (any Subscription)?
  private final let name: String?
  private final let tries: Bool

  /// Makes an empty slot.
  ///
  /// - Parameters:
  ///   - name: How the subscription describes itself; nil for the description of its upstream.
  ///   - tries: Whether to put `Try` in front of the name.
  @usableFromInline
  package init(name: String?, tries: Bool = false) {
    self.name = name
    self.tries = tries
  }

  /// Whether values are welcome: the subscription is here, and there was no cancel and no end.
  @inlinable @inline(__always)
  package final var isOpen: Bool {
    phase.load(ordering: .relaxed) == Self.active
  }

  /// Whether there was a cancel or an end.
  @inlinable
  package final var hasEnded: Bool {
    phase.load(ordering: .relaxed) >= Self.ended
  }

  /// Whether downstream cancelled, be it that upstream had ended already.
  @inlinable
  package final var isCancelled: Bool {
    phase.load(ordering: .relaxed) == Self.cancelled
  }

  /// Takes the subscription, or cancels it: one that comes second, or after the end.
  ///
  /// - Returns: Whether it was taken.
  @usableFromInline
  package final func take(_ subscription: any Subscription) -> Bool {
    let taken = lock.withLock {
      guard phase.load(ordering: .relaxed) == Self.waiting else { return false }
      upstream = subscription
      phase.store(Self.active, ordering: .releasing)
      return true
    }
    if !taken { subscription.cancel() }
    return taken
  }

  @usableFromInline
  package final func request(_ demand: Subscribers.Demand) {
    guard demand > .none else { return }
    lock.withLock { upstream }?.request(demand)
  }

  @usableFromInline
  package final func cancel() {
    beginCancel()?.cancel()
  }

  /// Closes the slot for downstream and takes upstream out of it.
  ///
  /// - Returns: Upstream, for the caller to cancel; nil when it has ended, or has not come yet.
  @usableFromInline
  package final func beginCancel() -> (any Subscription)? {
    close(as: Self.cancelled)
  }

  /// Closes an active slot and takes upstream out of it.
  ///
  /// - Returns: Upstream, to cancel or to let go; nil when the slot was not active.
  @usableFromInline
  package final func end() -> (any Subscription)? {
    close(as: Self.ended)
  }

  private final func close(as end: UInt8) -> (any Subscription)? {
    lock.withLock {
      // A cancel may come first or last; an end needs a subscription, and comes once.
      guard end == Self.cancelled || phase.load(ordering: .relaxed) == Self.active else { return nil }
      phase.store(end, ordering: .releasing)
      defer { upstream = nil }
      return upstream
    }
  }

  @usableFromInline
  package final var description: String {
    if let name { return tries ? "Try" + name : name }
    return lock.withLock { upstream }.map { String(describing: $0) } ?? "Cancelled"
  }
}
