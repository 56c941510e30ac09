import Foundation
import Reactive

/// A publisher that a test drives by hand: it sends what it is told to, asked or not, and counts what it is asked for.
final class ManualPublisher<Output, Failure: Error>: Publisher, @unchecked Sendable {
  private struct State {
    var deliver: ((Output) -> Subscribers.Demand)?
    var complete: ((Subscribers.Completion<Failure>) -> Void)?
    var subscribe: ((any Subscription) -> Void)?
    var requests: [Subscribers.Demand] = []
    var cancels = 0
    var subscribers = 0
    var answer: ((ManualPublisher) -> Void)?
  }

  private final class Link: Subscription {
    let source: ManualPublisher

    init(_ source: ManualPublisher) {
      self.source = source
    }

    func request(_ demand: Subscribers.Demand) {
      let answer = source.lock.withLock {
        source.state.requests.append(demand)
        return source.state.answer
      }
      answer?(source)
    }

    func cancel() {
      source.lock.withLock { source.state.cancels += 1 }
    }
  }

  private let lock = NSLock()
  private var state = State()
  private let subscribes: Bool

  /// Makes a publisher.
  ///
  /// - Parameter subscribes: Whether a subscriber gets its subscription at once.
  init(subscribes: Bool = true) {
    self.subscribes = subscribes
  }

  var requests: [Subscribers.Demand] { lock.withLock { state.requests } }
  var demand: Subscribers.Demand { requests.reduce(.none, +) }
  var subscribers: Int { lock.withLock { state.subscribers } }
  var cancels: Int { lock.withLock { state.cancels } }

  /// What it does when it is asked for something.
  var answer: ((ManualPublisher) -> Void)? {
    get { lock.withLock { state.answer } }
    set { lock.withLock { state.answer = newValue } }
  }

  func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
    lock.withLock {
      state.subscribers += 1
      state.deliver = { subscriber.receive($0) }
      state.complete = { subscriber.receive(completion: $0) }
      state.subscribe = { subscriber.receive(subscription: $0) }
    }
    if subscribes { subscribeLate() }
  }

  /// Sends the subscriber a subscription.
  func subscribeLate() {
    lock.withLock { state.subscribe }?(Link(self))
  }

  func send(_ value: Output) {
    _ = lock.withLock { state.deliver }?(value)
  }

  func send(completion: Subscribers.Completion<Failure>) {
    lock.withLock { state.complete }?(completion)
  }

  /// Lets go of the subscriber without a word.
  func letGo() {
    let old = lock.withLock {
      defer { (state.deliver, state.complete, state.subscribe) = (nil, nil, nil) }
      return state
    }
    withExtendedLifetime(old) {}
  }
}
