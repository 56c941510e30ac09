import Reactive
import Testing

@testable import ReactiveTesting

/// Two threads at the same operator: one sends or cancels, the other one is the scheduler.
@Suite struct TimingRaceTests {
  private final class Meeting<Output>: Cancellable, CustomStringConvertible {
    let clock = TestScheduler()
    let source = PassthroughSubject<Int, Never>()
    let probe: TestSubscriber<Output, Never>
    let stuck = Flag()
    /// How many values had come when the cancel returned.
    private(set) var atCancel = Int.max

    init(_ demand: Subscribers.Demand = .unlimited, _ apply: (Meeting) -> any Publisher<Output, Never>) {
      probe = TestSubscriber(initialDemand: demand)
      apply(self).subscribe(probe)
    }

    func cancel() {
      probe.cancel()
      atCancel = probe.values.count
    }

    func settle() -> Bool {
      clock.run()
      return probe.violations.isEmpty && !stuck.isSet
    }

    func sending(_ values: ClosedRange<Int>) -> Meeting {
      for value in values { source.send(value) }
      return self
    }

    var description: String {
      "\(probe), \(probe.violations.map(\.detail)), \(clock.pending.count) timers\(stuck.isSet ? ", stuck" : "")"
    }
  }

  private func hopping(isCareless: Bool) -> Meeting<Int> {
    Meeting<Int> { meeting in
      if isCareless { return CarelessHop(upstream: meeting.source, clock: meeting.clock) }
      return meeting.source.receive(on: meeting.clock)
    }
  }

  private func careless(_ operation: TimedOperation) -> Meeting<[Int]> {
    Meeting { CarelessTimer(operation: operation, upstream: $0.source, clock: $0.clock) }
  }

  @Test func `sending while the drain runs loses nothing and keeps the order`() async throws {
    try await Race(
      .c20, make: { hopping(isCareless: false).sending(1...1) },
      first: { meeting in
        meeting.source.send(2)
        meeting.source.send(3)
        meeting.source.send(completion: .finished)
      },
      second: { $0.clock.advance() },
      isRight: { $0.settle() && $0.probe.values == [1, 2, 3] && $0.probe.isFinished }
    ).verify(twin: { hopping(isCareless: true).sending(1...1) })
  }

  @Test func `a cancel while the drain runs stops it after at most one value`() async throws {
    func meeting(isCareless: Bool) -> Meeting<Int> {
      let meeting = hopping(isCareless: isCareless).sending(1...4)
      meeting.source.send(completion: .finished)
      return meeting
    }
    try await Race(
      .c13, make: { meeting(isCareless: false) }, first: { $0.cancel() }, second: { $0.clock.advance() },
      isRight: { $0.settle() && $0.probe.values.count - $0.atCancel <= 1 }
    ).verify(twin: { meeting(isCareless: true) })
  }

  @Test func `the completion and a cancel do not wait for each other`() async throws {
    try await Race(
      .c16, make: { Meeting<Int> { $0.source.receive(on: ImmediateScheduler.shared) } },
      first: { $0.source.send(completion: .finished) }, second: { $0.cancel() }, isRight: { $0.settle() }
    ).verify(twin: { Meeting<Int> { $0.source.embracing($0.stuck) } })
  }

  @Test func `requests while the drain runs are not lost`() async throws {
    try await Race(
      .c06, make: { Meeting<Int>(.max(1)) { (1...5).publisher.receive(on: $0.clock) } },
      first: { meeting in for _ in 0..<4 { meeting.probe.request(.max(1)) } }, second: { $0.clock.advance() },
      isRight: { $0.settle() && $0.probe.values == [1, 2, 3, 4, 5] && $0.probe.isFinished }
    ).verify(twin: { Meeting<Int>(.max(1)) { CarelessHop(upstream: (1...5).publisher, clock: $0.clock) } })
  }

  @Test func `a value that meets the timeout comes before the end or not at all`() async throws {
    try await Race(
      .c17, make: { Meeting<[Int]> { $0.source.timeout(1, scheduler: $0.clock).map { [$0] } } },
      first: { $0.source.send(1) }, second: { $0.clock.advance(by: 1) },
      isRight: { meeting in
        meeting.settle() && meeting.probe.isFinished && meeting.probe.values.count <= 1
          && meeting.clock.pending.isEmpty
      }
    ).verify(twin: { careless(.timeout) })
  }

  @Test func `a debounce that meets a value, and then the end, leaves no timer`() async throws {
    try await Race(
      .c17,
      make: { Meeting<[Int]> { $0.source.debounce(for: 1, scheduler: $0.clock).map { [$0] } }.sending(1...1) },
      first: { meeting in
        meeting.source.send(2)
        meeting.source.send(completion: .finished)
      },
      second: { $0.clock.advance(by: 1) },
      isRight: { meeting in
        meeting.settle() && meeting.probe.isFinished && meeting.clock.pending.isEmpty
          && [[], [1], [1, 2], [2]].contains(meeting.probe.values.flatMap { $0 })
      }
    ).verify(twin: { careless(.debounce).sending(1...1) })
  }

  @Test func `a cancel that meets an alarm leaves no timer`() async throws {
    try await Race(
      .c15, make: { Meeting<[Int]> { $0.source.collect(.byTime($0.clock, 1)) }.sending(1...1) },
      first: { $0.cancel() }, second: { $0.clock.advance(by: 1) },
      isRight: { $0.clock.pending.isEmpty && $0.settle() && $0.probe.values.count <= 1 }
    ).verify(twin: { careless(.collect).sending(1...1) })
  }

  @Test func `requests and a cancel that meet at a caller reach upstream one by one`() async throws {
    struct Pair {
      let source = TestPublisher<Int, Never>()
      let probe = TestSubscriber<Int, Never>(initialDemand: .max(1))

      init(_ apply: (TestPublisher<Int, Never>) -> any Publisher<Int, Never>) {
        // Calls that should not overlap take a little time, so that they could.
        source.onCall = { _ in TestThread.linger() }
        apply(source).subscribe(probe)
      }
    }
    try await Race(
      .s2_07, make: { Pair { $0.subscribe(on: ImmediateScheduler.shared) } },
      first: { pair in for _ in 0..<3 { pair.probe.request(.max(1)) } }, second: { $0.probe.cancel() },
      isRight: { $0.source.violations.isEmpty && $0.source.cancelCount == 1 }
    ).verify(twin: { Pair { $0 } })
  }
}
