import Reactive
import Testing

@testable import ReactiveTesting

@Suite struct TestSchedulerTests {
  typealias Time = TestScheduler.SchedulerTimeType

  private let scheduler = TestScheduler()
  private let log = Log<String>()

  private func note(_ text: String) { log.append("\(text)@\(scheduler.now)") }

  @Test func `work runs at its time and not before`() {
    scheduler.schedule(after: Time(2)) { note("a") }
    scheduler.advance(by: 1)
    #expect(log.all == [])
    scheduler.advance(by: 1)
    #expect(log.all == ["a@2"])
  }

  @Test func `during a large advance the clock shows the time of the work`() {
    for time in [3, 1, 2] { scheduler.schedule(after: Time(.seconds(time))) { note("x") } }
    scheduler.advance(by: 10)
    #expect(log.all == ["x@1", "x@2", "x@3"])
    #expect(scheduler.now == Time(10))
  }

  @Test func `equal times keep the order of scheduling`() {
    for name in ["a", "b", "c"] { scheduler.schedule(after: Time(1)) { note(name) } }
    scheduler.advance(by: 1)
    #expect(log.all == ["a@1", "b@1", "c@1"])
  }

  @Test func `repeating work keeps its place among equal times`() {
    let tokens = [2, 3].map { seconds in
      scheduler.schedule(after: Time(.seconds(seconds)), interval: .seconds(seconds)) { note("\(seconds)") }
    }
    scheduler.advance(to: Time(6))
    #expect(log.all == ["2@2", "3@3", "2@4", "2@6", "3@6"])
    for token in tokens { token.cancel() }
    #expect(scheduler.pending.isEmpty)
  }

  @Test func `work that schedules work for now runs it in the same advance`() {
    scheduler.schedule {
      note("a")
      scheduler.schedule { note("b") }
    }
    scheduler.advance()
    #expect(log.all == ["a@0", "b@0"])
  }

  @Test func `work that schedules more work within the advance runs it there`() {
    func again(_ left: Int) {
      note("\(left)")
      if left > 1 { scheduler.schedule(after: scheduler.now.advanced(by: 10)) { again(left - 1) } }
    }
    scheduler.schedule(after: Time(10)) { again(5) }
    scheduler.advance(by: 50)
    #expect(log.all == ["5@10", "4@20", "3@30", "2@40", "1@50"])
  }

  @Test func `work scheduled by other work leaves no wrong entry behind`() {
    // What a debounce does whose result hops to the same scheduler.
    scheduler.schedule(after: Time(1)) { scheduler.schedule { note("a") } }
    scheduler.advance(by: 100)
    #expect(log.all == ["a@1"])
    #expect(scheduler.pending.isEmpty)
  }

  @Test func `repeating work can cancel itself and others from inside`() {
    var tokens: [any Cancellable] = []
    for name in ["a", "b"] {
      tokens.append(
        scheduler.schedule(after: Time(1), interval: 1) {
          note(name)
          for token in tokens { token.cancel() }
        })
    }
    scheduler.advance(by: 5)
    #expect(log.all == ["a@1"])
    #expect(scheduler.pending.isEmpty)
  }

  @Test func `cancelling releases the closure`() {
    weak var watched: Witness?
    let cancellable: any Cancellable
    do {
      let token = Witness()
      watched = token
      cancellable = scheduler.schedule(after: Time(1), interval: 1) { withExtendedLifetime(token) {} }
    }
    #expect(watched != nil)
    cancellable.cancel()
    #expect(watched == nil)
  }

  @Test func `an interval that is not positive repeats nothing`() {
    let token = scheduler.schedule(after: Time(1), interval: 0) { note("a") }
    scheduler.advance(by: 5)
    #expect(log.all == ["a@1"])
    token.cancel()
  }

  @Test func `a time that has passed counts as now`() {
    scheduler.advance(to: Time(5))
    scheduler.schedule(after: Time(1)) { note("a") }
    scheduler.advance()
    #expect(log.all == ["a@5"])
  }

  @Test func `work may move time itself`() {
    scheduler.schedule(after: Time(1)) {
      scheduler.advance(by: 5)
      note("a")
    }
    scheduler.schedule(after: Time(3)) { note("b") }
    scheduler.advance(to: Time(2))
    #expect(log.all == ["b@3", "a@6"])
    #expect(scheduler.now == Time(6))
  }

  @Test func `running stops when nothing is left, or at the limit`() {
    scheduler.schedule(after: Time(7)) { note("a") }
    #expect(scheduler.run())
    #expect(scheduler.now == Time(7))
    let token = scheduler.schedule(after: Time(8), interval: 1) { note("t") }
    #expect(!scheduler.run(limit: 3))
    #expect(log.all == ["a@7", "t@8", "t@9", "t@10"])
    token.cancel()
  }

  @Test func `the next piece of work can be run alone`() {
    scheduler.schedule(after: Time(1)) { note("a") }
    scheduler.schedule(after: Time(2)) { note("b") }
    #expect(scheduler.runNext())
    #expect(log.all == ["a@1"])
    #expect(scheduler.runNext())
    #expect(!scheduler.runNext())
  }

  @Test func `what is planned is shown in its order`() {
    scheduler.schedule(after: Time(2)) {}
    let token = scheduler.schedule(after: Time(1), interval: 0.5) {}
    #expect(scheduler.pending.map(\.description) == ["at 1, then every 0.5", "at 2"])
    token.cancel()
    #expect(scheduler.pending.map(\.description) == ["at 2"])
  }

  @Test func `many cancelled timers leave the others alone`() {
    let tokens = (1...1000).map { scheduler.schedule(after: Time(.seconds($0)), interval: 1) { note("no") } }
    for time in [900, 30, 500] { scheduler.schedule(after: Time(.seconds(time))) { note("x") } }
    for token in tokens { token.cancel() }
    #expect(scheduler.pending.count == 3)
    scheduler.run()
    #expect(log.all == ["x@30", "x@500", "x@900"])
  }

  @Test func `a seed shuffles work for equal times, the same way each time`() {
    func order(_ seed: UInt64?) -> [Int] {
      let scheduler = TestScheduler(shufflingSimultaneousWork: seed)
      var order: [Int] = []
      for number in 1...20 { scheduler.schedule(after: Time(1)) { order.append(number) } }
      scheduler.run()
      return order
    }
    #expect(order(nil) == Array(1...20))
    #expect(order(7) == order(7))
    #expect(order(7) != order(nil))
    #expect(order(7) != order(8))
    #expect(order(7).sorted() == Array(1...20))
  }

  @Test func `two threads may schedule and advance at once`() {
    let scheduler = TestScheduler()
    let ran = WaitableState(0)
    let thread = TestThread {
      for number in 0..<10_000 {
        scheduler.schedule(after: Time(.seconds(number % 100))) { ran.withLock { $0 += 1 } }
      }
    }
    for _ in 0..<1000 { scheduler.advance(by: 1) }
    thread.join()
    scheduler.run(limit: .max)
    #expect(ran.withLock { $0 } == 10_000)
  }
}

@Suite struct TestSchedulerTimeTests {
  typealias Time = TestScheduler.SchedulerTimeType
  typealias Stride = Time.Stride

  @Test func `literals are seconds, and units agree`() {
    #expect((1 as Stride).magnitude == 1_000_000_000)
    #expect((0.25 as Stride) == .milliseconds(250))
    #expect(Stride.seconds(1) == .milliseconds(1000))
    #expect(Stride.milliseconds(1) == .microseconds(1000))
    #expect(Stride.microseconds(1) == .nanoseconds(1000))
    #expect(Stride(exactly: UInt64.max) == nil)
    #expect(Stride.seconds(1.5).description == "1.5")
  }

  @Test func `a stride times a number is that many times as long`() {
    #expect(.milliseconds(1500) * 2 == Stride.seconds(3))
    #expect(.milliseconds(100) * 0.5 == Stride.milliseconds(50))
    #expect(.seconds(-3) * 2 == Stride.seconds(-6))
    #expect(-Stride.seconds(3) * -2 == 6)
    var stride: Stride = 2
    stride *= 4
    #expect(stride == 8)
  }

  @Test func `what does not fit becomes the longest or the shortest stride`() {
    let (longest, shortest) = (Stride.nanoseconds(.max), Stride.nanoseconds(.min))
    #expect(Stride.seconds(Int.max) == longest)
    #expect(Stride.seconds(Int.min) == shortest)
    #expect(Stride.seconds(Double.infinity) == longest)
    #expect(Stride.seconds(-Double.infinity) == shortest)
    #expect(Stride.seconds(Double.nan) == 0)
    #expect(Stride.milliseconds(.max) + 1 == longest)
    #expect(shortest - 1 == shortest)
    #expect(-shortest == longest)
    #expect(longest * 2 == longest)
    #expect(longest * longest == longest)
    #expect(longest * -2 == shortest)
    #expect(Time(longest).advanced(by: 1) == Time(longest))
  }

  @Test func `distance and advance fit together`() {
    let (early, late) = (Time(2), Time(7))
    #expect(early.distance(to: late) == 5)
    #expect(early.advanced(by: early.distance(to: late)) == late)
    #expect(late.distance(to: early) == -5)
  }
}
