internal import Synchronization

/// The namespace of ready-made subscriptions.
public enum Subscriptions {}

extension Subscriptions {
  /// A subscription that never delivers anything and ignores every call.
  public static var empty: any Subscription { shared }

  private static let shared = EmptySubscription()
}

/// A subscription without values; it remembers whether it was cancelled.
@usableFromInline
final class EmptySubscription: Subscription, CustomStringConvertible, Sendable {
  private let ended = Atomic<Bool>(false)

  @usableFromInline
  init() {}

  @usableFromInline
  func request(_ demand: Subscribers.Demand) {}

  @usableFromInline
  func cancel() {
    _ = end()
  }

  /// Marks the end.
  ///
  /// - Returns: Whether this call did it.
  @usableFromInline
  func end() -> Bool {
    !ended.exchange(true, ordering: .relaxed)
  }

  @usableFromInline
  var description: String { "Empty" }
}
