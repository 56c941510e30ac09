import Dispatch
import Reactive
import ReactiveTesting
import Testing

@Suite struct CollectByTimeTests {
  private let clock = TestScheduler()
  private let source = TestPublisher<Int, TestFailure>()
  private let probe = TestSubscriber<[Int], TestFailure>(initialDemand: .unlimited)

  @Test func `it keeps the rules of both its sides`() throws {
    // A timer that never ends would keep the kit's clock running; a hasty clock gives one group for each value.
    try OperatorVerification<Int, _>("collect(byTimeOrCount)", .mayBuffer) { source, _ in
      source.collect(.byTimeOrCount(ImmediateScheduler.shared, 1, 1))
    }.verifyAll().orThrow()
  }

  @Test func `each interval gives a group, and the end gives the rest`() throws {
    try play(
      """
      source    -ab-c-d--e|
      output    ----x---y-(z|)
      upstream  *
      x = ["a", "b", "c"]
      y = ["d"]
      z = ["e"]
      """
    ) { $0.collect(.byTime($0.scheduler, 4)) }
  }

  @Test func `an interval without values gives nothing, and a failure drops the rest`() throws {
    try play(
      """
      source  -a-----b#
      output  --x-----#
      x = ["a"]
      """
    ) { $0.collect(.byTime($0.scheduler, 2)) }
  }

  @Test func `groups do not lump together under a virtual clock`() {
    source.collect(.byTime(clock, 3)).subscribe(probe)
    for (value, time) in [(1, 1), (2, 2), (3, 4), (4, 5), (5, 7), (6, 8)] {
      clock.schedule(after: .init(.seconds(time))) { [source] in source.send(value) }
    }
    clock.schedule(after: .init(9)) { [source] in source.send(completion: .finished) }
    clock.advance(by: 20)
    #expect(probe.values == [[1, 2], [3, 4], [5, 6]] && probe.isFinished && clock.pending.isEmpty)
  }

  @Test func `a full group comes at once and does not begin a new interval`() throws {
    try play(
      """
      source  -abc---d-|
      output  --x-y---z|
      x = ["a", "b"]
      y = ["c"]
      z = ["d"]
      """
    ) { $0.collect(.byTimeOrCount($0.scheduler, 4, 2)) }
  }

  @Test func `groups wait for demand, and upstream is asked for what they can hold`() throws {
    try play(
      """
      source    -abc--de--f|
      demand    1----1
      output    --x----y---|
      upstream  2----2
      x = ["a", "b"]
      y = ["d", "e"]
      """
    ) { $0.collect(.byTimeOrCount($0.scheduler, 100, 2)) }
  }

  @Test func `a partial group leaves its room to the next ones`() {
    let probe = TestSubscriber<[Int], TestFailure>(initialDemand: .max(1))
    source.collect(.byTimeOrCount(clock, 1, 3)).subscribe(probe)
    source.send(1)
    clock.advance(by: 1)
    #expect(probe.values == [[1]] && source.requests == [.max(3)])
    probe.request(.max(1))
    #expect(source.requests == [.max(3), .max(1)])
    probe.request(.unlimited)
    #expect(source.requests == [.max(3), .max(1), .unlimited])
  }

  @Test func `a group without demand goes on growing, and what is left waits for demand at the end`() {
    let probe = TestSubscriber<[Int], TestFailure>(initialDemand: .none)
    source.collect(.byTime(clock, 1)).subscribe(probe)
    source.send(1)
    clock.advance(by: 1)
    source.send(2)
    source.send(completion: .finished)
    clock.advance(by: 1)
    #expect(probe.values == [] && probe.completion == nil && clock.pending.isEmpty)
    probe.request(.max(1))
    clock.advance()
    #expect(probe.values == [[1, 2]] && probe.isFinished)
  }

  @Test func `demand returned with a group counts`() {
    let probe = TestSubscriber<[Int], TestFailure>(initialDemand: .max(1)) { signal in
      if case .value = signal { .demand(.max(1)) } else { .proceed }
    }
    source.collect(.byTimeOrCount(clock, 10, 2)).subscribe(probe)
    for value in 1...6 {
      source.send(value)
      clock.advance()
    }
    #expect(probe.values == [[1, 2], [3, 4], [5, 6]])
  }

  @Test func `a cancel drops the group and ends the timer`() {
    source.collect(.byTime(clock, 1)).subscribe(probe)
    source.send(1)
    probe.cancel()
    #expect(clock.pending.isEmpty && source.cancelCount == 1)
    clock.advance(by: 5)
    #expect(probe.values == [])
  }

  @Test func `a cancel releases what was gathered`() {
    let source = PassthroughSubject<Witness?, Never>()
    let recorder = Recorder<[Witness?], Never>()
    source.collect(.byTime(clock, 1)).subscribe(recorder)
    var witness: Witness? = Witness()
    weak let payload = witness
    source.send(witness)
    witness = nil
    #expect(payload != nil)
    recorder.cancel()
    #expect(payload == nil)
  }

  @Test func `groups and the completion come on the scheduler`() {
    let queue = QueueScheduler()
    let places = Log<Bool>()
    let groups = Log<[Int]>()
    let ended = DispatchSemaphore(value: 0)
    let source = PassthroughSubject<Int, Never>()
    let token = source.collect(.byTime(queue, .seconds(100))).sink(
      receiveCompletion: { _ in
        places.append(queue.isCurrent)
        ended.signal()
      },
      receiveValue: { group in
        places.append(queue.isCurrent)
        groups.append(group)
      })
    source.send(1)
    source.send(2)
    source.send(completion: .finished)
    #expect(ended.wait(timeout: .now() + 60) == .success)
    #expect(groups.all == [[1, 2]] && places.all == [true, true])
    token.cancel()
  }

  @Test func `a count below one counts as one`() {
    source.collect(.byTimeOrCount(clock, 1, 0)).subscribe(probe)
    source.send(1)
    source.send(2)
    clock.advance()
    #expect(probe.values == [[1], [2]])
  }

  @Test func `on a scheduler without a clock the end gives the group`() {
    source.collect(.byTime(ImmediateScheduler.shared, 1)).subscribe(probe)
    source.send(1)
    source.send(2)
    #expect(probe.values == [])
    source.send(completion: .finished)
    #expect(probe.values == [[1, 2]] && probe.isFinished)
  }

  @Test func `the subscription says its name, and options are passed on`() {
    let scheduler = OptionScheduler()
    source.collect(.byTimeOrCount(scheduler, 1, 1), options: "a").subscribe(probe)
    source.send(1)
    scheduler.base.advance()
    #expect(probe.subscription.map { "\($0)" } == "CollectByTime")
    #expect(probe.values == [[1]] && scheduler.options.all == ["a", "a"])
  }
}
