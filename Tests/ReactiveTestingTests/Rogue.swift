import Reactive
import ReactiveTesting

/// A publisher that does exactly what a closure says, with no regard for rules.
struct Rogue<Output>: Publisher {
  typealias Failure = TestFailure

  let act: (AnySubscriber<Output, TestFailure>) -> Void

  func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == TestFailure {
    act(AnySubscriber(subscriber))
  }
}

/// A subscription that does exactly what closures say.
final class RogueSubscription: Subscription {
  let onRequest: (Subscribers.Demand) -> Void
  let onCancel: () -> Void

  init(onRequest: @escaping (Subscribers.Demand) -> Void = { _ in }, onCancel: @escaping () -> Void = {}) {
    self.onRequest = onRequest
    self.onCancel = onCancel
  }

  func request(_ demand: Subscribers.Demand) { onRequest(demand) }
  func cancel() { onCancel() }
}

/// Something whose life is watched through a weak reference.
final class Token {}
