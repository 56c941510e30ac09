/// The part of a hub that does not depend on types: the lock, the ports, demand and cancel, and the upstreams that feed
/// it.
@usableFromInline
package class AnyHub: @unchecked Sendable {
  // Sendable: everything is touched under the lock, or by the one emitter.
  @usableFromInline final let lock = Lock()

  /// Whether a new subscriber gets the latest value, and one without demand gets it later.
  @usableFromInline final let remembers: Bool

  @exclusivity(unchecked)
  @usableFromInline
  final var list = PortList()

  @exclusivity(unchecked)
  @usableFromInline
  final var isEmitting = false

  /// How many values have been accepted: the place in the order of the last one.
  @exclusivity(unchecked)
  @usableFromInline
  final var place: UInt64 = 0

  /// Whether a completion has been accepted.
  @exclusivity(unchecked)
  final var hasEnded = false

  @exclusivity(unchecked)
  final private(set) var upstreams: [any Subscription] = []

  /// How long the list of upstreams may get before those that have ended are taken out.
  @exclusivity(unchecked)
  private final var sweepAt = 8

  @exclusivity(unchecked)
  private final var isDemanded: Bool

  /// Adds demand in a hub with a memory, which sees first to the value that is owed; nil in another one.
  ///
  /// It is a closure, made where the type of the values is known, because a method found through a class would be the
  /// unspecialised one.
  @usableFromInline typealias Raise = (AnyHub, Tally, Subscribers.Demand) -> Void
  private final let raise: Raise?

  @usableFromInline
  init(raise: Raise?) {
    self.raise = raise
    remembers = raise != nil
    isDemanded = raise != nil
  }

  deinit {
    for upstream in upstreams { upstream.cancel() }
  }
}

extension AnyHub: HotSource {
  @usableFromInline
  package final func request(_ demand: Subscribers.Demand, for tally: Tally) {
    if let raise {
      raise(self, tally, demand)
      return
    }
    tally.ledger.add(demand)
    if lock.withLock({ !isDemanded && list[tally] != nil }) { passDemand() }
  }

  /// Makes a port one of the subscribers of a hub without a memory, unless it has been cancelled.
  ///
  /// - Returns: Whether the stream has ended, so that the port gets the completion instead.
  @usableFromInline
  final func join(_ port: AnyPort) -> Bool {
    let ended = lock.withLock {
      if !hasEnded, !port.tally.ledger.isClosed {
        port.tally.since = place
        list.append(port)
      }
      return hasEnded
    }
    if !ended, port.tally.ledger.hasDemand { passDemand() }
    return ended
  }

  /// Requests everything from the upstreams, once a subscriber that has joined has requested something.
  final func passDemand() {
    let waiting = lock.withLock { () -> [any Subscription] in
      guard !isDemanded else { return [] }
      isDemanded = true
      return upstreams
    }
    for upstream in waiting { upstream.request(.unlimited) }
  }

  @usableFromInline
  package final func cancel(_ tally: Tally) {
    tally.ledger.close()
    // The port is released after the lock.
    withExtendedLifetime(lock.withLock { list.remove(tally) }) {}
  }

  /// Takes a subscription whose values will be sent here.
  ///
  /// A hub with a memory requests everything at once, another one when it is asked for values itself. One that has
  /// ended has no use for it and cancels it.
  @usableFromInline
  final func feed(from upstream: any Subscription) {
    enum Answer {
      case request
      case wait
      case cancel
    }
    let answer = lock.withLock { () -> Answer in
      guard !hasEnded else { return .cancel }
      if upstreams.count >= sweepAt {
        // A slot that has ended holds nothing: releasing it here runs nobody's code.
        upstreams.removeAll { ($0 as? SubscriptionSlot)?.hasEnded ?? false }
        sweepAt = max(8, upstreams.count * 2)
      }
      upstreams.append(upstream)
      return isDemanded ? .request : .wait
    }
    switch answer {
    case .request: upstream.request(.unlimited)
    case .wait: break
    case .cancel: upstream.cancel()
    }
  }

  /// Lets go of an upstream that has ended.
  final func forget(_ upstream: any Subscription) {
    let released = lock.withLock {
      upstreams.firstIndex { $0 as AnyObject === upstream as AnyObject }.map { upstreams.remove(at: $0) }
    }
    withExtendedLifetime(released) {}
  }
}

/// What a subscription needs of the hot source it belongs to.
@usableFromInline
package protocol HotSource: AnyObject, Sendable {
  /// Adds to what a subscriber may be delivered; the demand is more than none.
  func request(_ demand: Subscribers.Demand, for tally: Tally)

  /// Lets go of a subscriber.
  func cancel(_ tally: Tally)
}

/// The subscription of one subscriber to a hub, or another hot source.
///
/// It keeps the source alive until the end or a cancel, and never the subscriber.
@usableFromInline
package final class HubSubscription: Subscription, CustomStringConvertible, @unchecked Sendable {
  // Sendable: the link is touched under the lock only.
  private let lock = Lock()
  private let tally: Tally
  private let name: String

  @exclusivity(unchecked)
  private var hub: (any HotSource)?

  @exclusivity(unchecked)
  private var owner: AnyObject?

  @usableFromInline
  package init(hub: any HotSource, tally: Tally, owner: AnyObject, name: String) {
    self.hub = hub
    self.tally = tally
    self.owner = owner
    self.name = name
  }

  @usableFromInline
  package func request(_ demand: Subscribers.Demand) {
    guard demand > .none else { return }
    lock.withLock { hub }?.request(demand, for: tally)
  }

  @usableFromInline
  package func cancel() {
    // Before anything else, so that a second caller, for whom nothing is left to do, does not return ahead of the effect.
    tally.ledger.close()
    let source = lock.withLock { () -> (hub: (any HotSource)?, owner: AnyObject?) in
      defer { (hub, owner) = (nil, nil) }
      return (hub, owner)
    }
    source.hub?.cancel(tally)
  }

  @usableFromInline
  package var description: String { name }
}
