import ReactiveTesting
import Retrievers

/// A repository over a number that tests change behind its back.
final class Repository {
  @Retriever var number: Int?
  var source = 0
  private(set) var fetches = 0

  init() {
    _number.toRetrieveDo { [unowned self] in
      fetches += 1
      return source
    }
  }

  var retriever: Retriever<Int?> { _number }

  func refresh() { _number.triggerUpdate() }

  /// Changes the source, then says so.
  func change(to new: Int) {
    source = new
    refresh()
  }
}

/// A subscriber that writes down what it receives, and requests what the test says.
final class Recorder<Input>: Subscriber {
  typealias Failure = Never

  private let initial: Subscribers.Demand
  var react: (Input) -> Subscribers.Demand
  private(set) var subscription: (any Subscription)?
  private(set) var values: [Input] = []
  private(set) var completions = 0
  private let turnstile = Turnstile()

  init(_ initial: Subscribers.Demand, react: @escaping (Input) -> Subscribers.Demand = { _ in .none }) {
    self.initial = initial
    self.react = react
  }

  func receive(subscription: any Subscription) {
    self.subscription = subscription
    subscription.request(initial)
  }

  func receive(_ input: Input) -> Subscribers.Demand {
    write { values.append(input) }
    return react(input)
  }

  func receive(completion: Subscribers.Completion<Never>) {
    write { completions += 1 }
  }

  /// What meets another signal is not written down: it should not have been there.
  private func write(_ note: () -> Void) {
    guard turnstile.enter() else { return }
    note()
    turnstile.leave()
  }
}

/// An object whose end runs a closure.
final class Witness {
  private let onRelease: () -> Void

  init(onRelease: @escaping () -> Void = {}) {
    self.onRelease = onRelease
  }

  deinit {
    onRelease()
  }
}
