#if canImport(Combine) && (canImport(Darwin) || COMBINE_STAND_IN)
  public import Combine
  public import Reactive

  extension Reactive.Subject {
    /// The same subject for code that sends through Combine; see `CombineSubject`.
    public var combineSubject: CombineSubject<Self> { CombineSubject(self) }
  }

  /// A subject of Reactive that code written for Combine can send to and subscribe to.
  ///
  /// Everything goes to the subject behind it, which keeps its own order and its own end; the subscribers of both are
  /// subscribers of that one. See `CombinePublisher` for demand and cancel.
  public final class CombineSubject<Base: Reactive.Subject>: Combine.Subject {
    /// What the subject behind it publishes.
    public typealias Output = Base.Output
    /// How the subject behind it fails.
    public typealias Failure = Base.Failure

    /// The subject behind it.
    public let base: Base

    /// Makes the subject; see `Reactive.Subject.combineSubject`.
    public init(_ base: Base) {
      self.base = base
    }

    /// Sends a value.
    public func send(_ value: Output) {
      base.send(value)
    }

    /// Ends the stream.
    public func send(completion: Combine.Subscribers.Completion<Failure>) {
      base.send(completion: Reactive.Subscribers.Completion(completion))
    }

    /// Hands over the subscription of an upstream publisher.
    public func send(subscription: any Combine.Subscription) {
      base.send(subscription: ReactiveSubscription(subscription))
    }

    /// Subscribes to the subject behind it on behalf of a subscriber.
    public func receive<S: Combine.Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
      base.combinePublisher.receive(subscriber: subscriber)
    }
  }

  extension CombineSubject: Sendable where Base: Sendable {}

  /// A subscription of Combine, for a subject of Reactive.
  private final class ReactiveSubscription: Reactive.Subscription {
    private let upstream: any Combine.Subscription

    init(_ upstream: any Combine.Subscription) {
      self.upstream = upstream
    }

    func request(_ demand: Reactive.Subscribers.Demand) {
      upstream.forward(demand)
    }

    func cancel() {
      upstream.cancel()
    }
  }
#endif
