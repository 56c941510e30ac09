import Dispatch
import Reactive
import ReactiveTesting
import Testing

@Suite struct ReceiveOnTests {
  private let clock = TestScheduler()
  private let source = TestPublisher<Int, TestFailure>()

  @Test func `it keeps the rules of both its sides`() throws {
    try OperatorVerification<Int, _>("receive(on:)", .passesDemand) { $0.receive(on: $1) }.verifyAll().orThrow()
  }

  @Test func `demand passes both ways and everything keeps its tick`() throws {
    try play(
      """
      source    -abc-d-|
      demand    1-1--1
      output    -ab--d-|
      upstream  1-1--1
      """
    ) { $0.receive(on: $0.scheduler) }
  }

  @Test func `the subscription comes at once and says its name`() {
    let probe = TestSubscriber<Int, TestFailure>(initialDemand: .unlimited)
    source.receive(on: clock).subscribe(probe)
    #expect(probe.subscription.map { "\($0)" } == "ReceiveOn")
    #expect(source.requests == [.unlimited])
  }

  @Test func `values and the completion wait for the scheduler and keep their order`() {
    let probe = TestSubscriber<Int, TestFailure>(initialDemand: .unlimited)
    source.receive(on: clock).subscribe(probe)
    source.send(1)
    source.send(2)
    source.send(completion: .failure(TestFailure()))
    #expect(probe.values == [] && probe.completion == nil)
    clock.advance()
    #expect(probe.values == [1, 2] && probe.failure == TestFailure())
  }

  @Test func `a burst takes one job`() {
    let probe = TestSubscriber<Int, TestFailure>(initialDemand: .unlimited)
    source.receive(on: clock).subscribe(probe)
    for value in 1...1000 { source.send(value) }
    #expect(clock.pending.count == 1)
    clock.runNext()
    #expect(probe.values.count == 1000 && clock.pending.isEmpty)
  }

  @Test func `demand returned with a value reaches upstream`() {
    let probe = TestSubscriber<Int, TestFailure>(initialDemand: .max(1)) { signal in
      if case .value = signal { .demand(.max(2)) } else { .proceed }
    }
    source.receive(on: clock).subscribe(probe)
    source.send(1)
    clock.advance()
    #expect(source.requests == [.max(1), .max(2)])
  }

  @Test func `what upstream sends beyond the demand is dropped`() {
    let source = TestPublisher<Int, TestFailure>(.overflow)
    let probe = TestSubscriber<Int, TestFailure>(initialDemand: .max(2))
    source.receive(on: clock).subscribe(probe)
    for value in 1...5 { source.send(value) }
    clock.advance()
    probe.request(.max(1))
    source.send(6)
    clock.advance()
    #expect(probe.values == [1, 2, 6] && probe.violations.isEmpty)
  }

  @Test func `a cancel drops what waits, the completion included`() {
    let probe = TestSubscriber<Int, TestFailure>(initialDemand: .unlimited)
    source.receive(on: clock).subscribe(probe)
    source.send(1)
    source.send(completion: .finished)
    probe.cancel()
    clock.advance()
    #expect(probe.values == [] && probe.completion == nil)
    #expect(source.cancelCount == 0)
  }

  @Test func `a cancel from inside a value stops the batch`() {
    let probe = TestSubscriber<Int, TestFailure>(initialDemand: .unlimited) { signal in
      if case .value(2) = signal { .cancel } else { .proceed }
    }
    source.receive(on: clock).subscribe(probe)
    for value in 1...3 { source.send(value) }
    source.send(completion: .finished)
    clock.advance()
    #expect(probe.values == [1, 2] && probe.completion == nil)
  }

  @Test func `a cancel releases the subscriber and the queue while a job is waiting`() {
    var witness: Witness? = Witness()
    weak let payload = witness
    let source = PassthroughSubject<Witness?, Never>()
    var probe: Recorder<Witness?, Never>? = Recorder()
    weak let subscriber = probe
    if let probe { source.receive(on: clock).subscribe(probe) }
    source.send(witness)
    let subscription = probe?.subscription
    (witness, probe) = (nil, nil)
    #expect(payload != nil && clock.pending.count == 1)
    subscription?.cancel()
    #expect(payload == nil)
    #expect(subscriber == nil)
    #expect(clock.pending.count == 1)
  }

  @Test func `a job keeps the chain alive until it has run`() {
    let log = Log<Int>()
    var source: PassthroughSubject<Int, Never>? = PassthroughSubject()
    source?.receive(on: clock).subscribe(
      Recorder<Int, Never> { value, _ in
        log.append(value)
        return .none
      })
    source?.send(1)
    source = nil
    clock.advance()
    #expect(log.all == [1])
  }

  @Test func `a scheduler that loses a job lets go of everything`() {
    weak var captured: Witness?
    do {
      let witness = Witness()
      captured = witness
      let upstream = Unruly<Int, Never> { subscriber in
        subscriber.receive(subscription: UnrulySubscription())
        _ = subscriber.receive(1)
      }
      let probe = AnySubscriber<Int, Never>(
        receiveSubscription: { $0.request(.unlimited) },
        receiveValue: { _ in withExtendedLifetime(witness) { .none } })
      upstream.receive(on: OddScheduler { _ in }).subscribe(probe)
    }
    #expect(captured == nil)
  }

  @Test func `a job that is run again does nothing`() {
    let probe = TestSubscriber<Int, Never>(initialDemand: .unlimited)
    let twice = OddScheduler { action in
      action()
      action()
    }
    (1...3).publisher.receive(on: twice).subscribe(probe)
    #expect(probe.values == [1, 2, 3] && probe.isFinished && probe.violations.isEmpty)
  }

  @Test(arguments: [Subscribers.Demand.unlimited, .max(1)])
  func `a hundred thousand values through an immediate scheduler need no stack`(demand: Subscribers.Demand) {
    let result = onThread(stackSize: 512 * 1024) {
      let recorder = Recorder<Int, Never>(demand) { _, _ in .max(1) }
      (1...100_000).publisher.receive(on: ImmediateScheduler.shared).subscribe(recorder)
      return (recorder.values == Array(1...100_000), recorder.isFinished)
    }
    #expect(result == (true, true))
  }

  @Test func `values that come from inside a delivery need no stack on an immediate scheduler`() {
    let result = onThread(stackSize: 512 * 1024) {
      let upstream = Unruly<Int, Never> { subscriber in
        subscriber.receive(subscription: UnrulySubscription(onRequest: { _ in _ = subscriber.receive(1) }))
      }
      let probe = Recorder<Int, Never>(.max(1)) { _, recorder in recorder.values.count < 100_000 ? .max(1) : .none }
      upstream.receive(on: ImmediateScheduler.shared).subscribe(probe)
      return probe.values.count
    }
    #expect(result == 100_000)
  }

  @Test func `an endless source ends with the cancel of its subscriber`() {
    let recorder = Recorder<Int, Never> { value, recorder in
      if value == 3 { recorder.cancel() }
      return .none
    }
    (1...).publisher.receive(on: ImmediateScheduler.shared).subscribe(recorder)
    #expect(recorder.values == [1, 2, 3])
    let onQueue = TestSubscriber<Int, Never>(initialDemand: .unlimited) { signal in
      if case .value(3) = signal { .cancel } else { .proceed }
    }
    (1...).publisher.receive(on: QueueScheduler()).subscribe(onQueue)
    #expect(onQueue.values == [1, 2, 3] && onQueue.violations.isEmpty)
  }

  @Test func `a drain that is kept busy lets others use the scheduler`() {
    let source = PassthroughSubject<Int, Never>()
    let log = Log<Int>()
    let token = source.receive(on: clock).sink { value in
      log.append(value)
      if value < 1000 { source.send(value + 1) }
    }
    source.send(1)
    clock.schedule { log.append(-1) }
    clock.advance()
    withExtendedLifetime(token) {}
    #expect(log.all.last == 1000 && log.all.contains(-1))
    #expect(log.all.filter { $0 > 0 } == Array(1...1000))
  }

  @Test func `requests made while taking the subscription come after that`() {
    let log = Log<String>()
    let upstream = Unruly<Int, Never> { subscriber in
      subscriber.receive(
        subscription: UnrulySubscription(onRequest: { _ in
          log.append("requested")
          _ = subscriber.receive(1)
        }))
    }
    let probe = AnySubscriber<Int, Never>(
      receiveSubscription: { subscription in
        subscription.request(.max(1))
        log.append("taken")
      },
      receiveValue: { _ in
        log.append("value")
        return .none
      })
    upstream.receive(on: ImmediateScheduler.shared).subscribe(probe)
    #expect(log.all == ["taken", "requested", "value"])
  }

  @Test func `signals before the subscription and a second subscription change nothing`() {
    let second = Log<Void>()
    let upstream = Unruly<Int, TestFailure> { subscriber in
      _ = subscriber.receive(0)
      subscriber.receive(completion: .finished)
      subscriber.receive(subscription: Subscriptions.empty)
      subscriber.receive(subscription: UnrulySubscription(onCancel: { second.append(()) }))
      _ = subscriber.receive(1)
      subscriber.receive(completion: .finished)
      _ = subscriber.receive(2)
      subscriber.receive(completion: .failure(TestFailure()))
    }
    let probe = TestSubscriber<Int, TestFailure>(initialDemand: .unlimited)
    upstream.receive(on: clock).subscribe(probe)
    clock.advance()
    #expect(second.all.count == 1 && probe.isFinished && probe.violations.isEmpty)
  }

  @Test func `order is kept and nothing overlaps on a concurrent scheduler`() throws {
    for _ in 0..<50 {
      let source = PassthroughSubject<Int, Never>()
      let probe = TestSubscriber<Int, Never>(initialDemand: .unlimited)
      source.receive(on: QueueScheduler(concurrent: true)).subscribe(probe)
      for value in 0..<1000 { source.send(value) }
      source.send(completion: .finished)
      try probe.awaitCompletion()
      #expect(probe.values == Array(0..<1000) && probe.violations.isEmpty)
    }
  }

  @Test func `options are passed on`() {
    let scheduler = OptionScheduler()
    let probe = TestSubscriber<Int, Never>(initialDemand: .unlimited)
    Just(1).receive(on: scheduler, options: "fast").subscribe(probe)
    scheduler.base.run()
    #expect(probe.isFinished && scheduler.options.all == ["fast"])
  }
}

/// A scheduler that does with actions whatever a test wants.
private struct OddScheduler: Scheduler {
  typealias SchedulerTimeType = ImmediateScheduler.SchedulerTimeType
  typealias SchedulerOptions = Never

  let take: (@escaping () -> Void) -> Void

  init(_ take: @escaping (@escaping () -> Void) -> Void) {
    self.take = take
  }

  var now: SchedulerTimeType { ImmediateScheduler.shared.now }
  var minimumTolerance: SchedulerTimeType.Stride { 0 }

  func schedule(options: Never?, _ action: @escaping () -> Void) { take(action) }

  func schedule(
    after date: SchedulerTimeType, tolerance: SchedulerTimeType.Stride, options: Never?, _ action: @escaping () -> Void
  ) { take(action) }

  func schedule(
    after date: SchedulerTimeType, interval: SchedulerTimeType.Stride, tolerance: SchedulerTimeType.Stride,
    options: Never?, _ action: @escaping () -> Void
  ) -> any Cancellable {
    take(action)
    return Subscriptions.empty
  }
}

@Suite struct SubscribeOnTests {
  private let clock = TestScheduler()
  private let source = TestPublisher<Int, TestFailure>()
  private let probe = TestSubscriber<Int, TestFailure>(initialDemand: .max(1))

  @Test func `it keeps the rules of both its sides`() throws {
    let verification = OperatorVerification<Int, _>("subscribe(on:)", .passesDemand) { source, _ in
      source.subscribe(on: ImmediateScheduler.shared)
    }
    try verification.verifyAll().orThrow()
  }

  @Test func `subscribing, requests and the cancel wait for the scheduler`() {
    source.subscribe(on: clock).subscribe(probe)
    #expect(source.subscriptionCount == 0)
    clock.advance()
    #expect(source.requests == [.max(1)] && probe.subscription.map { "\($0)" } == "SubscribeOn")
    probe.request(.max(2))
    probe.request(.max(3))
    probe.cancel()
    #expect(source.requests == [.max(1)] && source.cancelCount == 0)
    clock.advance()
    #expect(source.cancelCount == 1 && source.violations.isEmpty)
    clock.run()
    #expect(clock.pending.isEmpty)
  }

  @Test func `requests that wait are added up into one call`() {
    source.subscribe(on: clock).subscribe(probe)
    clock.advance()
    probe.request(.max(2))
    probe.request(.max(3))
    #expect(clock.pending.count == 1)
    clock.advance()
    #expect(source.requests == [.max(1), .max(5)])
  }

  @Test func `values and the completion pass where they are sent`() {
    source.subscribe(on: clock).subscribe(probe)
    clock.advance()
    source.send(1)
    source.send(completion: .failure(TestFailure()))
    #expect(probe.values == [1] && probe.failure == TestFailure())
  }

  @Test func `demand returned with a value goes straight to upstream`() {
    let probe = TestSubscriber<Int, TestFailure>(initialDemand: .max(1)) { signal in
      if case .value = signal { .demand(.max(1)) } else { .proceed }
    }
    source.subscribe(on: clock).subscribe(probe)
    clock.advance()
    #expect(source.send(1) == .max(1))
  }

  @Test func `values are dropped from the cancel on`() {
    source.subscribe(on: clock).subscribe(probe)
    clock.advance()
    probe.cancel()
    source.send(1)
    source.send(completion: .finished)
    #expect(probe.values == [] && probe.completion == nil)
    clock.advance()
    #expect(source.cancelCount == 0)
  }

  @Test func `a synchronous source on an immediate scheduler may be asked from inside its values`() {
    let result = onThread(stackSize: 512 * 1024) {
      let recorder = Recorder<Int, Never>(.max(1)) { _, recorder in
        recorder.request(.max(1))
        return .none
      }
      (1...100_000).publisher.subscribe(on: ImmediateScheduler.shared).subscribe(recorder)
      return (recorder.values.count, recorder.isFinished)
    }
    #expect(result == (100_000, true))
  }

  @Test func `a request from inside a value that a request brought does not nest`() {
    let upstream = Unruly<Int, Never> { subscriber in
      subscriber.receive(subscription: UnrulySubscription(onRequest: { _ in _ = subscriber.receive(1) }))
    }
    let count = Log<Void>()
    let probe = TestSubscriber<Int, Never>(initialDemand: .max(1)) { signal in
      guard case .value = signal, count.all.count < 1000 else { return .proceed }
      count.append(())
      return .request(.max(1))
    }
    upstream.subscribe(on: ImmediateScheduler.shared).subscribe(probe)
    #expect(probe.values.count == 1001 && probe.maximumDepth == 1)
  }

  @Test(.timeLimit(.minutes(5)))
  func `an endless source ends with a cancel, from inside a value or from another thread`() throws {
    let inside = TestSubscriber<Int, Never>(initialDemand: .unlimited) { signal in
      if case .value(3) = signal { .cancel } else { .proceed }
    }
    let queue = QueueScheduler()
    (1...).publisher.subscribe(on: queue).subscribe(inside)
    try inside.awaitValues(3)
    queue.queue.sync {}
    #expect(inside.values == [1, 2, 3])

    let started = DispatchSemaphore(value: 0)
    let other = QueueScheduler()
    let token = (1...).publisher.subscribe(on: other).sink { if $0 == 1 { started.signal() } }
    started.wait()
    token.cancel()
    other.queue.sync {}
  }

  @Test func `options are passed on`() {
    let scheduler = OptionScheduler()
    source.subscribe(on: scheduler, options: "slow").subscribe(probe)
    scheduler.base.run()
    probe.cancel()
    #expect(source.requests == [.max(1)] && scheduler.options.all == ["slow", "slow"])
  }
}
