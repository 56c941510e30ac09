import Reactive
import ReactiveTesting
import Testing

@Suite struct UnexpectedSchedulerTests {
  private final class Log {
    var uses: [String] = []
    var runs = 0
  }

  private let log = Log()
  private var scheduler: UnexpectedScheduler { UnexpectedScheduler { [log] in log.uses.append($0) } }

  @Test func `work is reported, and done all the same`() {
    scheduler.schedule { log.runs += 1 }
    #expect(log.uses == ["for now"] && log.runs == 1)
  }

  @Test func `work for later is reported, and done at once`() {
    scheduler.schedule(after: scheduler.now.advanced(by: 2)) { log.runs += 1 }
    #expect(log.uses == ["for 2"] && log.runs == 1)
  }

  @Test func `repeated work is reported, done once, and can be cancelled`() {
    let token = scheduler.schedule(after: scheduler.now.advanced(by: 2), interval: 3) { log.runs += 1 }
    token.cancel()
    #expect(log.uses == ["for 2, then every 3"] && log.runs == 1)
  }

  @Test func `a publisher behind it goes on`() {
    let probe = TestSubscriber<Int, Never>(initialDemand: .unlimited)
    (1...3).publisher.delay(for: 5, scheduler: scheduler).subscribe(probe)
    #expect(probe.values == [1, 2, 3] && probe.isFinished && !log.uses.isEmpty && probe.violations == [])
  }
}
