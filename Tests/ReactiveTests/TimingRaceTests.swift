import Reactive
import ReactiveTesting
import Testing

/// Two threads at the same operator: one sends or cancels, the other one is the scheduler.
@Suite struct TimingRaceTests {
  private final class Meeting<Output> {
    let clock = TestScheduler()
    let source = PassthroughSubject<Int, Never>()
    let probe: TestSubscriber<Output, Never>
    /// How many values had come when the cancel returned.
    var atCancel = Int.max

    init(_ demand: Subscribers.Demand, _ apply: (Meeting) -> AnyPublisher<Output, Never>) {
      probe = TestSubscriber(initialDemand: demand)
      apply(self).subscribe(probe)
    }

    func cancel() {
      probe.cancel()
      atCancel = probe.values.count
    }

    func settle() -> Bool {
      clock.run()
      return probe.violations.isEmpty
    }
  }

  @Test func `sending while the drain runs loses nothing and keeps the order`() {
    let race = Race<Meeting<Int>>(
      make: {
        let meeting = Meeting<Int>(.unlimited) { $0.source.receive(on: $0.clock).eraseToAnyPublisher() }
        meeting.source.send(1)
        return meeting
      },
      first: { meeting in
        meeting.source.send(2)
        meeting.source.send(3)
        meeting.source.send(completion: .finished)
      },
      second: { $0.clock.advance() })
    #expect(race.faults { $0.settle() && $0.probe.values == [1, 2, 3] && $0.probe.isFinished } == 0)
  }

  @Test func `a cancel while the drain runs stops it after at most one value`() {
    let race = Race<Meeting<Int>>(
      make: {
        let meeting = Meeting<Int>(.unlimited) { $0.source.receive(on: $0.clock).eraseToAnyPublisher() }
        for value in 1...4 { meeting.source.send(value) }
        meeting.source.send(completion: .finished)
        return meeting
      },
      first: { $0.cancel() }, second: { $0.clock.advance() })
    #expect(race.faults { $0.settle() && $0.probe.values.count - $0.atCancel <= 1 } == 0)
  }

  @Test func `the completion and a cancel do not wait for each other`() {
    let race = Race<Meeting<Int>>(
      make: {
        Meeting<Int>(.unlimited) { $0.source.receive(on: ImmediateScheduler.shared).eraseToAnyPublisher() }
      },
      first: { $0.source.send(completion: .finished) }, second: { $0.cancel() })
    #expect(race.faults { $0.settle() } == 0)
  }

  @Test func `requests while the drain runs are not lost`() {
    let race = Race<Meeting<Int>>(
      make: {
        let meeting = Meeting<Int>(.max(1)) { meeting in
          (1...5).publisher.receive(on: meeting.clock).eraseToAnyPublisher()
        }
        return meeting
      },
      first: { meeting in for _ in 0..<4 { meeting.probe.request(.max(1)) } },
      second: { $0.clock.advance() })
    #expect(race.faults { $0.settle() && $0.probe.values == [1, 2, 3, 4, 5] && $0.probe.isFinished } == 0)
  }

  @Test func `a value that meets the timeout comes before the end or not at all`() {
    let race = Race<Meeting<Int>>(
      make: { Meeting<Int>(.unlimited) { $0.source.timeout(1, scheduler: $0.clock).eraseToAnyPublisher() } },
      first: { $0.source.send(1) }, second: { $0.clock.advance(by: 1) })
    #expect(
      race.faults { meeting in
        meeting.settle() && meeting.probe.isFinished && meeting.probe.values.count <= 1
          && meeting.clock.pending.isEmpty
      } == 0)
  }

  @Test func `a debounce that meets a value, and then the end, leaves no timer`() {
    let race = Race<Meeting<Int>>(
      make: {
        let meeting = Meeting<Int>(.unlimited) { $0.source.debounce(for: 1, scheduler: $0.clock).eraseToAnyPublisher() }
        meeting.source.send(1)
        return meeting
      },
      first: { meeting in
        meeting.source.send(2)
        meeting.source.send(completion: .finished)
      },
      second: { $0.clock.advance(by: 1) })
    #expect(
      race.faults { meeting in
        meeting.settle() && meeting.probe.isFinished && meeting.clock.pending.isEmpty
          && [[], [1], [1, 2], [2]].contains(meeting.probe.values)
      } == 0)
  }

  @Test func `a cancel that meets an alarm leaves no timer`() {
    let race = Race<Meeting<[Int]>>(
      make: {
        let meeting = Meeting<[Int]>(.unlimited) { $0.source.collect(.byTime($0.clock, 1)).eraseToAnyPublisher() }
        meeting.source.send(1)
        return meeting
      },
      first: { $0.cancel() }, second: { $0.clock.advance(by: 1) })
    #expect(race.faults { $0.settle() && $0.clock.pending.isEmpty && $0.probe.values.count <= 1 } == 0)
  }

  @Test func `requests and a cancel that meet at a caller reach upstream one by one`() {
    typealias Pair = (source: TestPublisher<Int, Never>, probe: TestSubscriber<Int, Never>)
    let race = Race<Pair>(
      make: {
        let pair = Pair(TestPublisher(), TestSubscriber(initialDemand: .max(1)))
        pair.source.subscribe(on: ImmediateScheduler.shared).subscribe(pair.probe)
        return pair
      },
      first: { pair in for _ in 0..<3 { pair.probe.request(.max(1)) } },
      second: { $0.probe.cancel() })
    #expect(race.faults { $0.source.violations.isEmpty && $0.source.cancelCount == 1 } == 0)
  }
}
