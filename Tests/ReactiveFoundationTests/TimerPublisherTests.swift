import Foundation
import Reactive
import ReactiveFoundation
import Testing

@Suite struct TimerPublisherTests {
  typealias DateProbe = Probe<Date, Never>

  private let thread = LoopThread()

  private func publisher(every interval: TimeInterval = 0.01) -> Timer.TimerPublisher {
    Timer.publish(every: interval, on: thread.loop, in: .default)
  }

  @Test func `nothing comes before a connection, then dates on the thread of the loop`() {
    let publisher = publisher(every: 0.02)
    let probe = DateProbe()
    publisher.subscribe(probe)
    #expect(thread.passes())
    #expect(probe.values.isEmpty)
    let start = Date()
    let connection = publisher.connect()
    #expect(probe.waitForValues(3))
    connection.cancel()
    let dates = probe.values.prefix(3)
    #expect(dates.sorted() == Array(dates))
    #expect(dates.first.map { $0.timeIntervalSince(start) > 0.019 } == true)
    #expect(probe.record.value.threads.allSatisfy { $0 === thread.thread })
  }

  @Test func `a subscriber gets as many ticks as it asks for, whatever others do`() {
    let publisher = publisher()
    let modest = DateProbe(.max(2))
    let greedy = DateProbe()
    publisher.subscribe(modest)
    publisher.subscribe(greedy)
    let connection = publisher.connect()
    #expect(greedy.waitForValues(6))
    #expect(modest.values.count == 2)
    // The ticks without demand are gone: what comes now is newer than what the other one has got.
    let seen = greedy.values.last ?? .distantFuture
    modest.request(.max(1))
    #expect(modest.waitForValues(3))
    #expect(modest.values.last ?? .distantPast >= seen)
    let count = greedy.values.count
    #expect(greedy.waitForValues(count + 3))
    #expect(modest.values.count == 3)
    connection.cancel()
  }

  @Test func `demand that a subscriber returns counts, and asking for nothing is none`() {
    let publisher = publisher()
    let returning = DateProbe(.max(1)) { _, probe in probe.values.count < 4 ? .max(1) : .none }
    let silent = DateProbe(.none)
    let greedy = DateProbe()
    for probe in [returning, silent, greedy] { publisher.subscribe(probe) }
    let connection = publisher.connect()
    #expect(greedy.waitForValues(8))
    connection.cancel()
    #expect(returning.values.count == 4)
    #expect(silent.values.isEmpty)
  }

  @Test func `cancelling a subscription ends it alone`() {
    let publisher = publisher()
    let leaving = DateProbe { _, probe in
      if probe.values.count == 2 { probe.cancel() }
      return .none
    }
    let staying = DateProbe()
    publisher.subscribe(leaving)
    publisher.subscribe(staying)
    let connection = publisher.connect()
    #expect(staying.waitForValues(6))
    #expect(leaving.values.count == 2)
    connection.cancel()
  }

  @Test func `every connection has a timer, and cancelling one leaves the other and the subscribers`() {
    let publisher = publisher()
    let probe = DateProbe()
    publisher.subscribe(probe)
    let connections = [publisher.connect(), publisher.connect()]
    #expect(probe.waitForValues(2))
    connections[0].cancel()
    connections[0].cancel()
    #expect(thread.passes())
    let before = probe.values.count
    #expect(probe.waitForValues(before + 3))
    connections[1].cancel()
    #expect(thread.passes())
    let end = probe.values.count
    #expect(thread.passes(5))
    #expect(probe.values.count == end)
    let again = publisher.connect()
    #expect(probe.waitForValues(end + 1))
    again.cancel()
  }

  @Test func `two connections tick twice as often as one`() {
    let publisher = publisher(every: 0.05)
    let probe = DateProbe()
    publisher.subscribe(probe)
    let connections = (0..<4).map { _ in publisher.connect() }
    #expect(probe.waitForValues(8))
    for connection in connections { connection.cancel() }
    // One timer alone needs seven intervals from the first tick to the eighth.
    let dates = probe.values
    #expect(dates[7].timeIntervalSince(dates[0]) < 7 * 0.05)
  }

  @Test func `a connection that is released goes on`() {
    let publisher = publisher()
    let probe = DateProbe()
    publisher.subscribe(probe)
    _ = publisher.connect()
    #expect(probe.waitForValues(5))
    probe.cancel()
  }

  @Test func `a connection keeps the ticks coming when nobody else holds the publisher`() {
    let probe = DateProbe()
    let connection: any Cancellable
    do {
      let publisher = publisher()
      publisher.subscribe(probe)
      connection = publisher.connect()
    }
    #expect(probe.waitForValues(3))
    connection.cancel()
  }

  @Test func `it connects by itself with autoconnect, and stops with the last subscriber`() {
    let ticks = Watched(0)
    let token = publisher().autoconnect().sink { _ in ticks.change { $0 += 1 } }
    #expect(ticks.wait { $0 >= 3 })
    token.cancel()
    #expect(thread.passes())
    let count = ticks.value
    #expect(thread.passes(5))
    #expect(ticks.value == count)
  }

  @Test func `a timer in another mode waits until the loop runs in that mode`() {
    let other = Timer.publish(every: 0.005, on: thread.loop, in: RunLoop.Mode("another"))
    let probe = DateProbe()
    other.subscribe(probe)
    let connection = other.connect()
    #expect(thread.passes(5))
    #expect(probe.values.isEmpty)
    thread.loop.schedule {
      let limit = Date(timeIntervalSinceNow: patience)
      while probe.values.isEmpty, Date() < limit {
        _ = RunLoop.current.run(mode: RunLoop.Mode("another"), before: limit)
      }
    }
    #expect(probe.waitForValues(1))
    connection.cancel()
  }

  @Test func `a cancelled subscription that is kept holds no subscriber`() {
    let publisher = publisher()
    weak var gone: DateProbe?
    var subscription: (any Subscription)?
    let connection = publisher.connect()
    do {
      let probe = DateProbe()
      gone = probe
      publisher.subscribe(probe)
      #expect(probe.waitForValues(1))
      subscription = probe.record.value.subscription
      subscription?.cancel()
    }
    // A tick may be on its way.
    #expect(thread.passes())
    #expect(gone == nil)
    connection.cancel()
    withExtendedLifetime(subscription) {}
  }

  @Test(arguments: [200_000, 1e300, .infinity] as [TimeInterval])
  func `a long interval does not trap`(interval: TimeInterval) {
    let probe = DateProbe()
    let publisher = publisher(every: interval)
    publisher.subscribe(probe)
    let connection = publisher.connect()
    #expect(thread.passes())
    connection.cancel()
    #expect(probe.values.isEmpty)
  }

  @Test(arguments: [0, -1, -.infinity, 1e-300] as [TimeInterval]) func `an interval that is none is a very short one`(
    interval: TimeInterval
  ) {
    let probe = DateProbe()
    let publisher = publisher(every: interval)
    publisher.subscribe(probe)
    let connection = publisher.connect()
    #expect(probe.waitForValues(10))
    connection.cancel()
  }

  @Test func `the publisher keeps what it was made with, the tolerance too`() {
    let publisher = Timer.publish(every: 2, tolerance: 0.5, on: thread.loop, in: .common)
    #expect(publisher.interval == 2)
    #expect(publisher.tolerance == 0.5)
    #expect(publisher.runLoop === thread.loop)
    #expect(publisher.mode == .common)
    #expect(publisher.options == nil)
    #expect(self.publisher().tolerance == nil)
    let probe = DateProbe()
    publisher.subscribe(probe)
    #expect(probe.record.value.subscription.map { String(describing: $0) } == "Timer")
  }
}
