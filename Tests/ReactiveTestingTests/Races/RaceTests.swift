import Reactive
import Synchronization
import Testing

@testable import ReactiveTesting

@Suite struct RaceTests {
  /// Two steps where one would be needed: read, then write.
  private final class Counter: Sendable, CustomStringConvertible {
    let count = Atomic<Int>(0)
    let isAtomic: Bool

    init(isAtomic: Bool) {
      self.isAtomic = isAtomic
    }

    var description: String { "\(count.load(ordering: .relaxed)) of 40" }

    func increase() {
      for _ in 0..<20 {
        if isAtomic {
          count.wrappingAdd(1, ordering: .relaxed)
        } else {
          count.store(count.load(ordering: .relaxed) + 1, ordering: .relaxed)
        }
      }
    }
  }

  private func race(atomically isAtomic: Bool, _ change: (inout VerificationEnvironment) -> Void = { _ in }) -> Race<
    Counter
  > {
    var environment = VerificationEnvironment()
    environment.seed = 5
    change(&environment)
    return Race(
      .c06, name: "counter", environment: environment, make: { Counter(isAtomic: isAtomic) }, first: { $0.increase() },
      second: { $0.increase() }, isRight: { $0.count.load(ordering: .relaxed) == 40 })
  }

  private func clumsy() -> Counter { Counter(isAtomic: false) }

  @Test func `parties that are right pass, if the twin does not`() {
    #expect(race(atomically: true).outcome(twin: clumsy) == .passed)
  }

  @Test func `a fault is reported with the state, the round, the skew and the seed`() throws {
    // On a busy machine the two seldom meet; it stops at the first fault.
    let found = race(atomically: false) { $0.rounds = 1_000_000 }.violations(stoppingAfter: 1)
    let violation = try #require(found.first)
    #expect(violation.rule == .c06 && violation.seed == 5 && violation.subject == "counter")
    #expect(violation.detail.contains(" of 40, in round "))
    #expect(violation.detail.contains(" with a skew of "))
  }

  @Test func `a report shows what a state is made of, and the signals of its probe`() throws {
    struct Scene {
      let probe = TestSubscriber<Int, Never>(initialDemand: .unlimited)
      let log = Log<Int>()
      let lock = Witness()
    }
    var environment = VerificationEnvironment()
    environment.rounds = 1
    let race = Race(
      .c01, environment: environment, make: { Scene() }, first: { Just(1).subscribe($0.probe) },
      second: { $0.log.append(2) }, isRight: { _ in false })
    let violation = try #require(race.violations(stoppingAfter: 1).first)
    #expect(violation.detail.hasPrefix("probe: [1], finished, log: [2], in round 0"))
    #expect(violation.trace.map(\.kind) == [.subscription, .request(.unlimited), .value(1), .finished])
    #expect(violation.subject.hasPrefix("a report shows"))
  }

  @Test func `two that wait for each other are reported`() {
    var environment = VerificationEnvironment()
    environment.partyTimeout = .milliseconds(200)
    let gates = (Gate(), Gate())
    defer {
      gates.0.open()
      gates.1.open()
    }
    let race = Race(
      .c06, name: "embrace", environment: environment, make: {},
      first: {
        gates.0.pass()
        gates.1.open()
      },
      second: {
        gates.1.pass()
        gates.0.open()
      }, isRight: { true })
    #expect(race.violations().map(\.rule) == [.c08])
  }

  @Test func `both parties act once in each round, on two threads`() {
    final class Record: Sendable {
      let threads = WaitableState<[ThreadIdentity]>([])
    }
    var environment = VerificationEnvironment()
    environment.rounds = 600
    let act: (Record) -> Void = { record in record.threads.withLock { $0.append(.current) } }
    var rounds = 0
    let race = Race(
      .c01, environment: environment, make: { Record() }, first: act, second: act,
      isRight: { record in
        rounds += 1
        let threads = record.threads.withLock { $0 }
        return threads.count == 2 && threads[0] != threads[1]
      })
    #expect(race.violations() == [])
    #expect(rounds == 1800)
  }

  @Test func `one race runs at a time`() {
    final class Crowd: Sendable {
      let running = Atomic(0)
      let overlaps = Log<Int>()
    }
    let crowd = Crowd()
    var environment = VerificationEnvironment()
    (environment.rounds, environment.skews) = (1, [0])
    let race = Race(
      .c01, environment: environment,
      make: { if crowd.running.wrappingAdd(1, ordering: .relaxed).newValue > 1 { crowd.overlaps.append(1) } },
      first: { TestThread.linger() }, second: {},
      isRight: {
        crowd.running.wrappingSubtract(1, ordering: .relaxed)
        return true
      })
    let threads = (0..<3).map { _ in TestThread { for _ in 0..<200 { _ = race.violations() } } }
    for thread in threads { #expect(thread.join()) }
    #expect(crowd.overlaps.all.isEmpty)
  }

  // A build for ThreadSanitizer leaves the twins out.
  #if !REACTIVE_TSAN
    @Test func `a twin that passes makes the race inconclusive`() throws {
      let race = race(atomically: true) { $0.sensitivityRounds = 2_000 }
      guard case .inconclusive(let reason) = race.outcome(twin: { Counter(isAtomic: true) }) else {
        Issue.record("the outcome was not inconclusive")
        return
      }
      #expect(reason == "the race `counter` did not notice the faults of its twin")
      #expect(throws: VerificationFailure.self) { try race.verify(twin: { Counter(isAtomic: true) }) }
    }

    @Test func `a faulty race fails, though its twin was caught`() throws {
      let race = race(atomically: false) { $0.rounds = 1_000_000 }
      #expect(throws: VerificationFailure.self) { try race.verify(twin: race) }
    }

    @Test(arguments: [true, false])
    func `a careless subject lets a careless order be seen`(isRemembering: Bool) throws {
      typealias Probe = TestSubscriber<Int, Never>
      func race<S: Subject>(over make: @escaping () -> S) -> Race<(subject: S, probe: Probe)>
      where S.Output == Int, S.Failure == Never {
        Race(
          .c01,
          make: {
            let scene = (subject: make(), probe: Probe(initialDemand: .unlimited))
            scene.subject.subscribe(scene.probe)
            return scene
          }, first: { $0.subject.send(1) }, second: { $0.subject.send(2) }, isRight: { $0.probe.violations.isEmpty })
      }
      try race { PassthroughSubject() }.verify(twin: race { CarelessSubject(latest: isRemembering ? 0 : nil) })
    }
  #endif
}

private final class Witness {}
