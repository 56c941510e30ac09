import Reactive
import ReactiveTesting
import Testing

@Suite struct ConcatenatingTests {
  @Test func `append and prepend in all their forms`() {
    func values<P: Publisher>(_ publisher: P) -> [Int] where P.Output == Int, P.Failure == Never {
      let probe = Recorder<Int, Never>()
      publisher.subscribe(probe)
      return probe.isFinished ? probe.values : []
    }
    let source = CountingCancels(Just(1)) {}
    #expect(values(source.append(2, 3)) == [1, 2, 3])
    #expect(values(source.append([2, 3])) == [1, 2, 3])
    #expect(values(source.append(Just(2))) == [1, 2])
    #expect(values(source.prepend(2, 3)) == [2, 3, 1])
    #expect(values(source.prepend(AnySequence([2, 3]))) == [2, 3, 1])
    #expect(values(source.prepend(Just(2)).prepend(Just(3))) == [3, 2, 1])
  }

  @Test func `unmet demand goes over, and requests in between are kept`() {
    let (first, second) = (PassthroughSubject<Int, Never>(), PassthroughSubject<Int, Never>())
    let probe = Recorder<Int, Never>(.max(2))
    first.append(second).subscribe(probe)
    first.send(1)
    first.send(completion: .finished)
    second.send(2)
    second.send(3)
    #expect(probe.values == [1, 2])
    probe.request(.max(1))
    second.send(4)
    #expect(probe.values == [1, 2, 4])
  }

  @Test func `a failure of the first ends it without the second`() {
    let probe = Recorder<Int, TestFailure>()
    Fail<Int, TestFailure>(error: TestFailure()).append(Just(1).setFailureType(to: TestFailure.self)).subscribe(probe)
    #expect(probe.values == [] && probe.completions == [.failure(TestFailure())])
  }

  @Test func `a thousand in a row need no more stack than there is`() {
    let count = onThread(stackSize: 8 * 1024 * 1024) {
      let chain = (0..<1_000).reduce(Just(0).eraseToAnyPublisher()) { chain, value in
        chain.append(Just(value)).eraseToAnyPublisher()
      }
      let probe = Recorder<Int, Never>()
      chain.subscribe(probe)
      return (probe.values.count, probe.isFinished)
    }
    #expect(count == (1_001, true))
  }

  @Test func `a cancel releases what was running and what was to come`() {
    weak var running: PassthroughSubject<Int, Never>?
    weak var coming: PassthroughSubject<Int, Never>?
    let token: AnyCancellable
    do {
      let (first, second) = (PassthroughSubject<Int, Never>(), PassthroughSubject<Int, Never>())
      (running, coming) = (first, second)
      token = Publishers.MergeMany([first]).append(second).sink { _ in }
    }
    #expect(running != nil)
    token.cancel()
    #expect(running == nil && coming == nil)
  }
}

@Suite struct RetryingTests {
  @Test func `tries again as often as it may, with unmet demand carried over`() {
    var attempts = 0
    let flaky = Deferred { () -> AnyPublisher<Int, TestFailure> in
      attempts += 1
      return [attempts, attempts * 10].publisher.setFailureType(to: TestFailure.self)
        .append(Fail(error: TestFailure())).eraseToAnyPublisher()
    }
    let probe = Recorder<Int, TestFailure>(.max(5))
    flaky.retry(2).subscribe(probe)
    #expect(probe.values == [1, 10, 2, 20, 3] && probe.completions == [])
    probe.request(.unlimited)
    #expect(probe.values == [1, 10, 2, 20, 3, 30] && probe.completions == [.failure(TestFailure())] && attempts == 3)
  }

  @Test func `a success ends it, and no retries mean none`() {
    let done = Recorder<Int, TestFailure>()
    Just(1).setFailureType(to: TestFailure.self).retry(5).subscribe(done)
    #expect(done.values == [1] && done.isFinished)
    var attempts = 0
    let failed = Recorder<Int, TestFailure>()
    Deferred { () -> Fail<Int, TestFailure> in
      attempts += 1
      return Fail(error: TestFailure())
    }.retry(0).subscribe(failed)
    #expect(attempts == 1 && failed.completions == [.failure(TestFailure())] && failed.subscriptions == 1)
  }

  @Test func `a hundred thousand failures at once need no stack, and a cancel ends an endless loop`() {
    let attempts = onThread(stackSize: 512 * 1024) {
      var attempts = 0
      let failing = Deferred { () -> Fail<Int, TestFailure> in
        attempts += 1
        return Fail(error: TestFailure())
      }
      failing.retry(100_000).subscribe(Recorder<Int, TestFailure>())
      let probe = Recorder<Int, TestFailure>()
      Publishers.Retry(
        upstream: failing.handleEvents(receiveSubscription: { _ in if attempts > 100_010 { probe.cancel() } }),
        retries: nil
      ).subscribe(probe)
      return attempts
    }
    #expect(attempts == 100_011)
  }

  @Test func `retrying behind a shared failure ends`() {
    var runs = 0
    let probe = Recorder<Int, TestFailure>()
    Deferred { () -> Fail<Int, TestFailure> in
      runs += 1
      return Fail(error: TestFailure())
    }.share().retry(3).subscribe(probe)
    #expect(probe.completions == [.failure(TestFailure())] && runs <= 4)
  }
}

@Suite struct UntilTests {
  typealias Source = PassthroughSubject<Int, TestFailure>
  typealias Probe = Recorder<Int, TestFailure>

  @Test func `prefix ends with the other one's first value, and cancels both`() {
    let (source, trigger) = (Source(), Source())
    var cancelled: [String] = []
    let probe = Probe()
    CountingCancels(source) { cancelled.append("source") }
      .prefix(untilOutputFrom: CountingCancels(trigger) { cancelled.append("trigger") }).subscribe(probe)
    source.send(1)
    trigger.send(0)
    source.send(2)
    #expect(probe.values == [1] && probe.isFinished && cancelled.sorted() == ["source", "trigger"])
  }

  @Test func `prefix ignores the other one's end, and cancels it with its own`() {
    let (source, trigger) = (Source(), Source())
    let probe = Probe()
    source.prefix(untilOutputFrom: Fail<Int, TestFailure>(error: TestFailure())).subscribe(probe)
    source.send(1)
    #expect(probe.values == [1] && probe.completions == [])
    var cancels = 0
    let other = Probe()
    source.prefix(untilOutputFrom: CountingCancels(trigger) { cancels += 1 }).subscribe(other)
    source.send(completion: .finished)
    #expect(other.isFinished && cancels == 1)
  }

  @Test func `prefix with a trigger that fires at once ends after the subscription`() {
    let probe = Recorder<Int, Never>()
    (0..<3).publisher.prefix(untilOutputFrom: Just(1)).subscribe(probe)
    #expect(probe.subscriptions == 1 && probe.values == [] && probe.isFinished)
  }

  @Test func `a value sent while another one is delivered passes`() {
    let source = PassthroughSubject<Int, Never>()
    var log: [Int] = []
    let token = source.prefix(untilOutputFrom: Empty<Int, Never>(completeImmediately: false)).sink {
      log.append($0)
      if $0 == 1 { source.send(2) }
    }
    source.send(1)
    #expect(log == [1, 2])
    token.cancel()
  }

  @Test func `a merged synchronous source passes whole`() {
    let stop = PassthroughSubject<Int, Never>()
    let probe = Recorder<Int, Never>()
    Publishers.MergeMany([[1, 2].publisher]).prefix(untilOutputFrom: stop).subscribe(probe)
    #expect(probe.values == [1, 2] && probe.isFinished)
  }

  @Test func `drop opens with the other one's first value, and ignored values cost no demand`() {
    let (source, trigger) = (Source(), Source())
    var cancels = 0
    let probe = Probe(.max(2))
    source.drop(untilOutputFrom: CountingCancels(trigger) { cancels += 1 }).subscribe(probe)
    for value in 1...5 { source.send(value) }
    trigger.send(0)
    trigger.send(completion: .finished)
    for value in 6...9 { source.send(value) }
    #expect(probe.values == [6, 7] && cancels == 1)
    source.send(completion: .finished)
    #expect(probe.isFinished)
  }

  @Test func `drop ends when the other one ends first, and cancels it when upstream does`() {
    let (source, trigger) = (Source(), Source())
    let probe = Probe()
    source.drop(untilOutputFrom: trigger).subscribe(probe)
    trigger.send(completion: .finished)
    source.send(1)
    source.send(completion: .failure(TestFailure()))
    #expect(probe.values == [] && probe.completions == [.finished])
    var cancels = 0
    let (second, waiting) = (Source(), Source())
    let other = Probe()
    second.drop(untilOutputFrom: CountingCancels(waiting) { cancels += 1 }).subscribe(other)
    second.send(completion: .finished)
    #expect(other.isFinished && cancels == 1)
  }
}

@Suite struct BufferingTests {
  typealias Source = PassthroughSubject<Int, TestFailure>
  typealias Probe = Recorder<Int, TestFailure>

  @Test(arguments: [(true, [1, 2]), (false, [3, 4])])
  func `a full buffer drops the newest or the oldest`(dropsNewest: Bool, kept: [Int]) {
    let source = Source()
    let probe = Probe(.none)
    source.buffer(size: 2, prefetch: .byRequest, whenFull: dropsNewest ? .dropNewest : .dropOldest).subscribe(probe)
    for value in 1...4 { source.send(value) }
    probe.request(.max(1))
    #expect(probe.values == [kept[0]])
    source.send(completion: .finished)
    #expect(probe.completions == [])
    probe.request(.max(1))
    #expect(probe.values == kept && probe.isFinished)
  }

  @Test func `a full buffer may fail, at once, and cancels upstream`() {
    let source = Source()
    var cancels = 0
    let probe = Probe(.none)
    CountingCancels(source) { cancels += 1 }
      .buffer(size: 1, prefetch: .byRequest, whenFull: .customError { TestFailure() }).subscribe(probe)
    source.send(1)
    source.send(2)
    #expect(probe.values == [] && probe.completions == [.failure(TestFailure())] && cancels == 1)
  }

  @Test func `keeps itself full, and asks for one more for each that has left`() {
    let source = RequestLog()
    let probe = Recorder<Int, Never>(.none)
    source.buffer(size: 3, prefetch: .keepFull, whenFull: .dropNewest).subscribe(probe)
    #expect(source.requests == [.max(3)])
    for value in 1...3 { source.send(value) }
    probe.request(.max(2))
    #expect(probe.values == [1, 2] && source.requests == [.max(3), .max(1), .max(1)])
  }

  @Test func `the end needs no demand when nothing is kept`() {
    let source = Source()
    let probe = Probe(.none)
    source.buffer(size: 2, prefetch: .byRequest, whenFull: .dropNewest).subscribe(probe)
    source.send(completion: .finished)
    #expect(probe.isFinished)
  }

  @Test func `a cancel inside a delivery drops what is kept`() {
    let source = Source()
    let probe = Probe(.none) { _, probe in
      probe.cancel()
      return .none
    }
    source.buffer(size: 20, prefetch: .byRequest, whenFull: .dropNewest).subscribe(probe)
    for value in 1...17 { source.send(value) }
    probe.request(.unlimited)
    #expect(probe.values == [1])
  }

  @Test func `a negative size traps`() async {
    await #expect(processExitsWith: .failure) {
      _ = Just(1).buffer(size: -1, prefetch: .keepFull, whenFull: .dropNewest)
    }
  }

  /// Writes down what is requested, and sends what the test says.
  final class RequestLog: Publisher, Subscription {
    typealias Output = Int
    typealias Failure = Never
    private(set) var requests: [Subscribers.Demand] = []
    private var subscriber: AnySubscriber<Int, Never>?

    func receive<S: Subscriber>(subscriber: S) where S.Input == Int, S.Failure == Never {
      self.subscriber = AnySubscriber(subscriber)
      subscriber.receive(subscription: self)
    }

    func request(_ demand: Subscribers.Demand) { requests.append(demand) }
    func cancel() { subscriber = nil }
    func send(_ value: Int) { _ = subscriber?.receive(value) }
  }

  @Test func `replaceEmpty replaces an empty stream, on demand, and nothing else`() {
    let empty = Recorder<Int, Never>(.none)
    Empty<Int, Never>().replaceEmpty(with: 7).subscribe(empty)
    #expect(empty.values == [] && empty.completions.isEmpty)
    empty.request(.max(1))
    #expect(empty.values == [7] && empty.isFinished)
    let full = Recorder<Int, Never>(.max(2))
    let source = RequestLog()
    source.replaceEmpty(with: 7).subscribe(full)
    for value in 1...3 { source.send(value) }
    #expect(full.values == [1, 2] && source.requests == [.max(2)])
  }
}
