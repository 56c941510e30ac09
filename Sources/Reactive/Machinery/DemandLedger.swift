public import Synchronization

/// What one subscription may still deliver, in one atomic word together with two marks.
///
/// Demand takes the upper 62 bits; all ones there stand for unlimited, which nothing diminishes. `closed` ends the
/// ledger for good. `busy` belongs to the owner: a cold source sets it while its loop runs, a subject while a
/// subscriber is still joining.
@usableFromInline
package struct DemandLedger: ~Copyable, Sendable {
  @usableFromInline static var closed: UInt64 { 1 }
  @usableFromInline static var busy: UInt64 { 2 }
  @usableFromInline static var one: UInt64 { 4 }
  /// The word of an open subscription with unlimited demand: the one comparison of the fast path.
  @usableFromInline static var unlimited: UInt64 { ~3 }

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

  /// The demand as it counts in the word; what exceeds 62 bits cannot be delivered in a lifetime and is unlimited.
  @inlinable @inline(__always)
  static func units(_ demand: Subscribers.Demand) -> UInt64 {
    let count = UInt64(demand.count)
    return count >= unlimited >> 2 ? unlimited : count << 2
  }

  /// Adds demand, saturating, and sets the marks given.
  ///
  /// - Returns: The word as it was before.
  @inlinable
  @discardableResult
  func add(_ demand: Subscribers.Demand, marking marks: UInt64 = 0) -> UInt64 {
    let units = Self.units(demand)
    var old = word.load(ordering: .relaxed)
    while true {
      if old & Self.closed != 0 { return old }
      let (sum, overflow) = (old & Self.unlimited).addingReportingOverflow(units)
      let new = (overflow ? Self.unlimited : sum) | (old & ~Self.unlimited) | marks
      let (exchanged, original) = word.weakCompareExchange(
        expected: old, desired: new, ordering: .acquiringAndReleasing)
      if exchanged { return old }
      old = original
    }
  }

  /// Takes one value's worth of demand.
  ///
  /// - Returns: Whether a value may be delivered: false without demand and after the end.
  @inlinable
  package func consume() -> Bool {
    var old = word.load(ordering: .acquiring)
    while true {
      if old & Self.closed != 0 || old < Self.one { return false }
      if old >= Self.unlimited { return true }
      let (exchanged, original) = word.weakCompareExchange(
        expected: old, desired: old - Self.one, ordering: .acquiringAndReleasing)
      if exchanged { return true }
      old = original
    }
  }

  /// What may still be delivered.
  package var outstanding: Subscribers.Demand {
    let units = word.load(ordering: .acquiring) & Self.unlimited
    return units == Self.unlimited ? .unlimited : .max(Int(units >> 2))
  }

  /// Takes all demand, for a loop that then counts by itself; without any, the loop ends and `busy` goes.
  ///
  /// - Returns: What may be delivered now; `.none` when the loop has to end.
  @inlinable
  func takeOrRest() -> Subscribers.Demand {
    var old = word.load(ordering: .acquiring)
    while true {
      if old & Self.closed != 0 { return .none }
      let units = old & Self.unlimited
      if units == Self.unlimited { return .unlimited }
      let new = units == 0 ? 0 : Self.busy
      let (exchanged, original) = word.weakCompareExchange(
        expected: old, desired: new, ordering: .acquiringAndReleasing)
      if exchanged { return .max(Int(units >> 2)) }
      old = original
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
