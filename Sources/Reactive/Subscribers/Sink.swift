// `sink` and `subscribe` are not inlined by force, as everything behind them is: a chain of six or more operators that is
// kept in a constant and subscribed to later makes the optimizer of Swift 6.3.1 fail when it all ends up in one function.
// Here the chain becomes an argument, for whose type they are specialised.

extension Publisher {
  /// Calls a closure with each value and another one at the end.
  ///
  /// Requests everything at once. With the end, by completion or by cancelling, both closures are released.
  ///
  /// - Parameters:
  ///   - receiveCompletion: Called once when the stream ends by itself; not after a cancel.
  ///   - receiveValue: Called with each value, on the thread that delivers it.
  /// - Returns: Ends the stream when cancelled or released.
  @inlinable
  public func sink(
    receiveCompletion: @escaping (Subscribers.Completion<Failure>) -> Void,
    receiveValue: @escaping (Output) -> Void
  ) -> AnyCancellable {
    let sink = SinkConduit(receiveCompletion: receiveCompletion, receiveValue: receiveValue)
    let slot = sink.slot
    receive(subscriber: sink)
    return AnyCancellable(slot: slot)
  }
}

extension Publisher where Failure == Never {
  /// Calls a closure with each value.
  ///
  /// Requests everything at once. With the end, by completion or by cancelling, the closure is released.
  ///
  /// - Parameter receiveValue: Called with each value, on the thread that delivers it.
  /// - Returns: Ends the stream when cancelled or released.
  @inlinable
  public func sink(receiveValue: @escaping (Output) -> Void) -> AnyCancellable {
    sink(receiveCompletion: { _ in }, receiveValue: receiveValue)
  }
}

/// The subscriber behind `sink`: its closures live and die with it.
///
/// Only the chain holds it; the token holds the slot. So when the stream ends or is cancelled, the chain lets go of it
/// and the closures go, though the token may stay. Constant closures of a final class are also the fastest to call.
@usableFromInline
final class SinkConduit<Input, Failure: Error>: Subscriber, CustomStringConvertible {
  @usableFromInline let receiveCompletion: (Subscribers.Completion<Failure>) -> Void
  @usableFromInline let receiveValue: (Input) -> Void
  @usableFromInline let slot = SubscriptionSlot(name: "Sink")

  @inlinable
  init(
    receiveCompletion: @escaping (Subscribers.Completion<Failure>) -> Void,
    receiveValue: @escaping (Input) -> Void
  ) {
    self.receiveCompletion = receiveCompletion
    self.receiveValue = receiveValue
  }

  @inlinable
  func receive(subscription: any Subscription) {
    guard slot.take(subscription) else { return }
    slot.request(.unlimited)
  }

  @inlinable @inline(__always)
  func receive(_ input: Input) -> Subscribers.Demand {
    if slot.isOpen { receiveValue(input) }
    return .none
  }

  @inlinable
  func receive(completion: Subscribers.Completion<Failure>) {
    if slot.end() != nil { receiveCompletion(completion) }
  }

  @usableFromInline
  var description: String { "Sink" }
}

extension Subscribers {
  /// Calls closures with what it receives; the subscriber behind `sink`, to be used by itself.
  ///
  /// Requests everything at once, refuses a second subscription, and releases its closures at the end and on cancel.
  public final class Sink<Input, Failure: Error>: Subscriber, Cancellable, CustomStringConvertible,
    CustomReflectable, CustomPlaygroundDisplayConvertible, @unchecked Sendable
  {
    // Sendable: the conduit is touched under the lock only, and is called as the publisher delivers, serially.
    private let lock = Lock()
    @exclusivity(unchecked)
    private var conduit: SinkConduit<Input, Failure>?
    private let slot: SubscriptionSlot

    /// Makes a subscriber out of two closures.
    ///
    /// - Parameters:
    ///   - receiveCompletion: Called once when the stream ends by itself; not after a cancel.
    ///   - receiveValue: Called with each value.
    public init(
      receiveCompletion: @escaping (Subscribers.Completion<Failure>) -> Void,
      receiveValue: @escaping (Input) -> Void
    ) {
      let conduit = SinkConduit(receiveCompletion: receiveCompletion, receiveValue: receiveValue)
      self.conduit = conduit
      slot = conduit.slot
    }

    /// The closure for values; one that does nothing after the end.
    public var receiveValue: (Input) -> Void {
      lock.withLock { conduit }?.receiveValue ?? { _ in }
    }

    /// The closure for the end; one that does nothing after it.
    public var receiveCompletion: (Subscribers.Completion<Failure>) -> Void {
      lock.withLock { conduit }?.receiveCompletion ?? { _ in }
    }

    /// Takes the subscription and requests everything; cancels a second one.
    public func receive(subscription: any Subscription) {
      guard slot.take(subscription) else { return }
      slot.request(.unlimited)
    }

    /// Calls the closure.
    ///
    /// - Returns: `.none`: everything was requested already.
    public func receive(_ value: Input) -> Subscribers.Demand {
      lock.withLock { conduit }?.receive(value) ?? .none
    }

    /// Calls the closure and releases both.
    public func receive(completion: Subscribers.Completion<Failure>) {
      take()?.receive(completion: completion)
    }

    /// Ends the subscription and releases the closures; an upstream that comes later is cancelled at once.
    public func cancel() {
      let released = take()
      slot.cancel()
      withExtendedLifetime(released) {}
    }

    private func take() -> SinkConduit<Input, Failure>? {
      lock.withLock {
        defer { conduit = nil }
        return conduit
      }
    }

    /// The name of the subscriber.
    public var description: String { "Sink" }
    /// A mirror without children: the closures show nothing.
    public var customMirror: Mirror { Mirror(self, children: EmptyCollection()) }
    /// The name of the subscriber.
    public var playgroundDescription: Any { description }
  }
}
