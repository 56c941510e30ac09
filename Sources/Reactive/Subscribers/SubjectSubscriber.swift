/// Passes what it receives on to a subject; the subscriber behind `subscribe(_:)` with a subject.
///
/// It hands the subject its slot as a subscription, so the subject decides about demand. It refers to the subject
/// weakly: the subject keeps the subscription, and the publisher keeps this.
@usableFromInline
final class SubjectSubscriber<S: Subject>: Subscriber, CustomStringConvertible {
  @usableFromInline weak var subject: S?
  @usableFromInline let slot = SubscriptionSlot(name: "Subject")

  @inlinable
  init(_ subject: S) {
    self.subject = subject
  }

  @inlinable
  func receive(subscription: any Subscription) {
    guard slot.take(subscription) else { return }
    subject?.send(subscription: slot)
  }

  @inlinable @inline(__always)
  func receive(_ input: S.Output) -> Subscribers.Demand {
    if slot.isOpen { subject?.send(input) }
    return .none
  }

  @inlinable
  func receive(completion: Subscribers.Completion<S.Failure>) {
    if slot.end() != nil { subject?.send(completion: completion) }
  }

  @usableFromInline
  var description: String { "Subject" }
}
