import Reactive
import ReactiveTesting

/// A subscriber that writes down what it receives, and asks for what the test says.
///
/// It takes no lock, so that ThreadSanitizer sees whether its publisher orders what it delivers.
final class Recorder<Input, Failure: Error>: Subscriber, Cancellable, CustomStringConvertible {
  private let initial: Subscribers.Demand
  private let react: (Input, Recorder) -> Subscribers.Demand
  private let turnstile = Turnstile()

  private(set) var subscription: (any Subscription)?
  private(set) var subscriptions = 0
  private(set) var values: [Input] = []
  private(set) var completions: [Subscribers.Completion<Failure>] = []

  /// Makes a recorder.
  ///
  /// - Parameters:
  ///   - initial: What it requests when it gets the subscription.
  ///   - react: Called after a value has been written down; returns further demand.
  init(
    _ initial: Subscribers.Demand = .unlimited,
    react: @escaping (Input, Recorder) -> Subscribers.Demand = { _, _ in .none }
  ) {
    self.initial = initial
    self.react = react
  }

  func receive(subscription: any Subscription) {
    subscriptions += 1
    self.subscription = subscription
    subscription.request(initial)
  }

  func receive(_ input: Input) -> Subscribers.Demand {
    write { values.append(input) }
    return react(input, self)
  }

  func receive(completion: Subscribers.Completion<Failure>) {
    write { completions.append(completion) }
  }

  /// What meets another signal is not written down: it should not have been there.
  private func write(_ note: () -> Void) {
    guard turnstile.enter() else { return }
    note()
    turnstile.leave()
  }

  func request(_ demand: Subscribers.Demand) { subscription?.request(demand) }
  func cancel() { subscription?.cancel() }

  var isFinished: Bool {
    guard completions.count == 1, case .finished = completions[0] else { return false }
    return true
  }

  var description: String { "values \(values), completions \(completions)" }
}
