#if canImport(Combine) && (canImport(Darwin) || COMBINE_STAND_IN)
  public import Combine
  public import Reactive

  extension Combine.Publisher {
    /// The same values and the same end, as a publisher of Reactive; see `ReactivePublisher`.
    public var reactivePublisher: ReactivePublisher<Self> { ReactivePublisher(self) }
  }

  /// A publisher of Combine that the operators and subscribers of Reactive understand, and that keeps their contract.
  ///
  /// Each subscriber subscribes to the publisher behind it. What it requests, what it returns from a delivery, and its
  /// cancel go there; a first request waits until the subscriber has its subscription in hand. Values and the completion
  /// come on the thread on which they are sent. Those that Combine sends inside a delivery, or on another thread during
  /// one, wait for it, and are delivered by the thread that is delivering. Values beyond the demand are dropped, and so
  /// is everything after a cancel or a completion.
  public struct ReactivePublisher<Upstream: Combine.Publisher>: Reactive.Publisher {
    /// What the publisher behind it publishes.
    public typealias Output = Upstream.Output
    /// How the publisher behind it fails.
    public typealias Failure = Upstream.Failure

    /// The publisher behind it.
    public let upstream: Upstream

    /// Makes the publisher; see `Combine.Publisher.reactivePublisher`.
    public init(_ upstream: Upstream) {
      self.upstream = upstream
    }

    /// Subscribes to the publisher behind it on behalf of a subscriber.
    public func receive<S: Reactive.Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
      upstream.receive(subscriber: Import(to: subscriber))
    }
  }

  extension ReactivePublisher: Sendable where Upstream: Sendable {}

  /// Hands what Combine sends to a subscriber of Reactive, one signal at a time, and is its subscription.
  private final class Import<Downstream: Reactive.Subscriber>: Combine.Subscriber, Reactive.Subscription,
    CustomStringConvertible, @unchecked Sendable
  {
    // Sendable: the ledger is atomic, everything else is touched under the lock only.
    typealias Input = Downstream.Input
    typealias Failure = Downstream.Failure

    private enum Event {
      case value(Input)
      case end(Reactive.Subscribers.Completion<Failure>)
    }

    /// What is needed until a cancel or the end.
    private struct Link {
      let downstream: Downstream
      var upstream: (any Combine.Subscription)?
      /// What has been requested before upstream may hear of it.
      var early = Reactive.Subscribers.Demand.none
      var isAttached = false
      /// Whether some thread is calling downstream; what comes meanwhile is for it to deliver.
      var isBusy = false
      var waiting: [Event] = []
    }

    private let ledger = DemandLedger()
    private let lock = Lock()
    private var link: Link?

    init(to downstream: Downstream) {
      link = Link(downstream: downstream)
    }

    // MARK: What Combine sends

    func receive(subscription: any Combine.Subscription) {
      let downstream = lock.withLock { () -> Downstream? in
        guard link?.upstream == nil else { return nil }
        link?.upstream = subscription
        link?.isBusy = true
        return link?.downstream
      }
      guard let downstream else { return subscription.cancel() }
      downstream.receive(subscription: self)
      let early = lock.withLock { () -> Reactive.Subscribers.Demand in
        link?.isAttached = true
        return link?.early ?? .none
      }
      let demand = early + deliverWaiting(to: downstream)
      if !ledger.isClosed { subscription.forward(demand) }
    }

    func receive(_ input: Input) -> Combine.Subscribers.Demand {
      guard ledger.consume(), let downstream = begin(.value(input)) else { return .none }
      let demand = deliver(input, to: downstream) + deliverWaiting(to: downstream)
      return ledger.isClosed ? .none : Combine.Subscribers.Demand(demand)
    }

    func receive(completion: Combine.Subscribers.Completion<Failure>) {
      let completion = Reactive.Subscribers.Completion(completion)
      if let downstream = begin(.end(completion)) { end(completion, for: downstream) }
    }

    /// Lets an event through, or keeps it for the thread that is delivering.
    ///
    /// - Returns: Whom to deliver it to; nil if another thread, or the caller's caller, will, or nobody.
    private func begin(_ event: Event) -> Downstream? {
      lock.withLock {
        // A subscriber without a subscription takes nothing.
        guard link?.upstream != nil else { return nil }
        guard link?.isBusy == false else {
          link?.waiting.append(event)
          return nil
        }
        link?.isBusy = true
        return link?.downstream
      }
    }

    /// Delivers what has come meanwhile, until nothing is left.
    ///
    /// - Returns: The demand that it has led to.
    private func deliverWaiting(to downstream: Downstream) -> Reactive.Subscribers.Demand {
      var demand = Reactive.Subscribers.Demand.none
      while true {
        var events: [Event] = []
        lock.withLock {
          if let waiting = link?.waiting, !waiting.isEmpty {
            events = waiting
            link?.waiting = []
          } else {
            link?.isBusy = false
          }
        }
        guard !events.isEmpty else { return demand }
        for event in events {
          switch event {
          case .value(let value): demand += deliver(value, to: downstream)
          case .end(let completion): end(completion, for: downstream)
          }
        }
      }
    }

    /// Delivers a value whose demand has been taken.
    private func deliver(_ value: Input, to downstream: Downstream) -> Reactive.Subscribers.Demand {
      guard !ledger.isClosed else { return .none }
      let demand = downstream.receive(value)
      ledger.add(demand)
      return demand
    }

    private func end(_ completion: Reactive.Subscribers.Completion<Failure>, for downstream: Downstream) {
      guard close() != nil else { return }
      downstream.receive(completion: completion)
    }

    // MARK: What the subscriber wants

    func request(_ demand: Reactive.Subscribers.Demand) {
      guard demand > .none else { return }
      ledger.add(demand)
      let upstream = lock.withLock { () -> (any Combine.Subscription)? in
        guard let attached = link?.isAttached else { return nil }
        if !attached { link?.early += demand }
        return attached ? link?.upstream : nil
      }
      upstream?.forward(demand)
    }

    func cancel() {
      close()?.upstream?.cancel()
    }

    /// Ends the subscription.
    ///
    /// - Returns: What it held, to be released with no lock held; nil when it has ended already.
    private func close() -> Link? {
      guard ledger.close() else { return nil }
      return lock.withLock {
        defer { link = nil }
        return link
      }
    }

    var description: String { "ReactivePublisher" }
  }
#endif
