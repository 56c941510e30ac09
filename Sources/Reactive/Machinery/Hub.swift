/// The serializer behind the subjects: what is sent from any thread becomes one order, and one thread at a time
/// delivers it.
///
/// An event gets its place under a short lock. Whoever finds nobody delivering becomes the emitter: it takes the list
/// of ports as it stands, delivers outside the lock, and goes on with what has been sent meanwhile, by others or from
/// inside a delivery. So no sender waits, no value overtakes another, and a send inside a delivery needs no stack.
@usableFromInline
package final class Hub<Output, Failure: Error>: AnyHub, @unchecked Sendable {
  // Sendable: everything is touched under the lock, or by the one emitter.
  @usableFromInline
  enum Event {
    case value(Output, place: UInt64)
    case replay(Output, to: Port)
    case end(Subscribers.Completion<Failure>)
  }

  /// A subscriber: how to deliver to it, and since when it has joined.
  @usableFromInline
  final class Port: AnyPort, @unchecked Sendable {
    @usableFromInline let receiveValue: (Output) -> Subscribers.Demand
    @usableFromInline let receiveCompletion: (Subscribers.Completion<Failure>) -> Void

    /// While it joins: who delivers, and what has been sent meanwhile.
    @exclusivity(unchecked)
    @usableFromInline
    var joining: Joining?

    @inlinable
    init(
      joining: Bool,
      receiveValue: @escaping (Output) -> Subscribers.Demand,
      receiveCompletion: @escaping (Subscribers.Completion<Failure>) -> Void
    ) {
      self.receiveValue = receiveValue
      self.receiveCompletion = receiveCompletion
      super.init(busy: joining)
    }

    /// Delivers a value whose demand has been taken.
    @inlinable
    func deliver(_ value: Output) {
      let more = receiveValue(value)
      if more > .none { tally.ledger.add(more) }
    }

    /// Delivers the completion, unless the subscriber has cancelled.
    @usableFromInline
    func end(with completion: Subscribers.Completion<Failure>) {
      guard tally.ledger.close() else { return }
      receiveCompletion(completion)
    }
  }

  @usableFromInline
  final class Joining {
    @usableFromInline let thread = ThreadIdentity.current

    @exclusivity(unchecked)
    @usableFromInline
    var isDelivering = false

    @exclusivity(unchecked)
    @usableFromInline
    var parked: [Event] = []

    @inlinable
    init() {}
  }

  /// The latest value, in a hub with a memory.
  @exclusivity(unchecked)
  @usableFromInline
  var latest: Output?

  @exclusivity(unchecked)
  @usableFromInline
  var pending: [Event] = []

  @exclusivity(unchecked)
  @usableFromInline
  var terminal: Subscribers.Completion<Failure>?

  /// The property whose changes are published, if there is one.
  @usableFromInline let property: Property?

  /// Makes a hub without a memory.
  @inlinable
  package init() {
    property = nil
    super.init(raise: nil)
  }

  /// Makes a hub with a memory.
  @inlinable
  package convenience init(latest: Output) {
    self.init(latest: latest, property: nil)
  }

  @inlinable
  init(latest: Output, property: Property?) {
    self.latest = latest
    self.property = property
    super.init { hub, tally, demand in
      unsafeDowncast(hub, to: Hub.self).raise(demand, of: tally)
    }
  }
}

// MARK: - Sending

extension Hub {
  /// Gives a value its place in the order, and delivers it unless somebody is delivering already.
  @inlinable @inline(__always)
  package func send(_ value: Output) {
    var replaced: Output?
    var own: UInt64 = 0
    let ports = lock.withLock { accept(value, place: &own, replaced: &replaced) }
    guard let ports else { return }
    ports.forEachPort(Port.self) { deliver(value, place: own, to: $0) }
    if !lock.withLock({ rest() }) { drain() }
    // What the ports and the value before hold is released here, with no lock held.
    withExtendedLifetime((ports, replaced)) {}
  }

  /// Gives a value its place in the order; called under the lock.
  ///
  /// - Returns: The ports to deliver it to, for the caller that has become the emitter; nil for another one.
  @inlinable @inline(__always)
  func accept(_ value: Output, place own: inout UInt64, replaced: inout Output?) -> ContiguousArray<AnyPort?>? {
    guard terminal == nil else { return nil }
    place &+= 1
    own = place
    if remembers {
      replaced = latest
      latest = value
    }
    guard !isEmitting else {
      pending.append(.value(value, place: place))
      return nil
    }
    isEmitting = true
    return list.ports
  }

  /// Ends the emission if nothing is pending; called under the lock.
  @inlinable @inline(__always)
  func rest() -> Bool {
    guard pending.isEmpty else { return false }
    isEmitting = false
    return true
  }

  @inlinable @inline(__always)
  func deliver(_ value: Output, place: UInt64, to port: Port) {
    if port.tally.ledger.isUnlimited {
      if port.tally.since < place { _ = port.receiveValue(value) }
    } else {
      deliverCarefully(value, place: place, to: port)
    }
  }

  /// Delivers to a port that is joining, has limited demand, or is closed.
  @usableFromInline
  func deliverCarefully(_ value: Output, place: UInt64, to port: Port) {
    var hasDemand = !port.tally.ledger.isBusy && port.tally.ledger.consume()
    if !hasDemand, remembers {
      // Look again where requests and joins are decided, so that neither slips in between.
      hasDemand = lock.withLock {
        if port.joining != nil {
          port.joining?.parked.append(.value(value, place: place))
          return false
        }
        if port.tally.ledger.consume() { return true }
        if port.tally.since < place { port.tally.isOwed = true }
        return false
      }
    }
    guard hasDemand else { return }
    if port.tally.since < place {
      port.deliver(value)
    } else {
      // It has this one from its own request, or joined later.
      port.tally.ledger.add(.max(1))
    }
  }

  /// Delivers what is pending, round by round, until nothing is left; then nobody is the emitter.
  @usableFromInline
  func drain() {
    while true {
      var events: [Event] = []
      let ports = lock.withLock { () -> ContiguousArray<AnyPort?>? in
        guard !pending.isEmpty else {
          isEmitting = false
          return nil
        }
        swap(&events, &pending)
        return list.ports
      }
      guard let ports else { return }
      for event in events {
        switch event {
        case .value(let value, let place):
          announceChange()
          ports.forEachPort(Port.self) { deliver(value, place: place, to: $0) }
          store(value)
        case .replay(let value, let port):
          if port.tally.ledger.consume() { port.deliver(value) }
        case .end(let completion):
          finish(with: completion)
        }
      }
    }
  }

  /// Ends the stream: the completion gets its place in the order, and what is sent later is ignored.
  @usableFromInline
  package func send(completion: Subscribers.Completion<Failure>) {
    let emits = lock.withLock {
      guard terminal == nil else { return false }
      terminal = completion
      hasEnded = true
      guard !isEmitting else {
        pending.append(.end(completion))
        return false
      }
      isEmitting = true
      return true
    }
    guard emits else { return }
    finish(with: completion)
    drain()
  }

  private func finish(with completion: Subscribers.Completion<Failure>) {
    let ports = lock.withLock { list.removeAll() }
    ports.forEachPort(Port.self) { port in
      let isParked = lock.withLock {
        guard port.joining != nil else { return false }
        port.joining?.parked.append(.end(completion))
        return true
      }
      if !isParked { port.end(with: completion) }
    }
  }
}

// MARK: - Subscribing

extension Hub {
  /// Attaches a subscriber.
  ///
  /// - Parameters:
  ///   - subscriber: Gets the subscription first, then joins.
  ///   - owner: What the subscription keeps alive besides the hub.
  ///   - name: How the subscription describes itself.
  @inlinable @inline(__always)
  package func attach<S: Subscriber>(_ subscriber: S, owner: AnyObject, name: String)
  where S.Input == Output, S.Failure == Failure {
    if let ended = lock.withLock({ terminal }) {
      deliverCompletion(ended, to: subscriber)
      return
    }
    let port = Port(
      joining: remembers,
      receiveValue: { subscriber.receive($0) },
      receiveCompletion: { subscriber.receive(completion: $0) })
    let subscription = HubSubscription(hub: self, tally: port.tally, owner: owner, name: name)
    if remembers { enlist(port) }
    subscriber.receive(subscription: subscription)
    if remembers {
      deliverParked(to: port, isLeaving: true)
    } else if join(port) {
      turnAway(port)
    }
  }

  /// Lets a port join a hub with a memory.
  ///
  /// So it misses nothing after the value that a request inside `receive(subscription:)` delivers. Until that call has
  /// returned, whatever is for the port is parked, and delivered by this thread alone.
  @inlinable
  func enlist(_ port: Port) {
    let joining = Joining()
    port.joining = joining
    lock.withLock {
      port.tally.since = place
      port.tally.isOwed = terminal == nil
      if let terminal {
        joining.parked.append(.end(terminal))
      } else {
        list.append(port)
      }
    }
  }

  /// Delivers the completion to a port that came too late to join.
  @usableFromInline
  func turnAway(_ port: Port) {
    if let ended = lock.withLock({ terminal }) { port.end(with: ended) }
  }

  /// What the joining thread has to do next for its port.
  @usableFromInline
  enum Parked {
    case deliver(Output)
    case discard([Event])
    case end(Subscribers.Completion<Failure>)
    case nothing
  }

  /// Delivers, on the joining thread, the first value and what has been sent since, as far as demand goes.
  @inlinable
  func deliverParked(to port: Port, isLeaving: Bool) {
    while true {
      switch lock.withLock({ nextParked(of: port, isLeaving: isLeaving) }) {
      case .deliver(let value): port.deliver(value)
      case .discard(let events): withExtendedLifetime(events) {}
      case .end(let completion): port.end(with: completion)
      case .nothing: return
      }
    }
  }

  @inlinable
  func nextParked(of port: Port, isLeaving: Bool) -> Parked {
    guard let joining = port.joining else { return .nothing }
    joining.isDelivering = true
    if port.tally.ledger.isClosed, !joining.parked.isEmpty {
      defer { joining.parked = [] }
      return .discard(joining.parked)
    }
    if port.tally.isOwed, let latest, port.tally.ledger.consume() {
      port.tally.isOwed = false
      port.tally.since = place
      return .deliver(latest)
    }
    if !joining.parked.isEmpty {
      switch joining.parked.removeFirst() {
      case .end(let completion):
        return .end(completion)
      case .value(let value, let place) where port.tally.since < place:
        if port.tally.ledger.consume() { return .deliver(value) }
        // The latest value will stand for this one.
        port.tally.isOwed = true
        return .discard([.value(value, place: place)])
      case let seen:
        return .discard([seen])
      }
    }
    joining.isDelivering = false
    if isLeaving {
      port.joining = nil
      port.tally.ledger.clearBusy()
    }
    return .nothing
  }
}

// MARK: - Demand with a memory

extension Hub {
  /// What a request leads to in a hub with a memory.
  @usableFromInline
  enum Due {
    case nothing
    case parked
    case emission(Output)
  }

  /// Adds demand in a hub with a memory, which sees first to the value that is owed.
  @inlinable
  func raise(_ demand: Subscribers.Demand, of tally: Tally) {
    var target: Port?
    let due = lock.withLock { () -> Due in
      guard let port = list[tally].map({ unsafeDowncast($0, to: Port.self) }) else {
        tally.ledger.add(demand)
        return .nothing
      }
      target = port
      if let joining = port.joining {
        tally.ledger.add(demand)
        return joining.thread == .current && !joining.isDelivering ? .parked : .nothing
      }
      guard tally.isOwed, let latest, !tally.ledger.isClosed else {
        tally.ledger.add(demand)
        return .nothing
      }
      // Everything up to here is settled by the latest value; only then may the emitter see the demand.
      tally.isOwed = false
      tally.since = place
      defer { tally.ledger.add(demand) }
      guard !isEmitting else {
        pending.append(.replay(latest, to: port))
        return .nothing
      }
      isEmitting = true
      return .emission(latest)
    }
    guard let target else { return }
    switch due {
    case .nothing: break
    case .parked: deliverParked(to: target, isLeaving: false)
    case .emission(let value):
      if tally.ledger.consume() { target.deliver(value) }
      drain()
    }
  }
}

extension Hub {
  /// The latest value of a hub with a memory.
  @inlinable
  var current: Output {
    let value = lock.withLock { latest }
    guard let value else { preconditionFailure("Only a hub with a memory has a current value") }
    return value
  }
}
