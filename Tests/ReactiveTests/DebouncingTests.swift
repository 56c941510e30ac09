import Dispatch
import Reactive
import ReactiveTesting
import Testing

@Suite struct DebounceTests {
  private let clock = TestScheduler()
  private let source = TestPublisher<Int, TestFailure>()
  private let probe = TestSubscriber<Int, TestFailure>(initialDemand: .unlimited)

  @Test func `it keeps the rules of both its sides`() throws {
    try OperatorVerification<Int, _>("debounce", .mayBuffer) { $0.debounce(for: 1, scheduler: $1) }
      .verifyAll().orThrow()
  }

  @Test func `a value comes once it has been quiet, and the end drops one that waits`() throws {
    try play(
      """
      source  -ab--c-d-----|
      output  ----b----d---|
      """
    ) { $0.debounce(for: 2, scheduler: $0.scheduler) }
    try play(
      """
      source  -a-b-|
      output  -----|
      """
    ) { $0.debounce(for: 3, scheduler: $0.scheduler) }
    try play(
      """
      source  -a-b-#
      output  -----#
      """
    ) { $0.debounce(for: 3, scheduler: $0.scheduler) }
  }

  @Test func `everything is requested, and a value that is due without demand is dropped`() throws {
    try play(
      """
      source    a---b---c---d
      demand    1-----1-------!
      output    -a-------c
      upstream  *-------------!
      """
    ) { $0.debounce(for: 1, scheduler: $0.scheduler) }
  }

  @Test func `values that come faster than the due time never pass`() {
    source.debounce(for: 2, scheduler: clock).subscribe(probe)
    for value in 1...10 {
      source.send(value)
      clock.advance(by: 1)
    }
    source.send(completion: .finished)
    clock.run()
    #expect(probe.values == [] && probe.isFinished && clock.pending.isEmpty)
  }

  @Test func `a value that comes as another is due belongs to the next quiet time`() {
    source.debounce(for: 2, scheduler: clock).subscribe(probe)
    source.send(1)
    clock.advance(by: 1)
    source.send(2)
    clock.advance(by: 1)
    #expect(probe.values == [])
    clock.advance(by: 1)
    #expect(probe.values == [2] && clock.pending.isEmpty)
  }

  @Test func `many values set one timer, and a cancel takes it back`() {
    source.debounce(for: 2, scheduler: clock).subscribe(probe)
    for value in 1...1000 { source.send(value) }
    #expect(clock.pending.count == 1)
    probe.cancel()
    #expect(clock.pending.isEmpty && source.cancelCount == 1)
    clock.advance(by: 5)
    #expect(probe.values == [])
  }

  @Test func `it ends on a clock that another operator shares`() {
    source.debounce(for: 1, scheduler: clock).receive(on: clock).subscribe(probe)
    source.send(1)
    clock.advance(by: 100)
    #expect(probe.values == [1] && clock.pending.isEmpty)
  }

  @Test func `values and the completion come on the scheduler`() {
    let queue = QueueScheduler()
    let places = Log<Bool>()
    let noted = DispatchSemaphore(value: 0)
    let source = PassthroughSubject<Int, Never>()
    let token = source.debounce(for: .milliseconds(1), scheduler: queue).sink(
      receiveCompletion: { _ in
        places.append(queue.isCurrent)
        noted.signal()
      },
      receiveValue: { _ in
        places.append(queue.isCurrent)
        noted.signal()
      })
    source.send(1)
    #expect(noted.wait(timeout: .now() + 60) == .success)
    source.send(completion: .finished)
    #expect(noted.wait(timeout: .now() + 60) == .success)
    #expect(places.all == [true, true])
    token.cancel()
  }

  @Test func `a scheduler that runs everything at once lets every value pass`() {
    source.debounce(for: 1, scheduler: HastyScheduler()).subscribe(probe)
    source.send(1)
    source.send(2)
    let immediate = TestSubscriber<Int, TestFailure>(initialDemand: .unlimited)
    source.debounce(for: 1, scheduler: ImmediateScheduler.shared).subscribe(immediate)
    source.send(3)
    source.send(completion: .finished)
    #expect(probe.values == [1, 2, 3] && immediate.values == [3] && immediate.isFinished)
  }

  @Test func `a value that is replaced is released at once, and the last one with a cancel`() {
    let source = PassthroughSubject<Witness?, Never>()
    let recorder = Recorder<Witness?, Never>()
    source.debounce(for: 1, scheduler: clock).subscribe(recorder)
    var witness: Witness? = Witness()
    weak let first = witness
    source.send(witness)
    witness = Witness()
    weak let second = witness
    source.send(witness)
    witness = nil
    #expect(first == nil && second != nil)
    recorder.cancel()
    #expect(second == nil)
  }

  @Test func `the subscription says its name, and options are passed on`() {
    let scheduler = OptionScheduler()
    source.debounce(for: 1, scheduler: scheduler, options: "a").subscribe(probe)
    #expect(probe.subscription.map { "\($0)" } == "Debounce")
    source.send(1)
    scheduler.base.run()
    source.send(completion: .finished)
    #expect(scheduler.options.all == ["a", "a"])
  }
}
