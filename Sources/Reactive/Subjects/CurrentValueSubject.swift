/// A subject with a memory: a new subscriber gets the latest value first.
///
/// That value is delivered at the first request. A subscriber without demand misses no state: what it gets next is the
/// latest value. Sends from several threads and from inside a delivery are put in one order, the same for every
/// subscriber, and `value` is always the last in that order.
public final class CurrentValueSubject<Output, Failure: Error>: Subject {
  @usableFromInline let hub: Hub<Output, Failure>

  /// Makes a subject with its first value.
  ///
  /// - Parameter value: What a subscriber gets until something is sent.
  @inlinable
  public init(_ value: Output) {
    hub = Hub(latest: value)
  }

  /// The latest value; setting it is the same as sending, and ignored after the end.
  @inlinable
  public var value: Output {
    get { hub.current }
    set { hub.send(newValue) }
  }

  /// Makes a value the latest one and sends it to the subscribers in the order they subscribed.
  ///
  /// - Parameter input: The value; ignored after the end.
  @inlinable @inline(__always)
  public func send(_ input: Output) {
    hub.send(input)
  }

  /// Ends the stream, after all values accepted before; the first completion wins.
  ///
  /// - Parameter completion: How it ended; needs no demand. A value that is still owed is dropped.
  @inlinable
  public func send(completion: Subscribers.Completion<Failure>) {
    hub.send(completion: completion)
  }

  /// Takes a subscription whose values will be sent here, and requests everything from it.
  ///
  /// - Parameter subscription: Kept, and cancelled when the subject and its last subscription go.
  @inlinable
  public func send(subscription: any Subscription) {
    hub.feed(from: subscription)
  }

  /// Attaches a subscriber, which gets the latest value at its first request.
  @inlinable @inline(__always)
  public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
    hub.attach(subscriber, owner: self, name: "CurrentValueSubject")
  }
}

// The hub's state is guarded by its lock; values cross threads, so they have to be sendable.
extension CurrentValueSubject: @unchecked Sendable where Output: Sendable {}
