import Combine
import Foundation

/// A subscriber of Combine that writes down what it receives, on whatever thread.
final class CombineProbe<Input, Failure: Error>: Combine.Subscriber, @unchecked Sendable {
  private let lock = NSRecursiveLock()
  private let initial: Combine.Subscribers.Demand
  private let react: (Input, CombineProbe) -> Combine.Subscribers.Demand
  private var recorded: [Input] = []
  private var ends: [Combine.Subscribers.Completion<Failure>] = []
  private var upstreams: [any Combine.Subscription] = []

  init(
    _ initial: Combine.Subscribers.Demand = .unlimited,
    react: @escaping (Input, CombineProbe) -> Combine.Subscribers.Demand = { _, _ in .none }
  ) {
    self.initial = initial
    self.react = react
  }

  func receive(subscription: any Combine.Subscription) {
    lock.withLock { upstreams.append(subscription) }
    if initial > .none { subscription.request(initial) }
  }

  func receive(_ input: Input) -> Combine.Subscribers.Demand {
    lock.withLock { recorded.append(input) }
    return react(input, self)
  }

  func receive(completion: Combine.Subscribers.Completion<Failure>) {
    lock.withLock { ends.append(completion) }
  }

  var values: [Input] { lock.withLock { recorded } }
  var completions: [Combine.Subscribers.Completion<Failure>] { lock.withLock { ends } }
  var subscriptions: [any Combine.Subscription] { lock.withLock { upstreams } }

  func request(_ demand: Combine.Subscribers.Demand) { subscriptions.first?.request(demand) }
  func cancel() { subscriptions.first?.cancel() }

  var isFinished: Bool {
    guard completions.count == 1, case .finished = completions[0] else { return false }
    return true
  }

  var failure: Failure? {
    guard completions.count == 1, case .failure(let error) = completions[0] else { return nil }
    return error
  }
}
