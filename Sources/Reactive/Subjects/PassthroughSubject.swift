/// A subject without a memory: it passes on what is sent while a subscriber listens.
///
/// A subscriber without demand misses the value. A new subscriber gets what is sent after it has subscribed; after the
/// end it gets the completion at once. Sends from several threads and from inside a delivery are put in one order,
/// the same for every subscriber; a send that finds another one delivering leaves its value to that one and returns.
public final class PassthroughSubject<Output, Failure: Error>: Subject {
  @usableFromInline let hub: Hub<Output, Failure>

  /// Makes a subject without subscribers.
  @inlinable
  public init() {
    hub = Hub()
  }

  /// Sends a value to every subscriber that has demand, in the order they subscribed; ignored after the end.
  ///
  /// - Parameter input: The value.
  @inlinable @inline(__always)
  public func send(_ input: Output) {
    hub.send(input)
  }

  /// Ends the stream, after all values accepted before; the first completion wins.
  ///
  /// - Parameter completion: How it ended; needs no demand.
  @inlinable
  public func send(completion: Subscribers.Completion<Failure>) {
    hub.send(completion: completion)
  }

  /// Takes a subscription whose values will be sent here; requests everything once a subscriber requests something.
  ///
  /// - Parameter subscription: Kept, and cancelled when the subject and its last subscription go.
  @inlinable
  public func send(subscription: any Subscription) {
    hub.feed(from: subscription)
  }

  /// Attaches a subscriber, which gets what is sent from then on.
  @inlinable @inline(__always)
  public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
    hub.attach(subscriber, owner: self, name: "PassthroughSubject")
  }
}

// The hub's state is guarded by its lock; values cross threads, so they have to be sendable.
extension PassthroughSubject: @unchecked Sendable where Output: Sendable {}
