import Reactive
import Testing

@testable import ReactiveTesting

@Suite struct StrictTests {
  private let found = WaitableState<[Violation]>([])
  private var rules: [Violation.Rule] { found.withLock { $0.map(\.rule) } }

  private func strict<P: Publisher>(_ publisher: P) -> Publishers.Strict<P> {
    publisher.strict { [found] violation in found.withLock { $0.append(violation) } }
  }

  @Test func `what keeps the rules passes unchanged`() {
    let probe = TestSubscriber<Int, Never>(initialDemand: .max(1)) {
      if case .value = $0 { .demand(.max(1)) } else { .proceed }
    }
    strict((1...3).publisher).subscribe(probe)
    #expect(probe.values == [1, 2, 3])
    #expect(probe.isFinished)
    #expect(rules == [])
  }

  @Test func `a value beyond demand is reported and kept away`() {
    let source = TestPublisher<Int, TestFailure>(.overflow)
    let probe = TestSubscriber<Int, TestFailure>(initialDemand: .max(1))
    strict(source).subscribe(probe)
    source.send(1)
    source.send(2)
    probe.request(.max(1))
    source.send(3)
    #expect(probe.values == [1, 3])
    #expect(rules == [.p1_01])
  }

  @Test func `a signal after the end is reported and kept away`() {
    let source = TestPublisher<Int, TestFailure>(.signalAfterTerminal)
    let probe = TestSubscriber<Int, TestFailure>(initialDemand: .unlimited)
    strict(source).subscribe(probe)
    source.send(completion: .finished)
    source.send(1)
    source.send(completion: .finished)
    #expect(probe.violations == [])
    #expect(rules == [.p1_07, .p1_07])
  }

  @Test func `a signal before the subscription is reported and kept away`() {
    let source = TestPublisher<Int, TestFailure>(.signalBeforeSubscription)
    let probe = TestSubscriber<Int, TestFailure>(initialDemand: .unlimited)
    strict(source).subscribe(probe)
    source.send(1)
    source.sendSubscription()
    source.send(2)
    #expect(probe.values == [2])
    #expect(rules == [.p1_09])
  }

  @Test func `a second subscription is reported and cancelled`() {
    let source = TestPublisher<Int, TestFailure>(.secondSubscription)
    let probe = TestSubscriber<Int, TestFailure>(initialDemand: .unlimited)
    strict(source).subscribe(probe)
    #expect(probe.violations == [])
    #expect(source.violations == [])
    #expect(rules == [.s2_12])
  }

  @Test func `a value after a cancel is reported and kept away`() {
    let source = TestPublisher<Int, TestFailure>(.ignoreCancel)
    let probe = TestSubscriber<Int, TestFailure>(initialDemand: .unlimited)
    strict(source).subscribe(probe)
    probe.cancel()
    source.send(1)
    #expect(probe.values == [])
    #expect(rules == [.c12])
  }

  @Test func `the subscriber is watched too`() {
    let source = TestPublisher<Int, TestFailure>()
    let probe = TestSubscriber<Int, TestFailure> { if case .completion = $0 { .request(.max(1)) } else { .proceed } }
    strict(source).subscribe(probe)
    probe.request(.none)
    source.send(completion: .finished)
    #expect(rules == [.c04, .s2_03])
    #expect(source.requests == [])
  }

  @Test func `a report names what was watched`() {
    strict(Unruly<Int, TestFailure> { $0.receive(completion: .finished) }).subscribe(TestSubscriber<Int, TestFailure>())
    #expect(found.withLock { $0.map(\.subject) } == ["Unruly<Int, TestFailure>"])
  }

  @Test func `a cancel releases the subscriber`() {
    let source = TestPublisher<Int, TestFailure>()
    weak var watched: TestSubscriber<Int, TestFailure>?
    var kept: (any Subscription)?
    do {
      let probe = TestSubscriber<Int, TestFailure>()
      watched = probe
      strict(source).subscribe(probe)
      kept = probe.subscription
    }
    #expect(watched != nil)
    kept?.cancel()
    #expect(watched == nil)
  }
}
