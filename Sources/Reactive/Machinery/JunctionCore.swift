/// Runs a junction: several upstreams, one downstream, one lock that is never held while calling out.
///
/// Who finds nobody delivering delivers, and goes on until the junction rests; so signals do not overlap, do not nest,
/// and keep their order. Sides may come and go.
@usableFromInline
final class JunctionCore<Downstream: Subscriber>: @unchecked Sendable {
  // Sendable: everything mutable is touched under the lock only.
  @usableFromInline typealias Machine = Junction<Downstream.Input, Downstream.Failure, Side>

  /// How demand reaches the sides.
  @usableFromInline
  enum Replenishing {
    /// One value at a time from each side, another one when it has left; everything once downstream wants everything.
    case oneByOne
    /// What downstream asks for, from every side.
    case inStep
    /// Another one for each value that has left, whatever downstream asks for.
    case refilling
    /// Nothing after the first request.
    case alone
  }

  @usableFromInline let lock = Lock()
  @usableFromInline let downstream: Downstream

  @exclusivity(unchecked)
  @usableFromInline
  var junction: Machine

  @exclusivity(unchecked)
  @usableFromInline
  var sides: [Side] = []

  /// How many sides have not completed.
  @exclusivity(unchecked)
  @usableFromInline
  var openSides = 0

  private let replenishing: Replenishing
  private weak var subscription: JunctionSubscription?

  @usableFromInline
  init(_ downstream: Downstream, _ replenishing: Replenishing, conflates: Bool = false) {
    self.downstream = downstream
    self.replenishing = replenishing
    junction = Junction(conflates: conflates)
  }

  /// Gives downstream its subscription; the sides are attached afterwards, so nothing can come before it.
  ///
  /// - Returns: The sides.
  @usableFromInline
  func open(name: String, sides count: Int) -> [Side] {
    let subscription = JunctionSubscription(name: name, request: { self.request($0) }, cancel: { self.cancel() })
    self.subscription = subscription
    let sides = (0..<count).map { Side(index: $0) }
    self.sides = sides
    openSides = count
    downstream.receive(subscription: subscription)
    return sides
  }

  /// Adds a side while the others run.
  ///
  /// - Parameter replacing: A side that goes for it: what still waits from it is dropped, and its values are refused.
  /// - Returns: The side; nil when the stream has ended.
  @usableFromInline
  func addSide(replacing old: Side? = nil) -> Side? {
    let side = Side(index: 0)
    var dropped = Ring<(output: Downstream.Input, side: Side)>()
    let isAdded = lock.withLock {
      guard !junction.isOver else { return false }
      if let old {
        if old.index >= 0 { openSides -= 1 }
        remove(old)
        old.allowance = .none
        swap(&dropped, &junction.backlog)
      }
      side.index = sides.count
      sides.append(side)
      openSides += 1
      return true
    }
    old?.slot.cancel()
    return isAdded ? side : nil
  }

  /// Takes a side that has ended out of the list; the last one takes its place.
  private func remove(_ side: Side) {
    guard side.index >= 0, let last = sides.popLast() else { return }
    if last !== side {
      sides[side.index] = last
      last.index = side.index
    }
    side.index = -1
  }

  // MARK: From upstream

  /// Takes the subscription of a side, and requests from it what is due.
  ///
  /// - Parameter first: What to request, if that does not follow from downstream's demand.
  @usableFromInline
  func attach(_ upstream: any Subscription, to side: Side, requesting first: Subscribers.Demand? = nil) {
    guard side.slot.take(upstream) else { return }
    let due = lock.withLock { () -> Subscribers.Demand? in
      guard !junction.isOver else { return nil }
      side.isAttached = true
      let usual = replenishing == .inStep || junction.demand.isUnlimited ? junction.demand : .max(1)
      side.allowance = first ?? usual
      return side.allowance
    }
    if let due {
      side.slot.request(due)
    } else {
      side.slot.cancel()
    }
  }

  /// Takes a value that stands for an output as it is.
  @inlinable @inline(__always)
  func receive(_ output: Downstream.Input, from side: Side) {
    var isUnlimited = true
    var dropped: Downstream.Input?
    let delivers = lock.withLock {
      guard side.spend() else { return false }
      isUnlimited = side.allowance.isUnlimited
      return junction.offer(output, from: side, dropped: &dropped)
    }
    if delivers { pass(output, from: side, refill: !isUnlimited) }
  }

  /// Delivers a value, and whatever the junction says comes next.
  @inlinable @inline(__always)
  func pass(_ output: Downstream.Input, from side: Side, refill: Bool) {
    let more = downstream.receive(output)
    if refill || more > .none { refillSides(side, more) }
    let effect = lock.withLock { junction.next(more) }
    if case .rest = effect { return }
    perform(effect)
  }

  /// Asks the sides for more after a value from one of them has left.
  @usableFromInline
  func refillSides(_ side: Side, _ more: Subscribers.Demand) {
    switch replenishing {
    case .oneByOne:
      if more.isUnlimited {
        refillAll(.unlimited)
      } else {
        refill(side, .max(1))
      }
    case .inStep:
      if more > .none { refillAll(more) }
    case .refilling:
      refill(side, .max(1))
    case .alone:
      break
    }
  }

  @usableFromInline
  func refill(_ side: Side, _ demand: Subscribers.Demand) {
    guard demand > .none else { return }
    let isDue = lock.withLock { !junction.isOver && side.raise(demand) }
    if isDue { side.slot.request(demand) }
  }

  private func refillAll(_ demand: Subscribers.Demand) {
    let due = lock.withLock { junction.isOver ? [] : sides.filter { $0.raise(demand) } }
    for side in due { side.slot.request(demand) }
  }

  @usableFromInline
  func perform(_ first: Machine.Effect) {
    var effect = first
    while true {
      switch effect {
      case .rest: return
      case .deliver(let output, let side):
        let more = downstream.receive(output)
        refillSides(side, more)
        effect = lock.withLock { junction.next(more) }
      case .end(let completion):
        finish()
        downstream.receive(completion: completion)
        return
      }
    }
  }

  /// Takes the completion of a side; the stream ends when no side is open, and with the first failure.
  ///
  /// - Returns: Whether the side was still listened to.
  @usableFromInline
  @discardableResult
  func receive(completion: Subscribers.Completion<Downstream.Failure>, from side: Side) -> Bool {
    guard side.slot.end() != nil else { return false }
    let effect = lock.withLock { () -> Machine.Effect in
      guard side.index >= 0 else { return .rest }
      remove(side)
      openSides -= 1
      if case .finished = completion, openSides > 0 { return .rest }
      return junction.end(completion)
    }
    perform(effect)
    return true
  }

  /// Ends the stream, whatever the sides do.
  @usableFromInline
  func end(_ completion: Subscribers.Completion<Downstream.Failure>) {
    perform(lock.withLock { junction.end(completion) })
  }

  // MARK: From downstream

  func request(_ demand: Subscribers.Demand) {
    switch replenishing {
    case .oneByOne, .refilling, .alone:
      perform(lock.withLock { junction.request(demand) })
      if replenishing == .oneByOne, demand.isUnlimited { refillAll(.unlimited) }
    case .inStep:
      // What a side is asked for and whether it is attached are decided together: it is asked here or when it attaches.
      let due = lock.withLock {
        junction.allow(demand)
        return sides.filter { $0.raise(demand) }
      }
      for side in due { side.slot.request(demand) }
      // What has waited goes last: what the sides have just sent is newer.
      perform(lock.withLock { junction.request(.none) })
    }
  }

  func cancel() {
    lock.withLock { junction.isOver = true }
    finish()
  }

  /// Cancels every side that is still open, and lets go of what waits.
  private func finish() {
    subscription?.close()
    var released = (sides: [Side](), backlog: Ring<(output: Downstream.Input, side: Side)>())
    lock.withLock {
      swap(&released.sides, &sides)
      swap(&released.backlog, &junction.backlog)
    }
    for side in released.sides { side.slot.cancel() }
  }
}

/// One of the upstreams of a junction.
@usableFromInline
final class Side {
  @usableFromInline let slot = SubscriptionSlot(name: nil)

  /// Where it stands in the list of sides; negative when it has ended.
  ///
  /// Like the rest, it is touched under the junction's lock.
  @exclusivity(unchecked)
  @usableFromInline
  var index: Int

  /// How many values may still come.
  @exclusivity(unchecked)
  @usableFromInline
  var allowance = Subscribers.Demand.none

  /// Whether upstream is there, and is asked for what the junction needs.
  @exclusivity(unchecked)
  @usableFromInline
  var isAttached = false

  @usableFromInline
  init(index: Int) {
    self.index = index
  }

  /// Allows more values.
  ///
  /// - Returns: Whether upstream is there to be asked for them, and not yet for everything.
  @usableFromInline
  func raise(_ demand: Subscribers.Demand) -> Bool {
    guard isAttached, !allowance.isUnlimited else { return false }
    allowance += demand
    return true
  }

  /// Counts a value that has come.
  ///
  /// - Returns: Whether it was asked for.
  @inlinable
  func spend() -> Bool {
    guard allowance > .none else { return false }
    allowance -= 1
    return true
  }
}

/// The subscriber of one upstream of a junction whose values go downstream as they are.
@usableFromInline
final class SideConduit<Downstream: Subscriber>: Subscriber, CustomStringConvertible {
  @usableFromInline let core: JunctionCore<Downstream>
  @usableFromInline let side: Side
  private let ended: (() -> Void)?

  /// Makes the subscriber.
  ///
  /// - Parameter ended: Called when this upstream has finished, after the junction knows.
  @usableFromInline
  init(_ core: JunctionCore<Downstream>, _ side: Side, ended: (() -> Void)? = nil) {
    self.core = core
    self.side = side
    self.ended = ended
  }

  @inlinable
  func receive(subscription: any Subscription) {
    core.attach(subscription, to: side)
  }

  @inlinable @inline(__always)
  func receive(_ input: Downstream.Input) -> Subscribers.Demand {
    if side.slot.isOpen { core.receive(input, from: side) }
    return .none
  }

  @usableFromInline
  func receive(completion: Subscribers.Completion<Downstream.Failure>) {
    if core.receive(completion: completion, from: side), case .finished = completion { ended?() }
  }

  @usableFromInline
  var description: String { "Side" }
}

/// The subscription of an operator with several sources; it drops the operator at the end and on cancel.
@usableFromInline
final class JunctionSubscription: Subscription, CustomStringConvertible, @unchecked Sendable {
  // Sendable: the actions are touched under the lock only, and may be called from any thread.
  private let lock = Lock()
  private let name: String
  private var actions: (request: (Subscribers.Demand) -> Void, cancel: () -> Void)?

  @usableFromInline
  init(name: String, request: @escaping (Subscribers.Demand) -> Void, cancel: @escaping () -> Void) {
    self.name = name
    actions = (request, cancel)
  }

  @usableFromInline
  func request(_ demand: Subscribers.Demand) {
    guard demand > .none else { return }
    lock.withLock { actions }?.request(demand)
  }

  @usableFromInline
  func cancel() {
    // Taken only afterwards: a second caller must not find nothing to do, and return, ahead of the effect.
    lock.withLock { actions }?.cancel()
    close()
  }

  /// Drops the operator: the stream has ended.
  func close() {
    withExtendedLifetime(take()) { _ in }
  }

  private func take() -> (request: (Subscribers.Demand) -> Void, cancel: () -> Void)? {
    lock.withLock {
      defer { actions = nil }
      return actions
    }
  }

  @usableFromInline
  var description: String { name }
}
