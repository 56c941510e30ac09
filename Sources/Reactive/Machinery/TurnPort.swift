/// A subscriber of a hot source that has no emitter: several threads may have a value for it, and the newest one wins.
///
/// Whoever has the port's turn, the `busy` mark of its ledger, delivers; all others park their value and leave. A port
/// keeps one value, so a subscriber that is slow or without demand skips to the newest. How new a value is says its
/// ticket. A port starts with a turn taken, so that nothing is delivered before its subscriber has its subscription, and
/// owed a first value, which its source makes at the first demand.
@usableFromInline
package class TurnPort: AnyPort, @unchecked Sendable {
  // Sendable: what is parked is touched under the lock of the source, `since` by whoever has the turn.
  /// What to do next for a port.
  @usableFromInline
  package enum Step {
    /// Deliver this one.
    case deliver(Ticketed)
    /// Release this one, and ask again.
    case discard(Ticketed)
    /// Make the first value; the turn has been given back.
    case begin
    /// Deliver the completion.
    case finish
    /// Nothing; the turn has been given back.
    case rest
  }

  @exclusivity(unchecked)
  private final var parked: Ticketed?

  @usableFromInline
  package init() {
    super.init(busy: true)
    tally.isOwed = true
    tally.ledger.markPending()
  }

  /// Parks a value, unless a newer one is parked or its subscriber does not wait for it.
  ///
  /// - Returns: What is not parked, to be released outside the lock.
  package final func park(_ value: Ticketed) -> Ticketed? {
    // A first value that is owed will be made after this one was.
    guard !tally.isOwed, !tally.ledger.isClosed else { return value }
    if let parked, parked.ticket > value.ticket { return value }
    defer { parked = value }
    tally.ledger.markPending()
    return parked
  }

  /// Takes out what is parked.
  package final func unpark() -> Ticketed? {
    guard let taken = parked else { return nil }
    parked = nil
    tally.ledger.clearPending()
    return taken
  }

  /// Decides, for whoever has the turn, what is next.
  package final func nextStep(hasEnded: Bool) -> Step {
    while true {
      if let parked {
        let isStale = parked.ticket <= tally.since || tally.ledger.isClosed
        if isStale || tally.ledger.consume() {
          _ = unpark()
          guard !isStale else { return .discard(parked) }
          tally.since = parked.ticket
          return .deliver(parked)
        }
      }
      if tally.ledger.isClosed { return .rest }
      if hasEnded { return .finish }
      if tally.isOwed, tally.ledger.hasDemand {
        // From here on the port takes values, also while its first one is being made.
        tally.isOwed = false
        tally.ledger.clearPending()
        _ = tally.ledger.leave()
        return .begin
      }
      if tally.ledger.leave() { return .rest }
    }
  }
}

/// A port of a source without an emitter, with the closures that deliver.
@usableFromInline
package final class TypedTurnPort<Output>: TurnPort, @unchecked Sendable {
  // Sendable: the closures are called by whoever has the turn, one after the other.
  @usableFromInline package let receiveValue: (Output) -> Subscribers.Demand
  @usableFromInline package let receiveCompletion: (Subscribers.Completion<Never>) -> Void

  @inlinable
  package init(
    receiveValue: @escaping (Output) -> Subscribers.Demand,
    receiveCompletion: @escaping (Subscribers.Completion<Never>) -> Void
  ) {
    self.receiveValue = receiveValue
    self.receiveCompletion = receiveCompletion
    super.init()
  }
}

/// A value that can wait in a port, apart from its type.
@usableFromInline
package class Ticketed {
  /// How new it is: the higher, the newer.
  package final let ticket: UInt64

  fileprivate init(ticket: UInt64) {
    self.ticket = ticket
  }
}

/// A value that can wait in a port.
package final class TicketedValue<Value>: Ticketed {
  package let value: Value

  package init(_ value: Value, ticket: UInt64) {
    self.value = value
    super.init(ticket: ticket)
  }
}
