import Reactive
import Synchronization
import Testing

@testable import ReactiveTesting

@Suite struct RaceVerificationTests {
  /// Two steps where one would be needed: read, then write.
  private final class Counter: Sendable {
    let count = Atomic<Int>(0)

    func increase(atomically isAtomic: Bool) {
      if isAtomic {
        count.wrappingAdd(1, ordering: .relaxed)
      } else {
        count.store(count.load(ordering: .relaxed) + 1, ordering: .relaxed)
      }
    }
  }

  private func race(atomically isAtomic: Bool, seed: UInt64 = 1, timeout: Duration = .seconds(20)) -> RaceVerification<
    Counter
  > {
    var environment = VerificationEnvironment()
    environment.seed = seed
    environment.sensitivityTimeout = timeout
    let act: (Counter) -> Void = { counter in
      for _ in 0..<20 { counter.increase(atomically: isAtomic) }
    }
    return RaceVerification(
      "counter", environment: environment, make: { Counter() }, first: act, second: act,
      check: { counter in
        let count = counter.count.load(ordering: .relaxed)
        return count == 40 ? [] : [Violation(.c01, "\(count) of 40")]
      })
  }

  @Test func `a race sees a lost update, and tells seed and skew`() throws {
    var violations: [Violation] = []
    let deadline = ContinuousClock.now + .seconds(20)
    while violations.isEmpty, ContinuousClock.now < deadline {
      violations = race(atomically: false, seed: 5).run(stoppingAfter: 1)
    }
    let violation = try #require(violations.first)
    #expect(violation.seed == 5)
    #expect(violation.subject == "counter")
    #expect(violation.detail.contains(" of 40, with a skew of "))
  }

  @Test func `parties that are right pass, if the twin does not`() {
    #expect(race(atomically: true).outcome(provenBy: race(atomically: false)) == .passed)
  }

  @Test func `a twin that passes makes the race inconclusive`() {
    guard case .inconclusive = race(atomically: true, timeout: .zero).outcome(provenBy: race(atomically: true)) else {
      Issue.record("the outcome was not inconclusive")
      return
    }
  }

  @Test func `both parties act once in each round, on two threads`() {
    final class Record: Sendable {
      let threads = WaitableState<[ThreadIdentity]>([])
    }
    var environment = VerificationEnvironment()
    environment.rounds = 600
    let act: (Record) -> Void = { record in record.threads.withLock { $0.append(.current) } }
    var rounds = 0
    let found = RaceVerification(
      "record", environment: environment, make: { Record() }, first: act, second: act,
      check: { record in
        rounds += 1
        let threads = record.threads.withLock { $0 }
        let isRight = threads.count == 2 && threads[0] != threads[1] && threads.contains(.current)
        return isRight ? [] : [Violation(.c01, "\(threads)")]
      }
    ).run()
    #expect(found == [])
    #expect(rounds == 1800)
  }
}
