import Reactive
import ReactiveTesting

/// The numbers from 0, by a place that is read in one step and moved in another.
struct CarelessSequence: Publisher {
  typealias Output = Int
  typealias Failure = Never

  let count: Int

  func receive<S: Subscriber>(subscriber: S) where S.Input == Int, S.Failure == Never {
    subscriber.receive(subscription: Link(AnySubscriber(subscriber), count: count))
  }

  private final class Link: Subscription {
    let subscriber: AnySubscriber<Int, Never>
    let count: Int
    let place = Guarded(0)

    init(_ subscriber: AnySubscriber<Int, Never>, count: Int) {
      self.subscriber = subscriber
      self.count = count
    }

    func request(_ demand: Subscribers.Demand) {
      for _ in 0..<(demand.max ?? count) {
        let next = place.value
        guard next < count else { return }
        TestThread.linger()
        place.value = next + 1
        _ = subscriber.receive(next)
        if next + 1 == count { subscriber.receive(completion: .finished) }
      }
    }

    func cancel() { place.value = count }
  }
}

/// One value: a cancel that comes beside the request keeps the value back and lets the end through.
struct CarelessJust<Failure: Error>: Publisher {
  typealias Output = Int

  func receive<S: Subscriber>(subscriber: S) where S.Input == Int, S.Failure == Failure {
    subscriber.receive(subscription: Link(AnySubscriber(subscriber)))
  }

  private final class Link: Subscription {
    let subscriber: AnySubscriber<Int, Failure>
    let isCancelled = Guarded(false)

    init(_ subscriber: AnySubscriber<Int, Failure>) {
      self.subscriber = subscriber
    }

    func request(_ demand: Subscribers.Demand) {
      guard !isCancelled.value else { return }
      TestThread.linger()
      if !isCancelled.value { _ = subscriber.receive(1) }
      subscriber.receive(completion: .finished)
    }

    func cancel() { isCancelled.value = true }
  }
}

/// A future that stores its result in one step and serves its subscribers in another.
final class CarelessFuture: Publisher {
  typealias Output = Int
  typealias Failure = Never

  private let result = Guarded<Int?>(nil)
  private let links = Guarded<[Link]>([])

  func fulfil(with value: Int) {
    result.value = value
    TestThread.linger()
    for link in links.value { link.deliver(value) }
  }

  func receive<S: Subscriber>(subscriber: S) where S.Input == Int, S.Failure == Never {
    let link = Link(self, AnySubscriber(subscriber))
    links.update { $0.append(link) }
    subscriber.receive(subscription: link)
  }

  private final class Link: Subscription {
    private let future: CarelessFuture
    private let subscriber: AnySubscriber<Int, Never>

    init(_ future: CarelessFuture, _ subscriber: AnySubscriber<Int, Never>) {
      self.future = future
      self.subscriber = subscriber
    }

    func deliver(_ value: Int) {
      _ = subscriber.receive(value)
      subscriber.receive(completion: .finished)
    }

    func request(_ demand: Subscribers.Demand) {
      if let value = future.result.value { deliver(value) }
    }

    func cancel() { future.links.value = [] }
  }
}
