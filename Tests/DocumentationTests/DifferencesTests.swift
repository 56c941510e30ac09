import Dispatch
import Reactive
import ReactiveFoundation
import ReactiveTesting
import Synchronization
import Testing

@Suite(.timeLimit(.minutes(5))) struct DifferencesTests {
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

  @Test func `connecting twice gives the same connection`() {
    var starts = 0
    let source = PassthroughSubject<Int, Never>()
    let multicast = source.handleEvents(receiveSubscription: { _ in starts += 1 }).multicast { PassthroughSubject() }
    let (first, second) = (multicast.connect(), multicast.connect())
    #expect(starts == 1 && first as AnyObject === second as AnyObject)
  }

  @Test func `cancelling a subscription again counts once`() {
    var values: [Int] = []
    let source = PassthroughSubject<Int, Never>()
    let shared = source.multicast { PassthroughSubject() }.autoconnect()
    let leaving = Peer<Int, Never>(.unlimited)
    shared.subscribe(leaving)
    shared.subscribe(Peer(.unlimited, received: { values.append($0) }))
    leaving.subscription?.cancel()
    leaving.subscription?.cancel()
    source.send(1)
    #expect(values == [1])
  }

  @Test func `zip publishes nothing beyond the demand`() {
    var pairs: [Int] = []
    let (a, b) = (Pushing<Int, Never>(), Pushing<Int, Never>())
    a.zip(b, +).subscribe(Peer(.max(1), received: { pairs.append($0) }))
    for value in 1...3 {
      a.send(value)
      b.send(value)
    }
    #expect(pairs == [2])
  }

  @Test func `replaceEmpty publishes nothing beyond the demand`() {
    var values: [Int] = []
    let source = PassthroughSubject<Int, Never>()
    source.replaceEmpty(with: 0).subscribe(Peer(.max(2), received: { values.append($0) }))
    for value in 1...3 { source.send(value) }
    #expect(values == [1, 2])
  }

  @Test func `the newest combination waits for demand`() {
    var sums: [Int] = []
    let (a, b) = (Pushing<Int, Never>(), Pushing<Int, Never>())
    let peer = Peer<Int, Never>(.max(1), received: { sums.append($0) })
    a.combineLatest(b, +).subscribe(peer)
    a.send(1)
    b.send(10)
    #expect(sums == [11])
    peer.subscription?.request(.max(1))
    a.send(2)
    b.send(20)
    #expect(sums == [11, 12])
    peer.subscription?.request(.max(1))
    #expect(sums == [11, 12, 22])
  }

  @Test func `a source that ends without a value ends the combination`() {
    var completions = 0
    let source = PassthroughSubject<Int, Never>()
    source.combineLatest(Empty<Int, Never>(), +).subscribe(Peer(.unlimited, completed: { completions += 1 }))
    #expect(completions == 1)
  }

  @Test func `a failure inside cancels the outer publisher`() {
    struct Refusal: Error {}
    let ticket = Ticket()
    let outer = Rogue<Int, Refusal> { subscriber in
      subscriber.receive(subscription: ticket)
      _ = subscriber.receive(1)
    }
    outer.flatMap { _ in Fail<Int, Refusal>(error: Refusal()) }.subscribe(Peer(.unlimited))
    #expect(ticket.cancels == 1)
  }

  @Test func `an empty buffer ends without demand`() {
    var completions = 0
    Empty<Int, Never>().buffer(size: 1, prefetch: .keepFull, whenFull: .dropNewest)
      .subscribe(Peer(.none, completed: { completions += 1 }))
    #expect(completions == 1)
  }

  @Test func `ignored values cost no demand`() {
    var values: [Int] = []
    let (source, trigger) = (PassthroughSubject<Int, Never>(), PassthroughSubject<Int, Never>())
    source.drop(untilOutputFrom: trigger).subscribe(Peer(.max(1), received: { values.append($0) }))
    for value in 1...3 { source.send(value) }
    trigger.send(0)
    source.send(4)
    #expect(values == [4])
  }

  @Test func `values that wait come in the order in which they arrived`() {
    var values: [Int] = []
    let (a, b) = (PassthroughSubject<Int, Never>(), PassthroughSubject<Int, Never>())
    let peer = Peer<Int, Never>(.none, received: { values.append($0) })
    a.merge(with: b).subscribe(peer)
    b.send(1)
    a.send(2)
    peer.subscription?.request(.max(2))
    #expect(values == [1, 2])
  }

  @Test func `the value assigned last stays`() {
    final class Model {
      @Published var number = 0
    }
    let model = Model()
    let token = model.$number.sink { if $0 == 1 { model.number = 2 } }
    model.number = 1
    #expect(model.number == 2)
    token.cancel()
  }

  @Test func `announcements need demand`() {
    var announcements = 0
    let publisher = ObservableObjectPublisher()
    publisher.subscribe(Peer(.max(2), received: { announcements += 1 }))
    for _ in 0..<3 { publisher.send() }
    #expect(announcements == 2)
  }

  @Test func `the last copy of an iterator that goes cancels the subscription`() {
    var cancels = 0
    let source = PassthroughSubject<Int, Never>()
    do {
      let iterator = source.handleEvents(receiveCancel: { cancels += 1 }).values.makeAsyncIterator()
      #expect(cancels == 0)
      withExtendedLifetime(iterator) {}
    }
    #expect(cancels == 1)
  }

  @Test func `a value that no iterator asked for is dropped`() async {
    let rogue = Rogue<Int, Never> { subscriber in
      subscriber.receive(subscription: Ticket())
      _ = subscriber.receive(1)
      subscriber.receive(completion: .finished)
    }
    var iterator = rogue.values.makeAsyncIterator()
    #expect(await iterator.next() == nil)
  }

  @Test func `a cancelled task stops waiting for a future that may fail`() async {
    struct Refusal: Error {}
    var promise: Future<Int, Refusal>.Promise?
    let future = Future<Int, Refusal> { promise = $0 }
    let call = Task { try await future.value }
    call.cancel()
    await #expect(throws: CancellationError.self) { try await call.value }
    promise?(.success(1))
  }

  @Test func `a concurrent scheduler changes no order`() {
    let values = Mutex<[Int]>([])
    let isDone = DispatchSemaphore(value: 0)
    let token = (0..<10_000).publisher.map { $0 }.receive(on: DispatchQueue.global()).sink(
      receiveCompletion: { _ in isDone.signal() },
      receiveValue: { value in values.withLock { $0.append(value) } })
    #expect(isDone.wait(timeout: .now() + 20) == .success)
    #expect(values.withLock { $0 } == Array(0..<10_000))
    token.cancel()
  }

  @Test func `a cancel drops everything that waits for a scheduler`() {
    var signals = 0
    let clock = TestScheduler()
    for hops in [
      Just(1).receive(on: clock).eraseToAnyPublisher(), Just(1).delay(for: 1, scheduler: clock).eraseToAnyPublisher(),
    ] {
      let peer = Peer<Int, Never>(.unlimited, received: { _ in signals += 1 }, completed: { signals += 1 })
      hops.subscribe(peer)
      peer.subscription?.cancel()
      clock.advance(by: 2)
    }
    #expect(signals == 0)
  }

  @Test func `accepted values come before the end of a timeout`() {
    var (values, completions) = ([Int](), 0)
    let clock = TestScheduler()
    let source = PassthroughSubject<Int, Never>()
    let token = source.timeout(2, scheduler: clock).sink(
      receiveCompletion: { _ in completions += 1 },
      receiveValue: { value in
        values.append(value)
        guard value == 1 else { return }
        source.send(2)
        clock.advance(by: 2)
      })
    source.send(1)
    clock.advance(by: 2)
    #expect(values == [1, 2] && completions == 1)
    token.cancel()
  }

  @Test func `the last group of a time waits for demand`() {
    var groups: [[Int]] = []
    let clock = TestScheduler()
    let peer = Peer<[Int], Never>(.none, received: { groups.append($0) })
    Just(1).collect(.byTime(clock, 1)).subscribe(peer)
    clock.advance(by: 2)
    #expect(groups.isEmpty)
    peer.subscription?.request(.max(1))
    clock.advance()
    #expect(groups == [[1]])
  }

  @Test func `strides of a queue multiply`() {
    #expect(DispatchQueue.SchedulerTimeType.Stride.seconds(2) * .seconds(3) == .seconds(6))
  }

  @Test func `a result without its output keeps its failure`() {
    struct Refusal: Error {}
    var failures = 0
    let token = Result<Int, Refusal>.failure(Refusal()).publisher.ignoreOutput().sink(
      receiveCompletion: { if case .failure = $0 { failures += 1 } }, receiveValue: { _ in })
    #expect(failures == 1)
    token.cancel()
  }

  @Test func `no value counts as zero`() {
    var counts: [Int] = []
    let token = Int?.none.publisher.count().sink { counts.append($0) }
    #expect(counts == [0])
    token.cancel()
  }

  @Test func `the page and these tests name the same differences`() throws {
    let page = try #require(Page.all.first { $0.name == "Differences.md" })
    let rows = page.lines.filter { $0.hasPrefix("| ") }.dropFirst()
    let listed = rows.compactMap { $0.split(separator: "|").last?.trimmingPrefix(" ") }.map { $0.dropLast() }
    let source = try #require(
      Page.tests.first { $0.contains("@Suite(.timeLimit(.minutes(5))) struct DifferencesTests {") })
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

/// A publisher that sends whatever a test says, whatever was requested.
private final class Pushing<Output, Failure: Error>: Publisher {
  private var subscriber: (any Subscriber<Output, Failure>)?

  func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
    self.subscriber = subscriber
    subscriber.receive(subscription: Ticket())
  }

  func send(_ value: Output) {
    _ = subscriber?.receive(value)
  }
}

/// A subscription that counts how often it is cancelled.
private final class Ticket: Subscription {
  private(set) var cancels = 0

  func request(_ demand: Subscribers.Demand) {}
  func cancel() { cancels += 1 }
}
