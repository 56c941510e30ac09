/// The subscription of a source that produces values when asked: one loop at a time, however and wherever `request`
/// is called.
///
/// The loop is a closure made where the subscriber's type is known. A request that comes while it runs, from inside a
/// delivery or from another thread, only adds demand; so a million values one by one need no stack.
@usableFromInline
final class ColdSubscription: Subscription, CustomStringConvertible, @unchecked Sendable {
  // Sendable: the ledger is atomic, the loop is touched under the lock only, and one thread at a time runs it.
  @usableFromInline
  let ledger = DemandLedger()

  private let lock = Lock()
  /// The loop, and its label; released with the end, so that a subscription that is kept keeps nothing else.
  @exclusivity(unchecked)
  private var run: ((ColdSubscription) -> Void)?
  @exclusivity(unchecked)
  private var label: Any?
  private let endedLabel: String

  /// Makes the subscription of a source.
  ///
  /// - Parameters:
  ///   - label: What the subscription's description shows while it is active.
  ///   - endedLabel: What it shows afterwards.
  ///   - run: Delivers until `ledger.takeOrRest()` gives nothing more.
  @usableFromInline
  init(label: Any, endedLabel: String, run: @escaping (ColdSubscription) -> Void) {
    self.run = run
    self.label = label
    self.endedLabel = endedLabel
  }

  @usableFromInline
  func request(_ demand: Subscribers.Demand) {
    guard demand > .none else { return }
    let old = ledger.add(demand, marking: DemandLedger.busy)
    guard old & (DemandLedger.busy | DemandLedger.closed) == 0 else { return }
    lock.withLock { run }?(self)
  }

  @usableFromInline
  func cancel() {
    _ = end()
  }

  /// Ends the subscription and lets go of the loop.
  ///
  /// - Returns: Whether this call did it; a source that reaches its end then sends the completion.
  @usableFromInline
  func end() -> Bool {
    guard ledger.close() else { return false }
    var loop: ((ColdSubscription) -> Void)?
    var elements: Any?
    lock.withLock {
      swap(&loop, &run)
      swap(&elements, &label)
    }
    // What the loop has captured is released here, outside the lock.
    withExtendedLifetime(loop) {}
    withExtendedLifetime(elements) {}
    return true
  }

  @usableFromInline
  var description: String {
    lock.withLock { label }.map { String(describing: $0) } ?? endedLabel
  }
}

/// Delivers one value at the first request, then finishes.
@inlinable @inline(__always)
func deliverOnce<S: Subscriber>(_ value: S.Input, label: String, to subscriber: S) {
  let single = Single(value)
  subscriber.receive(
    subscription: ColdSubscription(label: label, endedLabel: label) { subscription in
      guard subscription.ledger.takeOrRest() > .none else { return }
      _ = subscriber.receive(single.value)
      if subscription.end() { subscriber.receive(completion: .finished) }
    })
}

/// One value.
///
/// A closure that captures a bare value of this type crashes the compiler (Swift 6.3.1).
@usableFromInline
final class Single<Value> {
  @usableFromInline let value: Value

  @inlinable
  init(_ value: Value) {
    self.value = value
  }
}

/// Sends a subscription without function, then the completion.
@inlinable @inline(__always)
func deliverCompletion<S: Subscriber>(_ completion: Subscribers.Completion<S.Failure>, to subscriber: S) {
  // The subscriber may cancel what it gets first, and then wants no completion.
  let subscription = EmptySubscription()
  subscriber.receive(subscription: subscription)
  if subscription.end() { subscriber.receive(completion: completion) }
}
