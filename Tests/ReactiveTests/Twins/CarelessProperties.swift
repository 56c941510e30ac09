import Reactive
import ReactiveTesting

/// A list that is cleared in one step and stored in another.
final class CarelessList: Sendable {
  private let stored = Guarded([1])

  var value: [Int] { stored.value }

  func append(_ element: Int) {
    let new = stored.value + [element]
    stored.value = []
    TestThread.linger()
    stored.value = new
  }
}

/// A subscriber that cancels when its owner goes, or at a value that comes after that: it looks, and then acts.
final class CarelessFeed: Subscriber, Sendable {
  private let latch = CarelessLatch()
  private let isOrphaned = Guarded(false)
  private let subscription = Guarded<(any Subscription)?>(nil)

  func receive(subscription: any Subscription) {
    self.subscription.value = subscription
    subscription.request(.unlimited)
  }

  func receive(_ input: Int) -> Subscribers.Demand {
    if isOrphaned.value { stop() }
    return .none
  }

  func receive(completion: Subscribers.Completion<Never>) { _ = latch.claim() }

  /// The owner has gone.
  func orphan() {
    isOrphaned.value = true
    stop()
  }

  /// The owner has gone, and takes some turns over it.
  func orphanSlowly() async {
    isOrphaned.value = true
    guard !latch.isClaimed else { return }
    for _ in 0..<8 { await Task.yield() }
    subscription.value?.cancel()
  }

  private func stop() {
    if latch.claim() { subscription.value?.cancel() }
  }
}

/// The publishers of objects, with the last answer kept in two steps: the object, then its publisher.
final class CarelessTable: Sendable {
  private let publishers = Guarded<[Int: ObservableObjectPublisher]>([:])
  private let last = Guarded(ObservableObjectPublisher())
  private let lastObject = Guarded(-1)

  func publisher(of object: Int) -> ObservableObjectPublisher {
    if lastObject.value == object { return last.value }
    let publisher = publishers.update { publishers in
      let publisher = publishers[object] ?? ObservableObjectPublisher()
      publishers[object] = publisher
      return publisher
    }
    lastObject.value = object
    TestThread.linger()
    last.value = publisher
    return publisher
  }
}
