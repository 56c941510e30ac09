import Dispatch
import Reactive
import Synchronization
import Testing

@Suite struct DifferencesTests {
  @Test func `a request for nothing does nothing`() {
    var values: [Int] = []
    let subject = PassthroughSubject<Int, Never>()
    for publisher in [Just(1).eraseToAnyPublisher(), subject.eraseToAnyPublisher()] {
      let subscriber = Peer<Int, Never>(.none) { values.append($0) }
      publisher.subscribe(subscriber)
      subscriber.subscription?.request(.none)
    }
    subject.send(2)
    #expect(values.isEmpty)
  }

  @Test func `a send inside a delivery is queued, and everybody sees one order`() {
    let subject = PassthroughSubject<Int, Never>()
    var first: [Int] = []
    var second: [Int] = []
    let tokens = [
      subject.sink { value in
        if value == 1 { subject.send(2) }
        first.append(value)
      },
      subject.sink { second.append($0) },
    ]
    subject.send(1)
    #expect(first == [1, 2] && second == [1, 2])
    withExtendedLifetime(tokens) {}
  }

  @Test func `a send during the delivery of another thread leaves the value to that thread`() {
    let subject = PassthroughSubject<Int, Never>()
    let (isDelivering, mayGoOn, isDone) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0), DispatchGroup())
    let values = Mutex<[Int]>([])
    let token = subject.sink { value in
      if value == 1 {
        isDelivering.signal()
        mayGoOn.wait()
      }
      values.withLock { $0.append(value) }
    }
    DispatchQueue.global().async(group: isDone) { subject.send(1) }
    isDelivering.wait()
    subject.send(2)
    #expect(values.withLock { $0 }.isEmpty)
    mayGoOn.signal()
    isDone.wait()
    #expect(values.withLock { $0 } == [1, 2])
    withExtendedLifetime(token) {}
  }

  @Test func `a subscription that arrives after the cancel is cancelled`() {
    let sink = Subscribers.Sink<Int, Never>(receiveCompletion: { _ in }, receiveValue: { _ in })
    let subscription = Ticket()
    sink.cancel()
    sink.receive(subscription: subscription)
    #expect(subscription.cancels == 1)
  }

  @Test func `a value before the subscription is dropped`() {
    var values: [Int] = []
    let rogue = Rogue<Int, Never> { subscriber in
      _ = subscriber.receive(1)
      subscriber.receive(subscription: Ticket())
      _ = subscriber.receive(2)
    }
    let token = rogue.sink { values.append($0) }
    #expect(values == [2])
    withExtendedLifetime(token) {}
  }

  @Test func `a value after the completion is dropped`() {
    var values: [Int] = []
    var completions = 0
    let rogue = Rogue<Int, Never> { subscriber in
      subscriber.receive(subscription: Ticket())
      subscriber.receive(completion: .finished)
      _ = subscriber.receive(1)
      subscriber.receive(completion: .finished)
    }
    rogue.map { $0 }.subscribe(Peer(.unlimited, received: { values.append($0) }, completed: { completions += 1 }))
    #expect(values.isEmpty && completions == 1)
  }

  @Test func `nothing passes an operator that has failed`() {
    struct Refusal: Error {}
    var values: [Int] = []
    var completions = 0
    let rogue = Rogue<Int, Never> { subscriber in
      subscriber.receive(subscription: Ticket())
      for value in 1...4 { _ = subscriber.receive(value) }
    }
    rogue
      .tryMap { value in
        guard value != 2 else { throw Refusal() }
        return value
      }
      .subscribe(Peer(.unlimited, received: { values.append($0) }, completed: { completions += 1 }))
    #expect(values == [1] && completions == 1)
  }

  @Test func `a second subscription is cancelled`() {
    let (first, second) = (Ticket(), Ticket())
    let subject = PassthroughSubject<Int, Never>()
    let subscriber = AnySubscriber(subject)
    subscriber.receive(subscription: first)
    subscriber.receive(subscription: second)
    #expect(first.cancels == 0 && second.cancels == 1)
  }

  @Test func `the end of an empty result needs no demand`() {
    var completions = 0
    Empty<Int, Never>().min().subscribe(Peer(.none, completed: { completions += 1 }))
    #expect(completions == 1)
  }

  @Test func `a cancel inside the last value stops the completion`() {
    var completions = 0
    let peer = Peer<Int, Never>(.unlimited, completed: { completions += 1 })
    peer.received = { [unowned peer] value in if value == 3 { peer.subscription?.cancel() } }
    [1, 2, 3].publisher.subscribe(peer)
    #expect(completions == 0)
  }

  @Test func `a cancel inside the subscription stops the completion`() {
    var completions = 0
    let peer = Peer<Int, Never>(.none, completed: { completions += 1 }, subscribed: { $0.cancel() })
    Empty<Int, Never>().subscribe(peer)
    #expect(completions == 0)
  }

  @Test func `demand minus more than it is none`() {
    #expect(Subscribers.Demand.max(1) - .max(3) == .none)
    #expect(Subscribers.Demand.max(1) - .unlimited == .none)
  }

  @Test func `a current value that is set after the end stays as it was`() {
    let subject = CurrentValueSubject<Int, Never>(1)
    subject.send(completion: .finished)
    subject.value = 2
    #expect(subject.value == 1)
  }

  @Test func `an empty range of a single value publishes nothing`() {
    var values: [Int] = []
    let token = Just(1).output(in: 0..<0).sink { values.append($0) }
    #expect(values.isEmpty)
    withExtendedLifetime(token) {}
  }

  @Test func `the closures of a chain go with the cancel, though the subscription stays`() {
    final class Captured {}
    var captured: Captured? = Captured()
    weak let trace = captured
    let subject = PassthroughSubject<Int, Never>()
    var subscription: (any Subscription)?
    subject
      .map { [captured] value in withExtendedLifetime(captured) { value } }
      .subscribe(Peer(.unlimited, subscribed: { subscription = $0 }))
    captured = nil
    #expect(trace != nil)
    subscription?.cancel()
    #expect(trace == nil)
  }

  @Test func `the page and these tests name the same differences`() throws {
    let page = try #require(Page.all.first { $0.name == "Differences.md" })
    let rows = page.lines.filter { $0.hasPrefix("| ") }.dropFirst()
    let listed = rows.compactMap { $0.split(separator: "|").last?.trimmingPrefix(" ") }.map { $0.dropLast() }
    let source = try #require(Page.tests.first { $0.contains("@Suite struct DifferencesTests {") })
    let tested = source.compactMap { $0.firstMatch(of: /@Test func `(.+)`\(\)/)?.1 }
    #expect(listed.map(String.init) == tested.dropLast().map(String.init))
  }
}

/// A subscriber made of closures.
private final class Peer<Input, Failure: Error>: Subscriber {
  private let demand: Subscribers.Demand
  var received: (Input) -> Void
  private let completed: () -> Void
  private let subscribed: (any Subscription) -> Void
  private(set) var subscription: (any Subscription)?

  init(
    _ demand: Subscribers.Demand, received: @escaping (Input) -> Void = { _ in },
    completed: @escaping () -> Void = {}, subscribed: @escaping (any Subscription) -> Void = { _ in }
  ) {
    self.demand = demand
    self.received = received
    self.completed = completed
    self.subscribed = subscribed
  }

  func receive(subscription: any Subscription) {
    self.subscription = subscription
    subscription.request(demand)
    subscribed(subscription)
  }

  func receive(_ input: Input) -> Subscribers.Demand {
    received(input)
    return .none
  }

  func receive(completion: Subscribers.Completion<Failure>) {
    completed()
  }
}

/// A publisher that breaks whatever rule a test wants broken.
private struct Rogue<Output, Failure: Error>: Publisher {
  let misbehave: (any Subscriber<Output, Failure>) -> Void

  func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
    misbehave(subscriber)
  }
}

/// A subscription that counts how often it is cancelled.
private final class Ticket: Subscription {
  private(set) var cancels = 0

  func request(_ demand: Subscribers.Demand) {}
  func cancel() { cancels += 1 }
}
