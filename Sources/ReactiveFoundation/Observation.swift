public import Reactive

/// The subscription of one subscriber to something that calls an observer: a link to the values, and what removes the
/// observer.
@usableFromInline
package final class Observation: Subscription, CustomStringConvertible, @unchecked Sendable {
  // Sendable: the slot is, and the closure is touched under the lock only.
  @usableFromInline let slot: SubscriptionSlot

  private let lock = Lock()
  private var stop: (() -> Void)?

  /// Makes the subscription of an observer that has been added.
  ///
  /// - Parameters:
  ///   - name: How it describes itself.
  ///   - stop: Removes the observer; called once, at the cancel.
  init(name: String, stop: @escaping () -> Void) {
    slot = SubscriptionSlot(name: name)
    self.stop = stop
  }

  @usableFromInline
  package func request(_ demand: Subscribers.Demand) {
    slot.request(demand)
  }

  @usableFromInline
  package func cancel() {
    slot.cancel()
    let stop = lock.withLock {
      defer { self.stop = nil }
      return self.stop
    }
    stop?()
  }

  @usableFromInline
  package var description: String { slot.description }
}

/// Puts the subscription that knows the observer in the place of the one that does not.
@usableFromInline
struct ObservingSubscriber<Downstream: Subscriber>: Subscriber {
  @usableFromInline let observation: Observation
  @usableFromInline let downstream: Downstream

  @inlinable
  init(_ observation: Observation, _ downstream: Downstream) {
    self.observation = observation
    self.downstream = downstream
  }

  @usableFromInline
  var combineIdentifier: CombineIdentifier { downstream.combineIdentifier }

  @inlinable
  func receive(subscription: any Subscription) {
    guard observation.slot.take(subscription) else { return }
    downstream.receive(subscription: observation)
  }

  @inlinable @inline(__always)
  func receive(_ input: Downstream.Input) -> Subscribers.Demand {
    downstream.receive(input)
  }

  @inlinable
  func receive(completion: Subscribers.Completion<Downstream.Failure>) {
    downstream.receive(completion: completion)
  }
}
