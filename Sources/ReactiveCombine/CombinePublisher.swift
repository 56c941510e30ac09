#if canImport(Combine) && (canImport(Darwin) || COMBINE_STAND_IN)
  public import Combine
  public import Reactive

  extension Reactive.Publisher {
    /// The same values and the same end, as a publisher of Combine; see `CombinePublisher`.
    public var combinePublisher: CombinePublisher<Self> { CombinePublisher(self) }
  }

  /// A publisher of Reactive that Combine's operators and subscribers understand.
  ///
  /// Each subscriber subscribes to the publisher behind it. What it requests, what it returns from a delivery, and its
  /// cancel go there unchanged, and values and the completion come back on whatever thread they are sent. Of what
  /// Combine leaves open, the contract of Reactive decides: a request for nothing does nothing, a cancel counts once,
  /// and nothing follows a cancel or a completion.
  public struct CombinePublisher<Upstream: Reactive.Publisher>: Combine.Publisher {
    /// What the publisher behind it publishes.
    public typealias Output = Upstream.Output
    /// How the publisher behind it fails.
    public typealias Failure = Upstream.Failure

    /// The publisher behind it.
    public let upstream: Upstream

    /// Makes the publisher; see `Reactive.Publisher.combinePublisher`.
    public init(_ upstream: Upstream) {
      self.upstream = upstream
    }

    /// Subscribes to the publisher behind it on behalf of a subscriber.
    public func receive<S: Combine.Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
      upstream.receive(subscriber: Export(to: subscriber))
    }
  }

  extension CombinePublisher: Sendable where Upstream: Sendable {}

  /// Hands what Reactive sends to a subscriber of Combine.
  private struct Export<Downstream: Combine.Subscriber>: Reactive.Subscriber {
    private let downstream: Downstream
    private let slot = SubscriptionSlot(name: nil)
    let combineIdentifier = Reactive.CombineIdentifier()

    init(to downstream: Downstream) {
      self.downstream = downstream
    }

    func receive(subscription: any Reactive.Subscription) {
      guard slot.take(subscription) else { return }
      downstream.receive(subscription: CombineSubscription(slot))
    }

    func receive(_ input: Downstream.Input) -> Reactive.Subscribers.Demand {
      guard slot.isOpen else { return .none }
      return Reactive.Subscribers.Demand(downstream.receive(input))
    }

    func receive(completion: Reactive.Subscribers.Completion<Downstream.Failure>) {
      guard slot.end() != nil else { return }
      downstream.receive(completion: Combine.Subscribers.Completion(completion))
    }
  }

  /// A subscription of Reactive, for a subscriber of Combine.
  private final class CombineSubscription: Combine.Subscription, CustomStringConvertible {
    private let slot: SubscriptionSlot

    init(_ slot: SubscriptionSlot) {
      self.slot = slot
    }

    func request(_ demand: Combine.Subscribers.Demand) {
      slot.request(Reactive.Subscribers.Demand(demand))
    }

    func cancel() {
      slot.cancel()
    }

    var description: String { slot.description }
  }
#endif
