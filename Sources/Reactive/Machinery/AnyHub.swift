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

  private final var upstreams: [any Subscription] = []
  private final var isDemanded: Bool

  @usableFromInline
  init(remembers: Bool) {
    self.remembers = remembers
    isDemanded = remembers
  }

  deinit {
    for upstream in upstreams { upstream.cancel() }
  }

  /// Adds to what a port may be delivered; a hub with a memory first sees to the value that is owed.
  func raise(_ demand: Subscribers.Demand, of port: AnyPort) {
    port.ledger.add(demand)
  }

  /// Whether the stream has ended; asked under the lock.
  var hasEnded: Bool { false }
}

extension AnyHub {
  func request(_ demand: Subscribers.Demand, for port: AnyPort) {
    raise(demand, of: port)
    if !remembers, lock.withLock({ !isDemanded && list.contains(port) }) { passDemand() }
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

  func cancel(_ port: AnyPort) {
    port.ledger.close()
    lock.withLock { list.remove(port) }
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
      upstreams.append(upstream)
      return isDemanded ? .request : .wait
    }
    switch answer {
    case .request: upstream.request(.unlimited)
    case .wait: break
    case .cancel: upstream.cancel()
    }
  }
}

/// The subscription of one subscriber to a hub.
///
/// It keeps the source alive, and its port; at the end and on cancel it drops both, so that a subscription that is kept
/// keeps nothing else.
@usableFromInline
final class HubSubscription: Subscription, CustomStringConvertible, @unchecked Sendable {
  // Sendable: the link is touched under the lock only.
  private struct Link {
    let hub: AnyHub
    let port: AnyPort
    let owner: AnyObject
  }

  private let lock = Lock()
  private var link: Link?
  private let name: String

  @usableFromInline
  init(hub: AnyHub, port: AnyPort, owner: AnyObject, name: String) {
    link = Link(hub: hub, port: port, owner: owner)
    self.name = name
  }

  @usableFromInline
  func request(_ demand: Subscribers.Demand) {
    guard demand > .none, let link = lock.withLock({ link }) else { return }
    link.hub.request(demand, for: link.port)
  }

  @usableFromInline
  func cancel() {
    guard let link = take() else { return }
    link.hub.cancel(link.port)
  }

  /// Cuts the subscription off: the stream has ended.
  func detach() {
    withExtendedLifetime(take()) {}
  }

  private func take() -> Link? {
    lock.withLock {
      defer { link = nil }
      return link
    }
  }

  @usableFromInline
  var description: String { name }
}
