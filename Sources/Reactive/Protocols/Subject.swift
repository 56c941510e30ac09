/// A publisher that is driven from outside: what is sent to it goes to its subscribers.
///
/// Sending is allowed from any thread and from inside a delivery. All accepted values and the completion form one
/// order, which every subscriber sees.
public protocol Subject<Output, Failure>: AnyObject, Publisher {
  /// Sends a value to the subscribers.
  func send(_ value: Output)

  /// Ends the stream for all present and future subscribers; the first completion wins.
  func send(completion: Subscribers.Completion<Failure>)

  /// Hands over a subscription whose values the sender will pass to this subject; the subject requests from it.
  func send(subscription: any Subscription)
}

extension Subject where Output == Void {
  /// Sends a signal that carries no value.
  public func send() {
    send(())
  }
}
