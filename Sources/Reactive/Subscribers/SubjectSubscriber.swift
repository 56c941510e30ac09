/// Passes what it receives on to a subject; the subscriber behind `subscribe(_:)` with a subject.
///
/// It hands the subject its slot as a subscription, so the subject decides about demand. It refers to the subject
/// weakly: the subject keeps the subscription, and the publisher keeps this.
final class SubjectSubscriber<S: Subject>: Subscriber, CustomStringConvertible {
  private weak var subject: S?
  let slot = SubscriptionSlot(name: "Subject")

  init(_ subject: S) {
    self.subject = subject
  }

  func receive(subscription: any Subscription) {
    guard slot.take(subscription) else { return }
    subject?.send(subscription: slot)
  }

  func receive(_ input: S.Output) -> Subscribers.Demand {
    if slot.isOpen { subject?.send(input) }
    return .none
  }

  func receive(completion: Subscribers.Completion<S.Failure>) {
    if slot.end() != nil { subject?.send(completion: completion) }
  }

  var description: String { "Subject" }
}
