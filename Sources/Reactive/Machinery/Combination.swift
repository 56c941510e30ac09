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

/// How values are combined, and what the operator calls itself.
@usableFromInline
protocol CombinationRule {
  static var name: String { get }
  /// Whether a value serves until a newer one comes; otherwise it serves once, and waits for its counterparts.
  static var keepsLatest: Bool { get }
}

/// The rule of `combineLatest`.
@usableFromInline
enum LatestValues: CombinationRule {
  @inlinable static var name: String { "CombineLatest" }
  @inlinable static var keepsLatest: Bool { true }
}

/// The rule of `zip`.
@usableFromInline
enum EqualPositions: CombinationRule {
  @inlinable static var name: String { "Zip" }
  @inlinable static var keepsLatest: Bool { false }
}

/// What a side of a combination keeps its values in.
@usableFromInline
final class Cell<Value, Rule: CombinationRule>: AnyCell {
  @exclusivity(unchecked)
  @usableFromInline
  var latest: Value?

  @exclusivity(unchecked)
  @usableFromInline
  var waiting = Ring<Value>()

  @inlinable
  override init() {
    super.init()
  }

  @inlinable
  var hasValue: Bool { Rule.keepsLatest ? latest != nil : !waiting.isEmpty }

  /// Takes a value in.
  ///
  /// - Returns: What it replaces, for the caller to release after unlocking.
  @inlinable
  func put(_ value: Value) -> Value? {
    guard Rule.keepsLatest else {
      waiting.append(value)
      return nil
    }
    let replaced = latest
    latest = value
    return replaced
  }

  /// The value for the next combination.
  @inlinable
  func take() -> Value? { Rule.keepsLatest ? latest : waiting.popFirst() }

  @usableFromInline
  override var isEmpty: Bool { !hasValue }
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
  init<Rule: CombinationRule>(
    _ rule: Rule.Type, _ downstream: Downstream, _ cells: [AnyCell], make: @escaping () -> Downstream.Input?
  ) {
    core = JunctionCore(downstream, .inStep, conflates: Rule.keepsLatest)
    sides = core.open(name: Rule.name, sides: cells.count)
    self.cells = cells
    self.make = make
  }

  /// Takes a value of one side, and delivers the combination that it completes.
  @inlinable @inline(__always)
  func receive<Value, Rule>(_ value: Value, into cell: Cell<Value, Rule>, from side: Side) {
    var replaced: Value?
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
    // Each may be the last reference to an object of the user's: they go with no lock held.
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
final class CombinationSide<Input, Rule: CombinationRule, Downstream: Subscriber>: Subscriber, CustomStringConvertible {
  @usableFromInline let combination: Combination<Downstream>
  @usableFromInline let cell: Cell<Input, Rule>
  @usableFromInline let index: Int
  @usableFromInline let side: Side

  @inlinable
  init(_ combination: Combination<Downstream>, _ cell: Cell<Input, Rule>, _ index: Int) {
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
  func receive(_ input: Input) -> Subscribers.Demand {
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

/// Attaches a subscriber to two publishers whose values are combined.
@inlinable @inline(__always)
func combine<Rule: CombinationRule, S: Subscriber, A: Publisher, B: Publisher>(
  _ rule: Rule.Type, _ a: A, _ b: B, for subscriber: S
) where S.Input == (A.Output, B.Output), A.Failure == S.Failure, B.Failure == S.Failure {
  let (first, second) = (Cell<A.Output, Rule>(), Cell<B.Output, Rule>())
  let combination = Combination(rule, subscriber, [first, second]) {
    guard first.hasValue, second.hasValue, let a = first.take(), let b = second.take() else { return nil }
    return (a, b)
  }
  a.receive(subscriber: CombinationSide(combination, first, 0))
  b.receive(subscriber: CombinationSide(combination, second, 1))
}

/// Attaches a subscriber to three publishers whose values are combined.
@inlinable @inline(__always)
func combine<Rule: CombinationRule, S: Subscriber, A: Publisher, B: Publisher, C: Publisher>(
  _ rule: Rule.Type, _ a: A, _ b: B, _ c: C, for subscriber: S
)
where
  S.Input == (A.Output, B.Output, C.Output), A.Failure == S.Failure, B.Failure == S.Failure, C.Failure == S.Failure
{
  let (first, second, third) = (Cell<A.Output, Rule>(), Cell<B.Output, Rule>(), Cell<C.Output, Rule>())
  let combination = Combination(rule, subscriber, [first, second, third]) {
    guard first.hasValue, second.hasValue, third.hasValue,
      let a = first.take(), let b = second.take(), let c = third.take()
    else { return nil }
    return (a, b, c)
  }
  a.receive(subscriber: CombinationSide(combination, first, 0))
  b.receive(subscriber: CombinationSide(combination, second, 1))
  c.receive(subscriber: CombinationSide(combination, third, 2))
}

/// Attaches a subscriber to four publishers whose values are combined.
@inlinable @inline(__always)
func combine<Rule: CombinationRule, S: Subscriber, A: Publisher, B: Publisher, C: Publisher, D: Publisher>(
  _ rule: Rule.Type, _ a: A, _ b: B, _ c: C, _ d: D, for subscriber: S
)
where
  S.Input == (A.Output, B.Output, C.Output, D.Output), A.Failure == S.Failure, B.Failure == S.Failure,
  C.Failure == S.Failure, D.Failure == S.Failure
{
  let (first, second) = (Cell<A.Output, Rule>(), Cell<B.Output, Rule>())
  let (third, fourth) = (Cell<C.Output, Rule>(), Cell<D.Output, Rule>())
  let combination = Combination(rule, subscriber, [first, second, third, fourth]) {
    guard first.hasValue, second.hasValue, third.hasValue, fourth.hasValue,
      let a = first.take(), let b = second.take(), let c = third.take(), let d = fourth.take()
    else { return nil }
    return (a, b, c, d)
  }
  a.receive(subscriber: CombinationSide(combination, first, 0))
  b.receive(subscriber: CombinationSide(combination, second, 1))
  c.receive(subscriber: CombinationSide(combination, third, 2))
  d.receive(subscriber: CombinationSide(combination, fourth, 3))
}
