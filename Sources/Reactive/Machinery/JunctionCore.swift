/// Runs a junction: several upstreams, one downstream, one lock that is never held while calling out.
///
/// Who finds nobody delivering delivers, and goes on until the junction rests; so signals do not overlap, do not nest,
/// and keep their order. `replenish` says what the sides are asked for as values leave.
@usableFromInline
final class JunctionCore<Downstream: Subscriber>: @unchecked Sendable {
  // Sendable: everything mutable is touched under the lock only.
  @usableFromInline typealias Effect = Junction<Downstream.Input, Downstream.Failure>.Effect

  /// How demand reaches the sides.
  @usableFromInline
  enum Replenishing {
    /// One value at a time from each side, another one when it has left; everything once downstream wants everything.
    case oneByOne
    /// What downstream asks for, from every side.
    case inStep
  }

  @usableFromInline let lock = Lock()
  @usableFromInline let downstream: Downstream

  @exclusivity(unchecked)
  @usableFromInline
  var junction: Junction<Downstream.Input, Downstream.Failure>

  @exclusivity(unchecked)
  @usableFromInline
  var sides: [SideState] = []

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
  @usableFromInline
  func open(name: String, sides count: Int) {
    let subscription = JunctionSubscription(
      name: name, request: { self.request($0) }, cancel: { self.cancel() })
    self.subscription = subscription
    sides = (0..<count).map { _ in SideState() }
    openSides = count
    downstream.receive(subscription: subscription)
  }

  // MARK: From upstream

  /// Takes the subscription of a side, and requests from it what is due.
  @usableFromInline
  func attach(_ upstream: any Subscription, to side: Int) {
    let state = sides[side]
    guard state.slot.take(upstream) else { return }
    let due = lock.withLock { () -> Subscribers.Demand? in
      guard !junction.isOver else { return nil }
      state.isAttached = true
      switch replenishing {
      case .oneByOne: state.allowance = junction.demand.isUnlimited ? .unlimited : .max(1)
      case .inStep: state.allowance = junction.demand
      }
      return state.allowance
    }
    if let due {
      state.slot.request(due)
    } else {
      state.slot.cancel()
    }
  }

  /// Takes a value that stands for an output as it is.
  @inlinable @inline(__always)
  func receive(_ output: Downstream.Input, from side: Int) -> Subscribers.Demand {
    let state = sides[side]
    var isUnlimited = true
    var dropped: Downstream.Input?
    let delivers = lock.withLock {
      guard state.spend() else { return false }
      isUnlimited = state.allowance.isUnlimited
      return junction.offer(output, from: side, dropped: &dropped)
    }
    guard delivers else { return .none }
    pass(output, from: side, refill: !isUnlimited)
    return .none
  }

  /// Delivers a value, and whatever the junction says comes next.
  @inlinable @inline(__always)
  func pass(_ output: Downstream.Input, from side: Int, refill: Bool) {
    let more = downstream.receive(output)
    if refill || more > .none { refillSides(side, more) }
    let effect = lock.withLock { junction.next(more) }
    if case .rest = effect { return }
    perform(effect)
  }

  /// Asks the sides for more after a value from one of them has left.
  @usableFromInline
  func refillSides(_ side: Int, _ more: Subscribers.Demand) {
    switch replenishing {
    case .oneByOne:
      refill(side...side, .max(1))
      if more.isUnlimited { refill(sides.indices, .unlimited) }
    case .inStep:
      refill(sides.indices, more)
    }
  }

  @usableFromInline
  func refill<Sides: Swift.Sequence<Int>>(_ indices: Sides, _ demand: Subscribers.Demand) {
    guard demand > .none else { return }
    for side in indices {
      let isDue = lock.withLock { sides[side].raise(demand) && !junction.isOver }
      if isDue { sides[side].slot.request(demand) }
    }
  }

  @usableFromInline
  func perform(_ first: Effect) {
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
  @usableFromInline
  func receive(completion: Subscribers.Completion<Downstream.Failure>, from side: Int) {
    guard sides[side].slot.end() != nil else { return }
    let effect = lock.withLock { () -> Effect in
      openSides -= 1
      if case .finished = completion, openSides > 0 { return .rest }
      return junction.end(completion)
    }
    perform(effect)
  }

  // MARK: From downstream

  func request(_ demand: Subscribers.Demand) {
    switch replenishing {
    case .oneByOne:
      perform(lock.withLock { junction.request(demand) })
      if demand.isUnlimited { refill(sides.indices, .unlimited) }
    case .inStep:
      // What a side is asked for and whether it is attached are decided together: it is asked here or when it attaches.
      let due = lock.withLock {
        junction.allow(demand)
        return sides.indices.filter { sides[$0].raise(demand) }
      }
      for side in due { sides[side].slot.request(demand) }
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
    for side in sides { side.slot.cancel() }
    var released = Ring<(output: Downstream.Input, side: Int)>()
    lock.withLock { swap(&released, &junction.backlog) }
  }
}

/// What a junction knows about one of its upstreams.
@usableFromInline
final class SideState {
  @usableFromInline let slot = SubscriptionSlot(name: nil)

  /// How many values may still come; touched under the junction's lock.
  @exclusivity(unchecked)
  @usableFromInline
  var allowance = Subscribers.Demand.none

  @exclusivity(unchecked)
  @usableFromInline
  var isAttached = false

  @usableFromInline
  init() {}

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
    take()?.cancel()
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
