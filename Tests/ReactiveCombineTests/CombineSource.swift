import Combine

/// A publisher of Combine for one subscriber, which the test drives, and which sends whatever it is told to.
final class CombineSource<Output, Failure: Error>: Combine.Publisher {
  private final class Link: Combine.Subscription {
    unowned let source: CombineSource

    init(_ source: CombineSource) {
      self.source = source
    }

    func request(_ demand: Combine.Subscribers.Demand) {
      source.requests.append(demand)
      source.onRequest(source)
    }

    func cancel() {
      source.cancels += 1
    }
  }

  private var receiveSubscription: ((any Combine.Subscription) -> Void)?
  private var receiveValue: ((Output) -> Combine.Subscribers.Demand)?
  private var receiveCompletion: ((Combine.Subscribers.Completion<Failure>) -> Void)?
  private let onRequest: (CombineSource) -> Void
  private(set) var requests: [Combine.Subscribers.Demand] = []
  private(set) var returned: [Combine.Subscribers.Demand] = []
  private(set) var cancels = 0

  init(onRequest: @escaping (CombineSource) -> Void = { _ in }) {
    self.onRequest = onRequest
  }

  func receive<S: Combine.Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
    receiveSubscription = { subscriber.receive(subscription: $0) }
    receiveValue = { subscriber.receive($0) }
    receiveCompletion = { subscriber.receive(completion: $0) }
    sendSubscription()
  }

  func sendSubscription() {
    receiveSubscription?(Link(self))
  }

  func send(_ value: Output) {
    guard let receiveValue else { return }
    let demand = receiveValue(value)
    returned.append(demand)
  }

  func send(completion: Combine.Subscribers.Completion<Failure>) {
    receiveCompletion?(completion)
  }

  /// Forgets its subscriber.
  func drop() {
    (receiveSubscription, receiveValue, receiveCompletion) = (nil, nil, nil)
  }
}

/// The numbers from one on, as many as are requested, each request served before it returns.
struct CombineNumbers: Combine.Publisher {
  typealias Output = Int
  typealias Failure = Never

  private final class Link<S: Combine.Subscriber>: Combine.Subscription where S.Input == Int, S.Failure == Never {
    private var subscriber: S?
    private var demand = Combine.Subscribers.Demand.none
    private var isServing = false
    private var next = 1

    init(_ subscriber: S) {
      self.subscriber = subscriber
    }

    func request(_ demand: Combine.Subscribers.Demand) {
      self.demand += demand
      guard !isServing else { return }
      isServing = true
      while self.demand > .none, let subscriber {
        self.demand -= 1
        next += 1
        self.demand += subscriber.receive(next - 1)
      }
      isServing = false
    }

    func cancel() {
      subscriber = nil
    }
  }

  func receive<S: Combine.Subscriber>(subscriber: S) where S.Input == Int, S.Failure == Never {
    subscriber.receive(subscription: Link(subscriber))
  }
}
