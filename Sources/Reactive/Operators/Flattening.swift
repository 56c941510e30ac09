extension Publisher {
  /// Makes a publisher of each value, and publishes the values of all of them as they come.
  ///
  /// ```text
  /// source.flatMap { inner($0) }
  /// source    -a-b-|
  /// inner a   --x---y-|
  /// inner b   ----z-|
  /// output    --x-z-y-|
  /// upstream  *
  /// ```
  ///
  /// ```text
  /// source.flatMap(maxPublishers: .max(1)) { inner($0) }
  /// source    -a-----b---|
  /// inner a   --x-y-|
  /// inner b   --------z|
  /// output    --x-y---z--|
  /// upstream  1-----1--1
  /// ```
  ///
  /// Asks this publisher for as many values as may run at a time, and for another one whenever one has finished. Each
  /// inner publisher is asked for one value at a time, or for everything once that is requested here. Finishes when
  /// this one and all inner ones have; the first failure of any ends it at once and cancels the others.
  ///
  /// - Parameters:
  ///   - maxPublishers: How many inner publishers may run at a time.
  ///   - transform: Makes an inner publisher.
  @inlinable @inline(__always)
  public func flatMap<T, P: Publisher>(
    maxPublishers: Subscribers.Demand = .unlimited, _ transform: @escaping (Output) -> P
  ) -> Publishers.FlatMap<P, Self> where T == P.Output, Failure == P.Failure {
    Publishers.FlatMap(upstream: self, maxPublishers: maxPublishers, transform: transform)
  }
}

extension Publisher where Failure == Never {
  /// Makes a publisher that may fail of each value, and publishes the values of all of them as they come.
  ///
  /// See `flatMap(maxPublishers:_:)` of failures that do not differ.
  @inlinable @inline(__always)
  public func flatMap<P: Publisher>(
    maxPublishers: Subscribers.Demand = .unlimited, _ transform: @escaping (Output) -> P
  ) -> Publishers.FlatMap<P, Publishers.SetFailureType<Self, P.Failure>> {
    Publishers.FlatMap(
      upstream: setFailureType(to: P.Failure.self), maxPublishers: maxPublishers, transform: transform)
  }

  /// Makes a publisher of each value, and publishes the values of all of them as they come; nothing fails.
  ///
  /// See `flatMap(maxPublishers:_:)` of publishers that fail.
  @inlinable @inline(__always)
  public func flatMap<P: Publisher>(
    maxPublishers: Subscribers.Demand = .unlimited, _ transform: @escaping (Output) -> P
  ) -> Publishers.FlatMap<P, Self> where P.Failure == Never {
    Publishers.FlatMap(upstream: self, maxPublishers: maxPublishers, transform: transform)
  }
}

extension Publisher {
  /// Makes a publisher that cannot fail of each value, and publishes the values of all of them as they come.
  ///
  /// See `flatMap(maxPublishers:_:)` of failures that do not differ.
  @inlinable @inline(__always)
  public func flatMap<P: Publisher>(
    maxPublishers: Subscribers.Demand = .unlimited, _ transform: @escaping (Output) -> P
  ) -> Publishers.FlatMap<Publishers.SetFailureType<P, Failure>, Self> where P.Failure == Never {
    Publishers.FlatMap(upstream: self, maxPublishers: maxPublishers) { [Failure = Failure.self] in
      transform($0).setFailureType(to: Failure)
    }
  }
}

extension Publishers {
  /// Makes a publisher of each value and publishes the values of all of them; see `flatMap(maxPublishers:_:)`.
  public struct FlatMap<NewPublisher: Publisher, Upstream: Publisher>: Publisher
  where NewPublisher.Failure == Upstream.Failure {
    /// What the inner publishers publish.
    public typealias Output = NewPublisher.Output
    /// The failure of all of them.
    public typealias Failure = Upstream.Failure
    /// Where the inner publishers come from.
    public let upstream: Upstream
    /// How many inner publishers may run at a time.
    public let maxPublishers: Subscribers.Demand
    /// Makes an inner publisher.
    public let transform: (Upstream.Output) -> NewPublisher

    /// Makes the publisher; see `flatMap(maxPublishers:_:)`.
    @inlinable
    public init(
      upstream: Upstream, maxPublishers: Subscribers.Demand,
      transform: @escaping (Upstream.Output) -> NewPublisher
    ) {
      self.upstream = upstream
      self.maxPublishers = maxPublishers
      self.transform = transform
    }

    /// Attaches a subscriber.
    @inlinable @inline(__always)
    public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
      let core = JunctionCore(subscriber, .oneByOne)
      let outer = core.open(name: "FlatMap", sides: 1)[0]
      let next: (() -> Void)? = maxPublishers.isUnlimited ? nil : { outer.slot.request(.max(1)) }
      upstream.receive(
        subscriber: OuterConduit<Upstream.Output, S>(core, outer, demand: maxPublishers) { [transform] value in
          let inner = transform(value)
          if let just = inner as? Just<Output>, core.receiveAtOnce(just.output, from: outer) {
            next?()
            return
          }
          guard let side = core.addSide() else { return }
          inner.receive(subscriber: SideConduit(core, side, ended: next))
        })
    }
  }
}

/// The subscriber of a publisher of publishers: each value starts another side of the junction.
@usableFromInline
final class OuterConduit<Input, Downstream: Subscriber>: Subscriber, CustomStringConvertible {
  @usableFromInline let core: JunctionCore<Downstream>
  @usableFromInline let side: Side
  @usableFromInline let demand: Subscribers.Demand
  @usableFromInline let start: (Input) -> Void

  @inlinable
  init(
    _ core: JunctionCore<Downstream>, _ side: Side, demand: Subscribers.Demand, start: @escaping (Input) -> Void
  ) {
    self.core = core
    self.side = side
    self.demand = demand
    self.start = start
  }

  @inlinable
  func receive(subscription: any Subscription) {
    // Not attached: what downstream asks for concerns the inner publishers only.
    guard side.slot.take(subscription) else { return }
    side.slot.request(demand)
  }

  @inlinable @inline(__always)
  func receive(_ input: Input) -> Subscribers.Demand {
    if side.slot.isOpen { start(input) }
    return .none
  }

  @inlinable
  func receive(completion: Subscribers.Completion<Downstream.Failure>) {
    core.receive(completion: completion, from: side)
  }

  @usableFromInline
  var description: String { "Outer" }
}
