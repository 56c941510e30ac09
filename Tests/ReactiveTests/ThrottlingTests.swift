import Reactive
import ReactiveTesting
import Testing

@Suite struct ThrottleTests {
  private let clock = TestScheduler()
  private let source = TestPublisher<Int, TestFailure>()

  /// What comes when: the value and the virtual time.
  private func record(latest: Bool, interval: TestScheduler.SchedulerTimeType.Stride)
    -> (Log<(Int, TestScheduler.SchedulerTimeType.Stride)>, AnyCancellable)
  {
    let log = Log<(Int, TestScheduler.SchedulerTimeType.Stride)>()
    let token = source.throttle(for: interval, scheduler: clock, latest: latest).sink(
      receiveCompletion: { _ in }, receiveValue: { [clock] in log.append(($0, clock.now.elapsed)) })
    return (log, token)
  }

  private func send(_ values: [(Int, TestScheduler.SchedulerTimeType.Stride)]) {
    for (value, time) in values { clock.schedule(after: .init(time)) { [source] in source.send(value) } }
    clock.run()
  }

  @Test(arguments: [true, false])
  func `it keeps the rules of both its sides`(latest: Bool) throws {
    try OperatorVerification<Int, _>("throttle", .mayBuffer) { $0.throttle(for: 1, scheduler: $1, latest: latest) }
      .verifyAll().orThrow()
  }

  @Test func `the latest value of an interval passes, or the first`() throws {
    try play(
      """
      source  -ab-c----d-----e|
      output  -a---c---d-----e|
      """
    ) { $0.throttle(for: 4, scheduler: $0.scheduler, latest: true) }
    try play(
      """
      source  -ab-c----d-----e|
      output  -a---b---d-----e|
      """
    ) { $0.throttle(for: 4, scheduler: $0.scheduler, latest: false) }
  }

  @Test(arguments: [(true, 3), (false, 2)])
  func `the first value is not held back, and the interval keeps the right one`(latest: Bool, second: Int) {
    let (log, token) = record(latest: latest, interval: 10)
    send([(1, 0), (2, 3), (3, 6)])
    withExtendedLifetime(token) {}
    #expect(log.all.map(\.0) == [1, second] && log.all.map(\.1) == [0, 10])
  }

  @Test(arguments: [(false, 1.3, [-1, 1, 3, 6]), (true, 1.2, [-1, 2, 5, 6])])
  func `it gives what Combine was seen to give`(latest: Bool, last: Double, expected: [Int]) {
    let (log, token) = record(latest: latest, interval: 0.5)
    send([(-1, 0), (1, 0.1), (2, 0.2), (3, 0.6), (4, 0.7), (5, 0.9), (6, .seconds(last))])
    withExtendedLifetime(token) {}
    #expect(log.all.map(\.0) == expected)
  }

  @Test func `the end waits for the value that waits, a failure too`() throws {
    try play(
      """
      source  ab|
      output  a---(b|)
      """
    ) { $0.throttle(for: 4, scheduler: $0.scheduler, latest: true) }
    try play(
      """
      source  ab#
      output  a---(b#)
      """
    ) { $0.throttle(for: 4, scheduler: $0.scheduler, latest: true) }
    try play(
      """
      source  a-#
      output  a-#
      """
    ) { $0.throttle(for: 4, scheduler: $0.scheduler, latest: true) }
  }

  @Test func `everything is requested, and a value without demand is dropped`() throws {
    try play(
      """
      source    ab---c-d--|
      demand    2------1
      output    a-b----d--|
      upstream  *
      """
    ) { $0.throttle(for: 2, scheduler: $0.scheduler, latest: true) }
  }

  @Test func `a value that comes while subscribing passes at once`() {
    let probe = TestSubscriber<Int, Never>(initialDemand: .unlimited)
    let subject = CurrentValueSubject<Int, Never>(1)
    subject.throttle(for: 10, scheduler: clock, latest: true).subscribe(probe)
    clock.advance()
    #expect(probe.values == [1] && probe.subscription.map { "\($0)" } == "Throttle")
  }

  @Test func `a value that waits keeps the chain alive, until a cancel`() {
    let log = Log<Int>()
    var subject: PassthroughSubject<Int, Never>? = PassthroughSubject()
    subject?.throttle(for: 1, scheduler: clock, latest: true).subscribe(
      Recorder<Int, Never> { value, _ in
        log.append(value)
        return .none
      })
    subject?.send(1)
    subject?.send(2)
    subject = nil
    clock.run()
    #expect(log.all == [1, 2])
  }

  @Test func `a cancel drops the value that waits and its timer`() {
    let probe = TestSubscriber<Int, TestFailure>(initialDemand: .unlimited)
    source.throttle(for: 10, scheduler: clock, latest: true).subscribe(probe)
    source.send(1)
    clock.advance()
    source.send(2)
    source.send(completion: .finished)
    probe.cancel()
    #expect(clock.pending.isEmpty)
    clock.run()
    #expect(probe.values == [1] && probe.completion == nil)
  }

  @Test func `a scheduler that runs everything at once is served`() {
    let probe = TestSubscriber<Int, TestFailure>(initialDemand: .unlimited)
    source.throttle(for: 1, scheduler: ImmediateScheduler.shared, latest: false).subscribe(probe)
    let hasty = TestSubscriber<Int, TestFailure>(initialDemand: .unlimited)
    source.throttle(for: 1, scheduler: HastyScheduler(), latest: false).subscribe(hasty)
    for value in 1...3 { source.send(value) }
    source.send(completion: .finished)
    #expect(probe.values == [1, 2, 3] && probe.isFinished)
    #expect(hasty.values == [1, 2, 3] && hasty.isFinished)
  }
}
