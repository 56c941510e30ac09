public import Reactive
public import Synchronization

/// What a retriever does apart from the type of its values: who subscribes, which fetch is the newest, what runs.
///
/// Whoever has fetched offers the value to every port. Each has a turn of its own, so none waits for another.
@usableFromInline
class AnySource: HotSource, @unchecked Sendable {
  // Sendable: the words are atomic, everything else is touched under the lock.
  @usableFromInline final let lock = Lock()
  @exclusivity(unchecked) private final var hasEnded = false
  @usableFromInline final let isObserved = Atomic(false)
  @exclusivity(unchecked) @usableFromInline final var list = PortList()

  /// How many fetches have started; each takes the next number as its ticket.
  @usableFromInline final let fetches = Atomic<UInt64>(0)
  private final let madeExtras = Atomic<Unmanaged<Extras>?>(nil)

  deinit {
    madeExtras.load(ordering: .relaxed)?.release()
  }

  /// Performs a step that takes the type of the values; only the typed subclass is ever made.
  @usableFromInline
  func perform(_ step: TurnPort.Step, for port: TurnPort) {}
}

// MARK: - Ports

extension AnySource {
  /// Registers a port, whose subscriber is about to get its subscription; nothing is delivered before `serve`.
  ///
  /// - Returns: Whether there will be anything to deliver: false after the end.
  @usableFromInline
  final func enlist(_ port: TurnPort) -> Bool {
    lock.withLock {
      if !hasEnded { list.append(port) }
      return !hasEnded
    }
  }

  @usableFromInline
  final func request(_ demand: Subscribers.Demand, for tally: Tally) {
    tally.ledger.add(demand)
    guard tally.ledger.isPending, let port = lock.withLock({ list[tally] }) else { return }
    if tally.ledger.enterPending() { serve(unsafeDowncast(port, to: TurnPort.self)) }
  }

  @usableFromInline
  final func cancel(_ tally: Tally) {
    tally.ledger.close()
    let released = lock.withLock { list.remove(tally).map { ($0, unsafeDowncast($0, to: TurnPort.self).unpark()) } }
    withExtendedLifetime(released) {}
  }

  /// Leaves a value for whoever has the turn, or until there is demand.
  final func park(_ value: Ticketed, for port: TurnPort) {
    let released = lock.withLock { port.park(value) }
    if released !== value, port.tally.ledger.enterPending() { serve(port) }
    withExtendedLifetime(released) {}
  }

  /// Does, having the turn of a port, whatever is due for it, and gives the turn back.
  @usableFromInline
  final func serve(_ port: TurnPort) {
    while true {
      let step = lock.withLock { port.nextStep(hasEnded: hasEnded) }
      switch step {
      case .deliver: perform(step, for: port)
      case .discard(let value): withExtendedLifetime(value) {}
      case .begin: return perform(step, for: port)
      case .finish: return port.tally.ledger.close() ? perform(step, for: port) : ()
      case .rest: return
      }
    }
  }

  /// Ends the stream: every subscriber gets the completion, and everything is released.
  @usableFromInline
  final func finish() {
    let ports = lock.withLock {
      hasEnded = true
      return list.removeAll()
    }
    madeExtras.load(ordering: .acquiring)?.takeUnretainedValue().clear()
    ports.forEachPort(TurnPort.self) { port in
      port.tally.ledger.markPending()
      if port.tally.ledger.enterPending(needsDemand: false) { serve(port) }
    }
  }
}

// MARK: - Extras

extension AnySource {
  /// The extras, made at the first call.
  @usableFromInline
  final var extras: Extras {
    if let made = madeExtras.load(ordering: .acquiring) { return made.takeUnretainedValue() }
    let new = Extras()
    let own = Unmanaged.passRetained(new)
    let (_, made) = madeExtras.compareExchange(expected: nil, desired: own, ordering: .acquiringAndReleasing)
    if made != nil { own.release() }
    return made?.takeUnretainedValue() ?? new
  }

  /// Lets the observation that is being recorded, if any, depend on the retriever.
  @usableFromInline
  final func noteRead() {
    guard let made = madeExtras.load(ordering: .acquiring) else { return extras.noteRead() }
    made._withUnsafeGuaranteedRef { $0.noteRead() }
  }

  /// Invalidates the observations that depend on the retriever.
  @usableFromInline
  final func invalidateReads() {
    madeExtras.load(ordering: .acquiring)?._withUnsafeGuaranteedRef { $0.invalidateReads() }
  }
}
