extension Publisher {
  /// Publishes the values in arrays of a given size, and what is left in a shorter one when upstream finishes.
  ///
  /// ```text
  /// source.collect(2)
  /// source    -a-b-c-|
  /// demand    2
  /// output    ---p---(q|)
  /// upstream  4
  /// p = ["a", "b"]
  /// q = ["c"]
  /// ```
  ///
  /// Requests the size times what is requested of it. The completion comes at once; a failure or a cancel drops a group
  /// that is not full.
  ///
  /// - Parameter count: How many values make a group. Less than one traps.
  @inlinable @inline(__always)
  public func collect(_ count: Int) -> Publishers.CollectByCount<Self> {
    Publishers.CollectByCount(upstream: self, count: count)
  }
}

extension Publishers {
  /// Publishes the values in arrays of a given size; see `collect(_:)`.
  public struct CollectByCount<Upstream: Publisher>: Publisher {
    /// A group of values.
    public typealias Output = [Upstream.Output]
    /// The failure of upstream.
    public typealias Failure = Upstream.Failure
    /// Where the values come from.
    public let upstream: Upstream
    /// How many values make a group.
    public let count: Int

    /// Makes the publisher; see `collect(_:)`.
    @inlinable
    public init(upstream: Upstream, count: Int) {
      precondition(count > 0, "A group needs at least one value: \(count)")
      self.upstream = upstream
      self.count = count
    }

    /// Attaches a subscriber.
    @inlinable @inline(__always)
    public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
      upstream.receive(subscriber: GroupingConduit(count, subscriber))
    }
  }
}

extension Publishers.CollectByCount: Equatable where Upstream: Equatable {}

/// What `collect(_:)` hands downstream: demand for groups, multiplied on its way up.
@usableFromInline
final class GroupSlot: Subscription, CustomStringConvertible, Sendable {
  @usableFromInline let slot = SubscriptionSlot(name: nil)
  @usableFromInline let ledger = DemandLedger()
  @usableFromInline let count: Int

  @usableFromInline
  init(_ count: Int) {
    self.count = count
  }

  @usableFromInline
  func request(_ demand: Subscribers.Demand) {
    guard demand > .none else { return }
    ledger.add(demand)
    slot.request(demand * count)
  }

  @usableFromInline
  func cancel() {
    ledger.close()
    slot.cancel()
  }

  @usableFromInline
  var description: String { "CollectByCount" }
}

/// Runs `collect(_:)`.
///
/// A group is begun only when there is demand for it, so a group that upstream's finish cuts short needs no waiting.
@usableFromInline
final class GroupingConduit<Input, Downstream: Subscriber>: Subscriber, CustomStringConvertible
where Downstream.Input == [Input] {
  @usableFromInline typealias Failure = Downstream.Failure

  // Serial by contract; a dynamic check would cost about as much as the step.
  @exclusivity(unchecked)
  @usableFromInline
  var group: [Input] = []

  @usableFromInline let downstream: Downstream
  @usableFromInline let subscription: GroupSlot

  @inlinable
  init(_ count: Int, _ downstream: Downstream) {
    self.downstream = downstream
    subscription = GroupSlot(count)
  }

  @inlinable
  func receive(subscription upstream: any Subscription) {
    if subscription.slot.take(upstream) { downstream.receive(subscription: subscription) }
  }

  @inlinable @inline(__always)
  func receive(_ input: Input) -> Subscribers.Demand {
    guard subscription.slot.isOpen, !group.isEmpty || subscription.ledger.hasDemand else { return .none }
    // A small group takes one allocation; a large one grows, as its count may never be reached.
    if group.isEmpty { group.reserveCapacity(Swift.min(subscription.count, 16)) }
    group.append(input)
    return group.count < subscription.count ? .none : deliver()
  }

  @inlinable
  func receive(completion: Subscribers.Completion<Failure>) {
    guard subscription.slot.end() != nil else { return }
    if case .finished = completion, !group.isEmpty { _ = deliver() }
    if subscription.ledger.close() { downstream.receive(completion: completion) }
  }

  /// Sends the group.
  ///
  /// - Returns: What to request upstream for the groups downstream has asked for in return.
  @inlinable
  func deliver() -> Subscribers.Demand {
    guard subscription.ledger.consume() else { return .none }
    // Whatever downstream does meanwhile goes into the next group.
    let full = group
    group = []
    let demand = downstream.receive(full)
    subscription.ledger.add(demand)
    return demand * subscription.count
  }

  @usableFromInline
  var description: String { "CollectByCount" }
}
