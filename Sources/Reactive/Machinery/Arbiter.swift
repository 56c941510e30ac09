/// The subscription that downstream keeps while its upstreams change: it carries unmet demand from one to the next.
///
/// Each upstream has a leg of its own, which stops listening when the next one starts. A value beyond the demand, and
/// one after a cancel, is dropped.
@usableFromInline
package final class Arbiter: Subscription, CustomStringConvertible, @unchecked Sendable {
  // Sendable: the ledger is atomic, everything else is touched under the lock only.
  @usableFromInline
  let ledger = DemandLedger()

  private let lock = Lock()
  private let name: String

  @exclusivity(unchecked)
  private var current: (any Subscription)?

  @usableFromInline
  package init(name: String) {
    self.name = name
  }

  /// Whether downstream still listens.
  @inlinable @inline(__always)
  var isOpen: Bool { !ledger.isClosed }

  @usableFromInline
  package func request(_ demand: Subscribers.Demand) {
    guard demand > .none else { return }
    let upstream = lock.withLock { () -> (any Subscription)? in
      ledger.add(demand)
      return current
    }
    upstream?.request(demand)
  }

  @usableFromInline
  package func cancel() {
    guard ledger.close() else { return }
    leave()?.cancel()
  }

  /// Makes a subscription the current one and requests from it what is still unmet; cancels it when nobody listens.
  @usableFromInline
  func follow(_ upstream: any Subscription) {
    let unmet = lock.withLock { () -> Subscribers.Demand? in
      guard !ledger.isClosed else { return nil }
      current = upstream
      return ledger.outstanding
    }
    switch unmet {
    case nil: upstream.cancel()
    case .some(.none): break
    case .some(let demand): upstream.request(demand)
    }
  }

  /// Lets go of the current subscription, which has ended or shall end; demand stays.
  ///
  /// - Returns: The subscription, for the caller to cancel or release.
  @usableFromInline
  @discardableResult
  func leave() -> (any Subscription)? {
    lock.withLock {
      defer { current = nil }
      return current
    }
  }

  /// Passes a value on, if it was asked for.
  ///
  /// - Returns: What downstream asks for in addition.
  @inlinable @inline(__always)
  func deliver<Downstream: Subscriber>(_ value: Downstream.Input, to downstream: Downstream) -> Subscribers.Demand {
    guard ledger.isUnlimited || ledger.consume() else { return .none }
    let more = downstream.receive(value)
    if more > .none { ledger.add(more) }
    return more
  }

  /// Passes the completion on, unless downstream has cancelled.
  @usableFromInline
  func deliver<Downstream: Subscriber>(
    completion: Subscribers.Completion<Downstream.Failure>, to downstream: Downstream
  ) {
    if ledger.close() { downstream.receive(completion: completion) }
  }

  @usableFromInline
  package var description: String { name }
}

/// One of the upstreams behind an arbiter: its values go downstream, its end goes to a closure.
///
/// The first upstream's subscription makes the arbiter known downstream; later ones only take its place.
@usableFromInline
final class Leg<Input, Failure: Error, Downstream: Subscriber>: Subscriber, CustomStringConvertible
where Downstream.Input == Input {
  @usableFromInline let slot = SubscriptionSlot(name: nil)
  @usableFromInline let arbiter: Arbiter
  @usableFromInline let downstream: Downstream
  /// Whether this upstream has sent nothing.
  @exclusivity(unchecked)
  @usableFromInline
  var isEmpty = true

  private let isFirst: Bool
  private let ended: (Subscribers.Completion<Failure>, _ isEmpty: Bool) -> Void

  /// Makes the subscriber of one upstream.
  ///
  /// - Parameters:
  ///   - isFirst: Whether downstream has no subscription yet.
  ///   - ended: Called with the completion, and whether nothing came before it, unless downstream has cancelled; goes
  ///     on with another upstream, or ends.
  @usableFromInline
  init(
    _ arbiter: Arbiter, _ downstream: Downstream, isFirst: Bool,
    ended: @escaping (Subscribers.Completion<Failure>, _ isEmpty: Bool) -> Void
  ) {
    self.arbiter = arbiter
    self.downstream = downstream
    self.isFirst = isFirst
    self.ended = ended
  }

  @usableFromInline
  func receive(subscription: any Subscription) {
    guard slot.take(subscription) else { return }
    // Downstream may request at once; that demand is carried over by `follow`.
    if isFirst { downstream.receive(subscription: arbiter) }
    arbiter.follow(slot)
  }

  @inlinable @inline(__always)
  func receive(_ input: Input) -> Subscribers.Demand {
    guard slot.isOpen else { return .none }
    isEmpty = false
    return arbiter.deliver(input, to: downstream)
  }

  @usableFromInline
  func receive(completion: Subscribers.Completion<Failure>) {
    guard slot.end() != nil else { return }
    arbiter.leave()
    if arbiter.isOpen { ended(completion, isEmpty) }
  }

  @usableFromInline
  var description: String { arbiter.description }
}
