public import Reactive
public import Synchronization

/// What a retriever does with values, and the publisher of them, which does not keep the retriever.
@usableFromInline
final class Source<Value: Defaultable>: AnySource, Publisher, @unchecked Sendable {
  // Sendable: as the superclass is.
  @usableFromInline typealias Output = Value
  @usableFromInline typealias Failure = Never
  @usableFromInline typealias Port = TypedTurnPort<Value>

  @usableFromInline let closure = ReplaceableClosure<Value>()

  /// Runs the closure.
  @inlinable @inline(__always)
  func retrieve(for reason: RetrievalReason) -> Value {
    func report() { if isObserved.load(ordering: .relaxed) { extras.report(reason) } }
    return closure.call(lock, prepare: report, substitute: { .defaultValue })
  }

  /// Takes the ticket of a fetch that is about to start.
  @inlinable @inline(__always)
  func takeTicket() -> UInt64 {
    fetches.wrappingAdd(1, ordering: .acquiringAndReleasing).newValue
  }

  /// Fetches once and offers the value to all ports in the order they came.
  @inlinable @inline(__always)
  func update() {
    invalidateReads()
    let ticket = takeTicket()
    let value = retrieve(for: .update)
    let ports = lock.withLock { list.ports }
    ports.forEachPort(Port.self) { offer(value, ticket: ticket, to: $0) }
    #if REACTIVE_TSAN
      // ThreadSanitizer does not see that the list is changed in place only after this round has released it.
      lock.withLock {}
    #endif
    // What the ports hold is released here, with no lock held.
    withExtendedLifetime(ports) {}
  }

  /// Delivers a value, unless the subscriber has had a newer one.
  @inlinable @inline(__always)
  func offer(_ value: Value, ticket: UInt64, to port: Port) {
    guard port.tally.ledger.enterUnlimited() else { return offerCarefully(value, ticket: ticket, to: port) }
    if port.tally.since < ticket {
      port.tally.since = ticket
      _ = port.receiveValue(value)
    }
    if !port.tally.ledger.leaveUnlimited() { serve(port) }
  }

  /// Offers a value to a port that is busy, has limited demand, or is closed.
  @usableFromInline
  func offerCarefully(_ value: Value, ticket: UInt64, to port: Port) {
    if !port.tally.ledger.isClosed { park(TicketedValue(value, ticket: ticket), for: port) }
  }

  @inlinable @inline(__always)
  func receive<S: Subscriber>(subscriber: S) where S.Input == Value, S.Failure == Never {
    let port = Port(
      receiveValue: { subscriber.receive($0) },
      receiveCompletion: { subscriber.receive(completion: $0) })
    guard enlist(port) else { return Just(.defaultValue).receive(subscriber: subscriber) }
    subscriber.receive(
      subscription: HubSubscription(hub: self, tally: port.tally, owner: self, name: "Retriever"))
    serve(port)
  }

  @usableFromInline
  override func perform(_ step: TurnPort.Step, for turnPort: TurnPort) {
    let port = unsafeDowncast(turnPort, to: Port.self)
    switch step {
    case .deliver(let parked):
      let more = port.receiveValue(unsafeDowncast(parked, to: TicketedValue<Value>.self).value)
      if more > .none { port.tally.ledger.add(more) }
    case .begin:
      // The ticket comes before the fetch: a fetch that starts later is the newer one.
      let ticket = takeTicket()
      offer(retrieve(for: .subscription), ticket: ticket, to: port)
    case .finish: port.receiveCompletion(.finished)
    case .discard, .rest: break
    }
  }
}
