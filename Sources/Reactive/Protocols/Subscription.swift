/// The link between one publisher and one subscriber: the subscriber asks for values through it, and ends it.
///
/// Both calls are allowed from any thread and at any time, also from inside a signal of the same subscription.
public protocol Subscription: Cancellable, CustomCombineIdentifierConvertible {
  /// Allows the publisher to deliver this many more values.
  ///
  /// Requests add up (Reactive Streams rule 3.8). A request of `.none`, and any request after `cancel()` or after the
  /// completion, does nothing.
  func request(_ demand: Subscribers.Demand)
}
