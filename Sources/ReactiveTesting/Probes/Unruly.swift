package import Reactive

/// A publisher that hands its subscriber to a closure, with no regard for rules.
package struct Unruly<Output, Failure: Error>: Publisher {
  private let act: (AnySubscriber<Output, Failure>) -> Void

  /// Makes a publisher.
  ///
  /// - Parameter act: Does with each subscriber what it likes.
  package init(_ act: @escaping (AnySubscriber<Output, Failure>) -> Void) {
    self.act = act
  }

  package func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
    act(AnySubscriber(subscriber))
  }
}

/// A subscription that does what closures say.
package final class UnrulySubscription: Subscription {
  private let onRequest: (Subscribers.Demand) -> Void
  private let onCancel: () -> Void

  /// Makes a subscription.
  ///
  /// - Parameters:
  ///   - onRequest: What a request does.
  ///   - onCancel: What a cancel does.
  package init(onRequest: @escaping (Subscribers.Demand) -> Void = { _ in }, onCancel: @escaping () -> Void = {}) {
    self.onRequest = onRequest
    self.onCancel = onCancel
  }

  package func request(_ demand: Subscribers.Demand) { onRequest(demand) }
  package func cancel() { onCancel() }
}
