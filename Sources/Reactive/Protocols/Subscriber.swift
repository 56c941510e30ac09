/// Receives a subscription, then values as far as it asked for them, then at most one completion.
///
/// Signals never overlap and never nest: `receive(_:)` is not entered again before it has returned.
public protocol Subscriber<Input, Failure>: CustomCombineIdentifierConvertible {
  /// What this subscriber takes.
  associatedtype Input
  /// How the stream may fail; `Never` when it cannot.
  associatedtype Failure: Error

  /// Takes the subscription; this is the first signal and comes once.
  ///
  /// A second subscription has to be cancelled (Reactive Streams rule 2.5).
  func receive(subscription: any Subscription)

  /// Takes one value.
  ///
  /// - Returns: How many values may follow in addition to those already requested.
  func receive(_ input: Input) -> Subscribers.Demand

  /// Learns that the stream has ended; nothing follows.
  func receive(completion: Subscribers.Completion<Failure>)
}

extension Subscriber where Input == Void {
  /// Takes a signal that carries no value.
  ///
  /// - Returns: How many signals may follow in addition to those already requested.
  public func receive() -> Subscribers.Demand {
    receive(())
  }
}
