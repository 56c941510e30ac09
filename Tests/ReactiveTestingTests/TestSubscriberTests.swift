import Reactive
import Testing

@testable import ReactiveTesting

@Suite struct TestSubscriberTests {
  typealias Probe = TestSubscriber<Int, TestFailure>

  /// The rules that a publisher breaks, in the order it breaks them.
  private func rules(
    demand: Subscribers.Demand = .unlimited, reactingToValues reaction: Reaction = .proceed,
    _ act: @escaping (AnySubscriber<Int, TestFailure>) -> Void
  ) -> [Violation.Rule] {
    let probe = Probe(initialDemand: demand) { if case .value = $0 { reaction } else { .proceed } }
    Unruly(act).subscribe(probe)
    return probe.violations.map(\.rule)
  }

  @Test func `a publisher that keeps the rules gives no violation`() {
    let broken = rules(demand: .max(1), reactingToValues: .demand(.max(1))) {
      $0.receive(subscription: UnrulySubscription())
      _ = $0.receive(1)
      _ = $0.receive(2)
      $0.receive(completion: .finished)
    }
    #expect(broken == [])
  }

  @Test func `a value without demand breaks rule 1 1`() {
    let broken = rules(demand: .max(1)) {
      $0.receive(subscription: UnrulySubscription())
      _ = $0.receive(1)
      _ = $0.receive(2)
    }
    #expect(broken == [.p1_01])
  }

  @Test func `demand returned by a value does not pay for that value`() {
    let broken = rules(demand: .none, reactingToValues: .demand(.max(1))) {
      $0.receive(subscription: UnrulySubscription())
      _ = $0.receive(1)
      _ = $0.receive(2)
    }
    #expect(broken == [.p1_01])
  }

  @Test func `a value after the end breaks rule 1 7`() {
    let broken = rules {
      $0.receive(subscription: UnrulySubscription())
      $0.receive(completion: .finished)
      _ = $0.receive(1)
    }
    #expect(broken == [.p1_07])
  }

  @Test func `a second completion breaks rule 1 7, and the first one stays`() {
    let probe = Probe(initialDemand: .unlimited)
    Unruly<Int, TestFailure> {
      $0.receive(subscription: UnrulySubscription())
      $0.receive(completion: .finished)
      $0.receive(completion: .failure(TestFailure()))
    }.subscribe(probe)
    #expect(probe.violations.map(\.rule) == [.p1_07])
    #expect(probe.isFinished)
  }

  @Test(arguments: [true, false])
  func `a signal before the subscription breaks rule 1 9`(isValue: Bool) {
    let broken = rules {
      if isValue { _ = $0.receive(1) } else { $0.receive(completion: .finished) }
      $0.receive(subscription: UnrulySubscription())
    }
    #expect(broken == [.p1_09])
  }

  @Test func `a second subscription breaks rule 2 12 and is cancelled`() {
    var cancelled: [Int] = []
    let broken = rules {
      $0.receive(subscription: UnrulySubscription(onCancel: { cancelled.append(1) }))
      $0.receive(subscription: UnrulySubscription(onCancel: { cancelled.append(2) }))
    }
    #expect(broken == [.s2_12])
    #expect(cancelled == [2])
  }

  @Test func `a value inside a value breaks C5, and the depth tells`() {
    var inner: AnySubscriber<Int, TestFailure>?
    let probe = Probe(initialDemand: .unlimited) { signal in
      if case .value(1) = signal { _ = inner?.receive(2) }
      return .proceed
    }
    Unruly<Int, TestFailure> {
      inner = $0
      $0.receive(subscription: UnrulySubscription())
      _ = $0.receive(1)
    }.subscribe(probe)
    #expect(probe.violations.map(\.rule) == [.c05])
    #expect(probe.maximumDepth == 2)
    inner = nil
  }

  @Test func `a value inside a request made inside the subscription is right`() {
    let broken = rules(demand: .max(1)) { subscriber in
      subscriber.receive(subscription: UnrulySubscription(onRequest: { _ in _ = subscriber.receive(1) }))
      subscriber.receive(completion: .finished)
    }
    #expect(broken == [])
  }

  @Test func `another thread inside a value breaks rule 1 3`() throws {
    let probe = Probe(initialDemand: .unlimited)
    let gate = probe.park(at: .value(1))
    probe.receive(subscription: UnrulySubscription())
    let thread = TestThread { _ = probe.receive(1) }
    try gate.waitUntilParked()
    _ = probe.receive(2)
    gate.open()
    thread.join()
    #expect(probe.violations.map(\.rule) == [.p1_03])
    #expect(probe.signals.map(\.thread).max() == 2)
  }

  @Test func `another thread inside the subscription breaks C2`() throws {
    let probe = Probe(initialDemand: .unlimited)
    let gate = probe.park(at: .subscription)
    let thread = TestThread { probe.receive(subscription: UnrulySubscription()) }
    try gate.waitUntilParked()
    probe.receive(completion: .finished)
    gate.open()
    thread.join()
    #expect(probe.violations.map(\.rule) == [.c02])
  }

  @Test(arguments: [true, false])
  func `a signal after a cancel on the same thread breaks C12`(isValue: Bool) {
    let broken = rules(reactingToValues: .cancel) {
      $0.receive(subscription: UnrulySubscription())
      _ = $0.receive(1)
      if isValue { _ = $0.receive(2) } else { $0.receive(completion: .finished) }
    }
    #expect(broken == [.c12])
  }

  @Test func `after a cancel from another thread the second signal breaks C13`() {
    let probe = Probe(initialDemand: .unlimited)
    probe.receive(subscription: UnrulySubscription())
    let thread = TestThread { probe.cancel() }
    thread.join()
    _ = probe.receive(1)
    #expect(probe.violations == [])
    _ = probe.receive(2)
    #expect(probe.violations.map(\.rule) == [.c13])
  }

  @Test func `rules that are ignored are not recorded`() {
    let probe = Probe(ignoring: [.p1_01])
    probe.receive(subscription: UnrulySubscription())
    _ = probe.receive(1)
    #expect(probe.violations == [])
  }

  @Test func `a violation tells what happened before it`() throws {
    let probe = Probe(initialDemand: .max(1)) { _ in .demand(.max(1)) }
    probe.receive(subscription: UnrulySubscription())
    _ = probe.receive(1)
    probe.receive(completion: .finished)
    _ = probe.receive(2)
    let violation = try #require(probe.violations.first)
    #expect(
      violation.description == """
        TestSubscriber: rule 1.7 broken: value 2 came after the end
          subscription, request max(1), value 1, returned max(1), finished, value 2
        """)
  }

  @Test func `the ledger counts requests, returned demand and values`() {
    let probe = Probe(initialDemand: .max(2)) { _ in .demand(.max(1)) }
    probe.receive(subscription: UnrulySubscription())
    probe.request(.max(3))
    _ = probe.receive(1)
    #expect(probe.outstandingDemand == .max(5))
    probe.request(.unlimited)
    _ = probe.receive(2)
    #expect(probe.outstandingDemand == .unlimited)
  }

  @Test func `a cancel before the subscription cancels it on arrival`() {
    let upstream = TestPublisher<Int, TestFailure>()
    let probe = Probe(initialDemand: .unlimited)
    probe.cancel()
    upstream.subscribe(probe)
    #expect(upstream.callKinds == [.cancel])
    #expect(probe.violations == [])
  }

  @Test func `a request as the reaction to a value goes through the subscription`() {
    let probe = Probe(initialDemand: .max(1)) { if case .value = $0 { .request(.max(1)) } else { .proceed } }
    (1...4).publisher.setTestFailure().subscribe(probe)
    #expect(probe.values == [1, 2, 3, 4])
    #expect(probe.isFinished)
    #expect(probe.violations == [])
    #expect(probe.maximumDepth == 1)
  }

  @Test func `a failure is kept`() {
    let probe = Probe()
    Fail<Int, TestFailure>(error: TestFailure("x")).subscribe(probe)
    #expect(probe.failure == TestFailure("x"))
    #expect(!probe.isFinished)
  }

  @Test func `waiting for values and for the end is over when they are there`() throws {
    let subject = PassthroughSubject<Int, TestFailure>()
    let probe = Probe(initialDemand: .unlimited)
    subject.subscribe(probe)
    let thread = TestThread {
      subject.send(1)
      subject.send(2)
      subject.send(completion: .failure(TestFailure()))
    }
    #expect(try probe.awaitValues(2) == [1, 2])
    #expect(try probe.awaitCompletion() == .failure(TestFailure()))
    thread.join()
  }

  @Test func `waiting in vain throws`() {
    let probe = Probe()
    #expect(throws: TimedOut.self) { try probe.awaitValues(1, atMost: .milliseconds(1)) }
    #expect(throws: TimedOut.self) { try probe.awaitCompletion(atMost: .milliseconds(1)) }
  }
}

@Suite struct GateTests {
  @Test func `a gate that was opened before lets everybody pass`() {
    let probe = TestSubscriber<Int, TestFailure>(initialDemand: .unlimited)
    let gate = probe.park(at: .completion)
    gate.open()
    Fail<Int, TestFailure>(error: TestFailure()).subscribe(probe)
    #expect(probe.failure != nil)
  }

  @Test func `waiting for nobody throws, and opens the gate`() {
    let probe = TestSubscriber<Int, TestFailure>(initialDemand: .unlimited)
    let gate = probe.park(at: .completion)
    #expect(throws: TimedOut.self) { try gate.waitUntilParked(atMost: .milliseconds(1)) }
    Fail<Int, TestFailure>(error: TestFailure()).subscribe(probe)
    #expect(probe.failure != nil)
  }
}

extension Publisher where Failure == Never {
  /// The same values with a failure type that tests use.
  func setTestFailure() -> AnyPublisher<Output, TestFailure> {
    Unruly { subscriber in
      receive(
        subscriber: AnySubscriber(
          receiveSubscription: { subscriber.receive(subscription: $0) },
          receiveValue: { subscriber.receive($0) },
          receiveCompletion: { _ in subscriber.receive(completion: .finished) }))
    }.eraseToAnyPublisher()
  }
}
