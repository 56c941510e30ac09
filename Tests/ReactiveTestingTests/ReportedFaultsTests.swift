import Reactive
import ReactiveTesting
import Testing

/// Situations in which virtual time has failed its users.
@Suite struct ReportedFaultsTests {
  private struct Refusal: Error {}

  private let clock = TestScheduler()

  @Test func `a debounce whose result hops to the same clock runs once, and leaves nothing`() {
    let source = PassthroughSubject<Int, Never>()
    var log: [Int] = []
    let token = source.debounce(for: 1, scheduler: clock).receive(on: clock).sink { log.append($0) }
    source.send(1)
    clock.advance(by: 100)
    #expect(log == [1] && clock.pending.isEmpty)
    token.cancel()
  }

  @Test func `attempts that wait for each other all happen in one advance`() {
    var attempts: [TestScheduler.SchedulerTimeType] = []
    var failures = 0
    let token = Deferred { [clock] in
      attempts.append(clock.now)
      return Fail<Int, Refusal>(error: Refusal())
    }
    .delay(for: 10, scheduler: clock)
    .retry(4)
    .sink(receiveCompletion: { _ in failures += 1 }, receiveValue: { _ in })
    clock.advance(by: 50)
    #expect(attempts == [0, 10, 20, 30, 40].map { .init($0) } && failures == 1)
    token.cancel()
  }
}
