import Reactive
import ReactiveTesting
import Testing

@Suite struct DelayTests {
  private let clock = TestScheduler()
  private let source = TestPublisher<Int, TestFailure>()
  private let probe = TestSubscriber<Int, TestFailure>(initialDemand: .unlimited)

  @Test func `it keeps the rules of both its sides`() throws {
    try OperatorVerification<Int, _>("delay", .passesDemand) { $0.delay(for: 1, scheduler: $1) }.verifyAll().orThrow()
  }

  @Test func `everything comes later by the same time`() throws {
    try play(
      """
      source  a-b--c|
      output  ---a-b--c|
      """
    ) { $0.delay(for: 3, scheduler: $0.scheduler) }
  }

  @Test func `a failure is delayed too, and values of one moment stay together`() throws {
    try play(
      """
      source  -(ab)--#
      output  ---(ab)--#
      """
    ) { $0.delay(for: 2, scheduler: $0.scheduler) }
  }

  @Test func `demand and the cancel pass at once`() throws {
    try play(
      """
      source    -abcd--e--|
      demand    2-1----!
      output    ----abc
      upstream  2-1----!
      """
    ) { $0.delay(for: 3, scheduler: $0.scheduler) }
  }

  @Test func `the subscription is not delayed and says its name`() {
    source.delay(for: 5, scheduler: clock).subscribe(probe)
    #expect(probe.subscription.map { "\($0)" } == "Delay")
  }

  @Test func `a value and the completion after it come at the same time`() {
    let times = Log<TestScheduler.SchedulerTimeType.Stride>()
    let token = Just(1).delay(for: 5, scheduler: clock).sink(
      receiveCompletion: { [clock] _ in times.append(clock.now.elapsed) },
      receiveValue: { [clock] _ in times.append(clock.now.elapsed) })
    clock.run()
    withExtendedLifetime(token) {}
    #expect(times.all == [5, 5])
  }

  @Test func `a cancel after upstream has ended drops the rest and leaves no timer`() {
    Empty<Int, TestFailure>().delay(for: 10, scheduler: clock).subscribe(probe)
    probe.cancel()
    #expect(clock.pending.isEmpty)
    clock.advance(by: 20)
    #expect(probe.completion == nil)
  }

  @Test func `a cancel releases the subscriber and what is on its way`() {
    var witness: Witness? = Witness()
    weak let payload = witness
    let source = PassthroughSubject<Witness?, Never>()
    var recorder: Recorder<Witness?, Never>? = Recorder()
    weak let subscriber = recorder
    if let recorder { source.delay(for: 5, scheduler: clock).subscribe(recorder) }
    source.send(witness)
    let subscription = recorder?.subscription
    (witness, recorder) = (nil, nil)
    #expect(payload != nil)
    subscription?.cancel()
    #expect(payload == nil)
    #expect(subscriber == nil)
  }

  @Test func `one timer serves all values that are on their way`() {
    source.delay(for: 5, scheduler: clock).subscribe(probe)
    for value in 1...100 {
      source.send(value)
      clock.advance(by: .milliseconds(1))
    }
    #expect(clock.pending.count == 1)
    clock.run()
    #expect(probe.values == Array(1...100) && clock.now.elapsed == 5.099 && clock.pending.isEmpty)
  }

  @Test(arguments: [0, -1, 1] as [TestScheduler.SchedulerTimeType.Stride])
  func `a scheduler that runs everything at once is served in constant stack`(
    interval: TestScheduler.SchedulerTimeType.Stride
  ) {
    let result = onThread(stackSize: 512 * 1024) {
      let recorder = Recorder<Int, Never>()
      (1...100_000).publisher.delay(for: interval, scheduler: HastyScheduler()).subscribe(recorder)
      let immediate = Recorder<Int, Never>()
      (1...100_000).publisher.delay(for: 0, scheduler: ImmediateScheduler.shared).subscribe(immediate)
      return recorder.values == Array(1...100_000) && recorder.isFinished && immediate.values == recorder.values
    }
    #expect(result)
  }

  @Test func `order is kept and nothing overlaps on a concurrent scheduler`() throws {
    for _ in 0..<10 {
      let source = PassthroughSubject<Int, Never>()
      let probe = TestSubscriber<Int, Never>(initialDemand: .unlimited)
      source.delay(for: .microseconds(100), scheduler: QueueScheduler(concurrent: true)).subscribe(probe)
      for value in 0..<1000 { source.send(value) }
      source.send(completion: .finished)
      try probe.awaitCompletion()
      #expect(probe.values == Array(0..<1000) && probe.violations.isEmpty)
    }
  }

  @Test func `the tolerance and options are passed on`() {
    let scheduler = OptionScheduler()
    Just(1).delay(for: 5, tolerance: 1, scheduler: scheduler, options: "a").subscribe(Recorder())
    Just(1).delay(for: 5, scheduler: scheduler).subscribe(Recorder())
    #expect(scheduler.options.all == ["a", nil] && scheduler.tolerances.all == [1, 0.25])
  }
}
