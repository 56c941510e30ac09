import Reactive
import ReactiveTesting
import Testing

@Suite struct TimeoutTests {
  private let clock = TestScheduler()
  private let source = TestPublisher<Int, TestFailure>()
  private let probe = TestSubscriber<Int, TestFailure>(initialDemand: .unlimited)

  @Test func `it keeps the rules of both its sides`() throws {
    // The time must not be over before the kit has sent what it sends.
    let verification = OperatorVerification<Int, _>("timeout", .passesDemand) { source, _ in
      source.timeout(.seconds(1000), scheduler: Patient())
    }
    try verification.verifyAll().orThrow()
  }

  @Test func `silence ends the stream and cancels upstream`() throws {
    try play(
      """
      source    -a-b------c-|
      demand    *
      output    -a-b---|
      upstream  *------!
      """
    ) { $0.timeout(4, scheduler: $0.scheduler) }
  }

  @Test func `silence ends it with the error that was chosen`() throws {
    try play(
      """
      source    -a----b
      output    -a--#
      upstream  *---!
      """
    ) { $0.timeout(3, scheduler: $0.scheduler, customError: { ReactiveTesting.TestFailure() }) }
  }

  @Test func `the end of upstream stops the clock`() throws {
    try play(
      """
      source    -a-|
      output    -a-|
      upstream  *
      """
    ) { $0.timeout(3, scheduler: $0.scheduler) }
  }

  @Test func `the first request begins the time anew, and it runs without demand`() throws {
    try play(
      """
      source    -
      demand    --1-1
      output    -----|
      upstream  --1-1!
      """
    ) { $0.timeout(3, scheduler: $0.scheduler) }
    try play(
      """
      source    -
      demand
      output    ---|
      upstream  ---!
      """
    ) { $0.timeout(3, scheduler: $0.scheduler) }
  }

  @Test func `it does not fire while values keep coming`() {
    source.timeout(2, scheduler: clock).subscribe(probe)
    for value in 1...3 {
      clock.advance(by: 1)
      source.send(value)
    }
    clock.advance(to: .init(4.9))
    #expect(probe.values == [1, 2, 3] && probe.completion == nil)
    clock.advance(by: 0.1)
    #expect(probe.isFinished)
  }

  @Test func `no timer is left, however it ends`() {
    source.timeout(2, scheduler: clock).subscribe(probe)
    clock.advance(by: 2)
    #expect(probe.isFinished && source.cancelCount == 1 && clock.pending.isEmpty)

    let finishing = TestSubscriber<Int, TestFailure>(initialDemand: .unlimited)
    source.timeout(2, scheduler: clock).subscribe(finishing)
    source.send(1)
    source.send(completion: .finished)
    clock.advance()
    #expect(finishing.isFinished && clock.pending.isEmpty)

    let cancelling = TestSubscriber<Int, TestFailure>(initialDemand: .unlimited)
    source.timeout(2, scheduler: clock).subscribe(cancelling)
    cancelling.cancel()
    #expect(clock.pending.isEmpty)
  }

  @Test func `values that were accepted in time come before the end`() throws {
    let source = PassthroughSubject<Int, Never>()
    let gate = Gate()
    let probe = TestSubscriber<Int, Never>(initialDemand: .unlimited) { signal in
      if case .value(1) = signal { gate.pass() }
      return .proceed
    }
    source.timeout(2, scheduler: clock).subscribe(probe)
    source.send(1)
    let other = TestThread { [clock] in clock.advance() }
    try gate.waitUntilParked()
    source.send(2)
    clock.advance(by: 2)
    #expect(probe.completion == nil)
    gate.open()
    #expect(other.join())
    #expect(probe.values == [1, 2] && probe.isFinished && probe.violations.isEmpty)
  }

  @Test func `on a scheduler without a clock time is over at the start`() {
    source.timeout(1, scheduler: ImmediateScheduler.shared).subscribe(probe)
    #expect(probe.isFinished && source.cancelCount == 1 && probe.violations.isEmpty)
  }

  @Test func `the error is made outside the lock and only once`() {
    let made = Log<Void>()
    source.timeout(
      1, scheduler: clock,
      customError: { [probe] in
        made.append(())
        probe.request(.max(1))
        return TestFailure()
      }
    ).subscribe(probe)
    clock.advance(by: 10)
    #expect(made.all.count == 1 && probe.failure == TestFailure())
  }

  @Test func `values come on the scheduler, the subscription says its name, and options are passed on`() {
    let scheduler = OptionScheduler()
    source.timeout(1, scheduler: scheduler, options: "a").subscribe(probe)
    source.send(1)
    #expect(probe.values == [] && probe.subscription.map { "\($0)" } == "Timeout")
    scheduler.base.advance()
    #expect(probe.values == [1] && scheduler.options.all == ["a", "a"])
  }

  /// Runs jobs at once, and alarms never.
  private struct Patient: Scheduler {
    typealias SchedulerOptions = Never

    var now: TestScheduler.SchedulerTimeType { .init(0) }
    var minimumTolerance: TestScheduler.SchedulerTimeType.Stride { 0 }

    func schedule(options: Never?, _ action: @escaping () -> Void) { action() }

    func schedule(
      after date: TestScheduler.SchedulerTimeType, tolerance: TestScheduler.SchedulerTimeType.Stride, options: Never?,
      _ action: @escaping () -> Void
    ) {}

    func schedule(
      after date: TestScheduler.SchedulerTimeType, interval: TestScheduler.SchedulerTimeType.Stride,
      tolerance: TestScheduler.SchedulerTimeType.Stride, options: Never?, _ action: @escaping () -> Void
    ) -> any Cancellable { AnyCancellable { withExtendedLifetime(action) {} } }
  }
}
