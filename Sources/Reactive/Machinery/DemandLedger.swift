public import Synchronization

/// What one subscription may still deliver, in one atomic word together with three marks.
///
/// Demand takes the upper 61 bits; all ones there stand for unlimited, which nothing diminishes. `closed` ends the
/// ledger for good. `busy` and `pending` belong to the owner: a cold source sets `busy` while its loop runs, a subject
/// while a subscriber is still joining, and a source without an emitter while somebody delivers; `pending` then tells
/// that one that something waits.
@usableFromInline
package struct DemandLedger: ~Copyable, Sendable {
  @usableFromInline static var closed: UInt64 { 1 }
  @usableFromInline static var busy: UInt64 { 2 }
  @usableFromInline static var pending: UInt64 { 4 }
  @usableFromInline static var one: UInt64 { 8 }
  /// The word of an open subscription with unlimited demand: the one comparison of the fast path.
  @usableFromInline static var unlimited: UInt64 { ~7 }

  @usableFromInline
  let word: Atomic<UInt64>

  @inlinable
  package init(busy: Bool = false) {
    word = Atomic(busy ? Self.busy : 0)
  }

  @inlinable @inline(__always)
  package var isClosed: Bool {
    word.load(ordering: .relaxed) & Self.closed != 0
  }

  @inlinable @inline(__always)
  package var isUnlimited: Bool {
    word.load(ordering: .acquiring) == Self.unlimited
  }

  @inlinable
  package var isBusy: Bool {
    word.load(ordering: .acquiring) & Self.busy != 0
  }

  @inlinable
  package var hasDemand: Bool {
    word.load(ordering: .acquiring) & Self.unlimited != 0
  }

  /// The demand as it counts in the word; what exceeds 61 bits cannot be delivered in a lifetime and is unlimited.
  @inlinable @inline(__always)
  static func units(_ demand: Subscribers.Demand) -> UInt64 {
    let count = UInt64(demand.count)
    return count >= unlimited / one ? unlimited : count * one
  }

  /// What to make of the word, and what the caller gets for it.
  @frozen
  @usableFromInline
  enum Change<Result> {
    case leave(Result)
    case store(UInt64, Result)
  }

  /// Changes the word in one step, however many threads do.
  ///
  /// - Parameter change: Decides by the word as it is; asked again when that has changed meanwhile.
  @inlinable @inline(__always)
  func update<Result>(_ change: (UInt64) -> Change<Result>) -> Result {
    var old = word.load(ordering: .acquiring)
    while true {
      switch change(old) {
      case .leave(let result): return result
      case .store(let new, let result):
        let (exchanged, original) = word.weakCompareExchange(
          expected: old, desired: new, ordering: .acquiringAndReleasing)
        if exchanged { return result }
        old = original
      }
    }
  }

  /// Adds demand, saturating, and sets the marks given.
  ///
  /// - Returns: The word as it was before.
  @inlinable
  @discardableResult
  package func add(_ demand: Subscribers.Demand, marking marks: UInt64 = 0) -> UInt64 {
    let units = Self.units(demand)
    return update { old in
      if old & Self.closed != 0 { return .leave(old) }
      let (sum, overflow) = (old & Self.unlimited).addingReportingOverflow(units)
      return .store((overflow ? Self.unlimited : sum) | (old & ~Self.unlimited) | marks, old)
    }
  }

  /// Takes one value's worth of demand.
  ///
  /// - Returns: Whether a value may be delivered: false without demand and after the end.
  @inlinable
  package func consume() -> Bool {
    update { old in
      if old & Self.closed != 0 || old < Self.one { return .leave(false) }
      return old >= Self.unlimited ? .leave(true) : .store(old - Self.one, true)
    }
  }

  /// What may still be delivered.
  package var outstanding: Subscribers.Demand {
    let units = word.load(ordering: .acquiring) & Self.unlimited
    return units == Self.unlimited ? .unlimited : .max(Int(units / Self.one))
  }

  /// Takes all demand, for a loop that then counts by itself; without any, the loop ends and `busy` goes.
  ///
  /// - Returns: What may be delivered now; `.none` when the loop has to end.
  @inlinable
  func takeOrRest() -> Subscribers.Demand {
    update { old in
      if old & Self.closed != 0 { return .leave(.none) }
      let units = old & Self.unlimited
      if units == Self.unlimited { return .leave(.unlimited) }
      return .store(units == 0 ? 0 : Self.busy, .max(Int(units / Self.one)))
    }
  }

  /// Ends the ledger.
  ///
  /// - Returns: Whether this call did it.
  @inlinable
  @discardableResult
  package func close() -> Bool {
    word.bitwiseOr(Self.closed, ordering: .acquiringAndReleasing).oldValue & Self.closed == 0
  }

  /// Removes the `busy` mark.
  @inlinable
  func clearBusy() {
    word.bitwiseAnd(~Self.busy, ordering: .acquiringAndReleasing)
  }
}

/// Delivering without an emitter: each subscription has its own turn, which `busy` marks.
extension DemandLedger {
  /// Takes the turn in the usual case: unlimited demand, nobody delivering, nothing pending.
  ///
  /// - Returns: Whether it was the usual case.
  @inlinable @inline(__always)
  package func enterUnlimited() -> Bool {
    word.compareExchange(expected: Self.unlimited, desired: Self.unlimited | Self.busy, ordering: .acquiring).exchanged
  }

  /// Gives the turn back in the usual case: nothing has become pending meanwhile, and there was no cancel.
  ///
  /// - Returns: Whether it was the usual case; otherwise the turn is still taken.
  @inlinable @inline(__always)
  package func leaveUnlimited() -> Bool {
    word.compareExchange(expected: Self.unlimited | Self.busy, desired: Self.unlimited, ordering: .releasing).exchanged
  }

  @inlinable
  package var isPending: Bool {
    word.load(ordering: .acquiring) & Self.pending != 0
  }

  /// Says that something is pending; whoever has the turn does not give it back before it has looked.
  @inlinable
  package func markPending() {
    word.bitwiseOr(Self.pending, ordering: .acquiringAndReleasing)
  }

  /// Removes the `pending` mark.
  @inlinable
  package func clearPending() {
    word.bitwiseAnd(~Self.pending, ordering: .acquiringAndReleasing)
  }

  /// Takes the turn for what is pending.
  ///
  /// - Parameter needsDemand: Whether that takes demand; a completion does not.
  /// - Returns: Whether there is something to do that nobody else does.
  @inlinable
  package func enterPending(needsDemand: Bool = true) -> Bool {
    update { old in
      if old & (Self.closed | Self.busy) != 0 || old & Self.pending == 0 { return .leave(false) }
      return needsDemand && old < Self.one ? .leave(false) : .store(old | Self.busy, true)
    }
  }

  /// Gives the turn back, unless something is pending that demand allows.
  ///
  /// - Returns: Whether the turn is over: given back, or ended with the ledger.
  @inlinable
  package func leave() -> Bool {
    update { old in
      if old & Self.closed != 0 { return .leave(true) }
      return old & Self.pending != 0 && old >= Self.one ? .leave(false) : .store(old & ~Self.busy, true)
    }
  }
}
