import Reactive

/// A publisher that hands its subscriber to a closure, with no regard for rules.
struct Unruly<Output, Failure: Error>: Publisher {
  let act: (AnySubscriber<Output, Failure>) -> Void

  init(_ act: @escaping (AnySubscriber<Output, Failure>) -> Void) {
    self.act = act
  }

  func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
    act(AnySubscriber(subscriber))
  }
}

/// A subscription that does what closures say.
final class UnrulySubscription: Subscription {
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
final class Witness {}
