/// What one side of a combination has to offer; touched under the junction's lock.
@usableFromInline
class AnyCell {
  @exclusivity(unchecked)
  @usableFromInline
  final var isFinished = false

  /// How many values were replaced before the first combination: they are asked for again after it.
  @exclusivity(unchecked)
  @usableFromInline
  final var deficit = 0

  @usableFromInline
  init() {}

  @usableFromInline
  var isEmpty: Bool { true }
}

/// What a side of a combination keeps its values in.
@usableFromInline
protocol Cell<Value>: AnyCell {
  associatedtype Value

  /// Takes a value in.
  ///
  /// - Returns: What it replaces, for the caller to release after unlocking.
  func put(_ value: Value) -> Value?

  /// The value for the next combination.
  func take() -> Value?
}

/// Keeps the latest value, for `combineLatest`.
@usableFromInline
final class LatestCell<Value>: AnyCell, Cell {
  @exclusivity(unchecked)
  @usableFromInline
  var value: Value?

  @inlinable
  override init() {
    super.init()
  }

  @inlinable
  func put(_ value: Value) -> Value? {
    let replaced = self.value
    self.value = value
    return replaced
  }

  @inlinable
  func take() -> Value? { value }

  @usableFromInline
  override var isEmpty: Bool { value == nil }
}

/// Keeps the values that wait for their counterparts, for `zip`.
@usableFromInline
final class QueueCell<Value>: AnyCell, Cell {
  @exclusivity(unchecked)
  @usableFromInline
  var values = Ring<Value>()

  @inlinable
  override init() {
    super.init()
  }

  @inlinable
  func put(_ value: Value) -> Value? {
    values.append(value)
    return nil
  }

  @inlinable
  func take() -> Value? { values.popFirst() }

  @usableFromInline
  override var isEmpty: Bool { values.isEmpty }
}

/// The sides of a combination, and how they make one value: the part that depends on how many there are.
@usableFromInline
final class Combination<Downstream: Subscriber> {
  @usableFromInline let core: JunctionCore<Downstream>
  @usableFromInline let sides: [Side]
  @usableFromInline let cells: [AnyCell]
  /// Makes a value of what the cells have; nil while one of them has nothing.
  @usableFromInline let make: () -> Downstream.Input?

  /// Whether values have come that no combination was made of and none will be: they have to be asked for again.
  @exclusivity(unchecked)
  @usableFromInline
  var hasDeficit = false

  @exclusivity(unchecked)
  @usableFromInline
  var hasFinishedSides = false

  @inlinable
  init(
    _ core: JunctionCore<Downstream>, name: String, _ cells: [AnyCell], make: @escaping () -> Downstream.Input?
  ) {
    self.core = core
    sides = core.open(name: name, sides: cells.count)
    self.cells = cells
    self.make = make
  }

  /// Takes a value of one side, and delivers the combination that it completes.
  @inlinable @inline(__always)
  func receive<C: Cell>(_ value: C.Value, into cell: C, from side: Side) {
    var replaced: C.Value?
    var combined: Downstream.Input?
    var dropped: Downstream.Input?
    var hadDeficit = false
    core.lock.withLock {
      guard side.spend(), !core.junction.isOver else { return }
      replaced = cell.put(value)
      guard let output = make() else {
        if replaced != nil {
          cell.deficit += 1
          hasDeficit = true
        }
        return
      }
      swap(&hadDeficit, &hasDeficit)
      if core.junction.offer(output, from: side, dropped: &dropped) { combined = output }
      if hasFinishedSides, isExhausted { _ = core.junction.end(.finished) }
    }
    // Both may be the last reference to an object of the user's: they go with no lock held.
    withExtendedLifetime((replaced, dropped)) {}
    if let combined { core.pass(combined, from: side, refill: false) }
    if hadDeficit { refillDeficits() }
  }

  /// Whether a side has ended with nothing left, so that no further combination can come.
  @usableFromInline
  var isExhausted: Bool {
    cells.contains { $0.isFinished && $0.isEmpty }
  }

  @usableFromInline
  func refillDeficits() {
    for (index, cell) in cells.enumerated() {
      let deficit = core.lock.withLock { () -> Int in
        defer { cell.deficit = 0 }
        return cell.deficit
      }
      core.refill(sides[index], .max(deficit))
    }
  }

  @usableFromInline
  func receive(completion: Subscribers.Completion<Downstream.Failure>, from index: Int) {
    guard sides[index].slot.end() != nil else { return }
    let effect = core.lock.withLock { () -> JunctionCore<Downstream>.Machine.Effect in
      core.openSides -= 1
      cells[index].isFinished = true
      hasFinishedSides = true
      if case .finished = completion, core.openSides > 0, !cells[index].isEmpty { return .rest }
      return core.junction.end(completion)
    }
    core.perform(effect)
  }
}

/// The subscriber of one upstream of a combination.
@usableFromInline
final class CombinationSide<C: Cell, Downstream: Subscriber>: Subscriber, CustomStringConvertible {
  @usableFromInline let combination: Combination<Downstream>
  @usableFromInline let cell: C
  @usableFromInline let index: Int
  @usableFromInline let side: Side

  @inlinable
  init(_ combination: Combination<Downstream>, _ cell: C, _ index: Int) {
    self.combination = combination
    self.cell = cell
    self.index = index
    side = combination.sides[index]
  }

  @inlinable
  func receive(subscription: any Subscription) {
    combination.core.attach(subscription, to: side)
  }

  @inlinable @inline(__always)
  func receive(_ input: C.Value) -> Subscribers.Demand {
    if side.slot.isOpen { combination.receive(input, into: cell, from: side) }
    return .none
  }

  @inlinable
  func receive(completion: Subscribers.Completion<Downstream.Failure>) {
    combination.receive(completion: completion, from: index)
  }

  @usableFromInline
  var description: String { "Side" }
}
