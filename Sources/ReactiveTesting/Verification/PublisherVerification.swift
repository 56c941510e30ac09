public import Reactive

/// Checks a publisher that delivers on request against the rules, one by one.
///
/// The publisher is cold: each subscription runs for itself. Unless `delivery` says something else it is synchronous too:
/// it delivers on the thread that requests, before the request returns.
///
///     let just = PublisherVerification("Just", elements: .only([1])) { _ in Just(1) }
///     try just.verifyAll().orThrow()
///
/// With Swift Testing each rule can be a case of its own: pass `rules` as the arguments of a test, and call
/// `verify(rule).orThrow()` in it.
public struct PublisherVerification<P: Publisher>: Verification {
  /// What is checked, as reports name it.
  public let name: String

  let elements: ElementLimit
  let delivery: Delivery
  let environment: VerificationEnvironment
  let make: (Int) -> P
  let failing: (() -> P)?

  /// Prepares the verification of a publisher.
  ///
  /// - Parameters:
  ///   - name: What reports call it.
  ///   - elements: How many values it can be made to deliver.
  ///   - delivery: When and where it delivers.
  ///   - environment: How thoroughly to check.
  ///   - make: Makes a publisher of that many values that finishes then.
  public init(
    _ name: String, elements: ElementLimit = .any, delivery: Delivery = .synchronous,
    environment: VerificationEnvironment = .current, _ make: @escaping (Int) -> P
  ) {
    self.init(name, elements, delivery, environment, make: make, failing: nil)
  }

  private init(
    _ name: String, _ elements: ElementLimit, _ delivery: Delivery, _ environment: VerificationEnvironment,
    make: @escaping (Int) -> P, failing: (() -> P)?
  ) {
    self.name = name
    self.elements = elements
    self.delivery = delivery
    self.environment = environment
    self.make = make
    self.failing = failing
  }

  /// The same verification, with the rules about failures.
  ///
  /// - Parameter failing: Makes a publisher that fails at once, without a value.
  public func failing(_ failing: @escaping () -> P) -> Self {
    Self(name, elements, delivery, environment, make: make, failing: failing)
  }

  /// The rules that can be checked.
  public static var rules: [Rule] { checks.map(\.rule) }

  /// Checks one rule.
  ///
  /// - Parameter rule: Which one.
  /// - Returns: What it came to; a rule that does not apply to this publisher is skipped.
  public func verify(_ rule: Rule) -> Outcome {
    Findings.outcome(of: rule, in: Self.checks, on: self, name: name, seed: environment.seed)
  }
}

/// When and where a publisher delivers what was requested.
public enum Delivery: Hashable, Sendable {
  /// On the thread that requests, before the request returns.
  case synchronous
  /// On any thread, at any time: after a hop to a queue, from a task, from a timer.
  ///
  /// What has to come is waited for, up to the deadline; it is time to spare, not time that passes. For what must not
  /// come the check looks for as long as the `quietPeriod` of the environment. The check whether values fit on a small
  /// stack is skipped.
  case asynchronous(deadline: Duration = .seconds(20))

  /// How long to wait for a signal that has to come.
  var patience: Duration {
    switch self {
    case .synchronous: .zero
    case .asynchronous(let deadline): deadline
    }
  }
}

/// How many values a publisher can be made to deliver.
public enum ElementLimit: Hashable, Sendable {
  /// Any number.
  case any
  /// One of these numbers.
  case only([Int])

  func allows(_ count: Int) -> Bool {
    switch self {
    case .any: true
    case .only(let counts): counts.contains(count)
    }
  }

  /// The counts of a list that are allowed; throws when there is none.
  func allowed(of counts: [Int]) throws -> [Int] {
    let allowed = counts.filter { allows($0) }
    if allowed.isEmpty { throw Skip(reason: "it cannot deliver any of \(counts) values") }
    return allowed
  }
}

extension PublisherVerification {
  typealias Probe = TestSubscriber<P.Output, P.Failure>

  static var checks: [Check<Self>] {
    [
      Check(.p1_01) { try $0.checkDemand($1) },
      Check(.p1_02) { try $0.checkShortStream($1) },
      Check(.p1_04) { try $0.checkFailure($1) },
      Check(.p1_05) { try $0.checkCompletion($1) },
      Check(.p1_06) { try $0.checkDeadAfterEnd($1) },
      Check(.p1_07) { try $0.checkNothingAfterEnd($1) },
      Check(.p1_09) { try $0.checkSubscriptionFirst($1) },
      Check(.p1_10) { try $0.checkManySubscribers($1) },
      Check(.n3_02) { try $0.checkRequestsInsideSignals($1) },
      Check(.n3_03) { try $0.checkRecursion($1, byReturning: false) },
      Check(.n3_05) { try $0.checkParkedCancel($1) },
      Check(.n3_06) { try $0.checkRequestAfterCancel($1) },
      Check(.n3_07) { try $0.checkRepeatedCancel($1) },
      Check(.n3_08) { try $0.checkAddingUp($1) },
      Check(.n3_13) { try $0.checkRelease($1, bySubscriber: .cancel) },
      Check(.n3_17) { try $0.checkLargeDemand($1) },
      Check(.c04) { try $0.checkRequestOfNone($1) },
      Check(.c05) { try $0.checkNesting($1) },
      Check(.c06) { try $0.checkConcurrentRequests($1) },
      Check(.c12) { try $0.checkCancelInsideSignals($1) },
      Check(.c15) { try $0.checkRelease($1, bySubscriber: .proceed) },
    ]
  }

  /// Subscribes a watched probe to a publisher of some values.
  private func probe(
    _ count: Int, _ demand: Subscribers.Demand, _ findings: Findings,
    _ react: ((Signal<P.Output, P.Failure>) -> Reaction)? = nil
  ) -> Probe {
    // A publisher that repeats itself would not come to an end.
    let left = WaitableState(count + 100)
    let probe = Probe(initialDemand: demand) { signal in
      let isEnough = left.withLock { left in
        left -= 1
        return left < 0
      }
      return isEnough ? .cancel : react?(signal) ?? .proceed
    }
    attach(probe, to: make(count), findings)
    return probe
  }

  /// Subscribes a probe, which is watched from then on, and waits for its subscription.
  private func attach(_ probe: Probe, to publisher: P, _ findings: Findings) {
    findings.watch(probe)
    publisher.subscribe(probe)
    waitFor(probe, findings) { $0.subscription != nil }
    findings.expect(probe.subscription != nil, "no subscription came")
  }

  // MARK: Waiting

  /// Waits for what an asynchronous publisher still has to send; one that was found broken is not waited for.
  private func waitFor(_ probe: Probe, _ findings: Findings, until hasCome: (Probe) -> Bool) {
    guard delivery != .synchronous else { return }
    let patience = findings.violations.isEmpty ? delivery.patience : .zero
    _ = probe.wait(atMost: patience) { hasCome(probe) }
  }

  /// Gives an asynchronous publisher the time to send what it must not send.
  private func lookForMore(_ probe: Probe, _ findings: Findings) {
    guard delivery != .synchronous, findings.violations.isEmpty else { return }
    let count = probe.signalCount
    _ = probe.wait(atMost: environment.quietPeriod) { probe.signalCount > count }
  }

  /// Expects a number of values and no more, as far as the ledger of the probe does not see to it.
  private func expectValues(
    _ count: Int, of probe: Probe, _ findings: Findings, looksForMore: Bool = true, _ what: String
  ) {
    waitFor(probe, findings) { $0.values.count >= count }
    if looksForMore, probe.completion == nil { lookForMore(probe, findings) }
    findings.expect(probe.values.count, is: count, what)
  }

  private func expectEnd(of probe: Probe, _ findings: Findings, _ what: String = "it did not finish") {
    waitFor(probe, findings) { $0.completion != nil }
    findings.expect(probe.isFinished, what)
  }

  /// Expects that nothing has come but the subscription and some values.
  private func expectSilence(of probe: Probe, after values: Int, _ findings: Findings, _ what: String) {
    expectValues(values, of: probe, findings, what)
    findings.expect(probe.completion == nil, "it ended though it was cancelled: \(what)")
  }

  // MARK: Checks

  private func checkDemand(_ findings: Findings) throws {
    for count in try elements.allowed(of: [5, 1]) {
      let probe = probe(count, .none, findings)
      expectValues(0, of: probe, findings, "values without demand")
      probe.request(.max(1))
      expectValues(1, of: probe, findings, "values for a demand of 1")
      guard count > 3 else { continue }
      probe.request(.max(1))
      probe.request(.max(2))
      expectValues(4, of: probe, findings, "values for a demand of 1, 1 and 2")
      var returns = [1, 1]
      let returning = self.probe(count, .max(1), findings) {
        guard case .value = $0, let more = returns.popLast() else { return .proceed }
        return .demand(.max(more))
      }
      expectValues(3, of: returning, findings, "values for a demand of 1 and two returns of 1")
    }
  }

  private func checkShortStream(_ findings: Findings) throws {
    for count in try elements.allowed(of: [3, 1, 0]) {
      let probe = probe(count, .max(10), findings)
      expectEnd(of: probe, findings)
      expectValues(count, of: probe, findings, "values for a demand of 10")
    }
  }

  private func checkFailure(_ findings: Findings) throws {
    guard let failing else { throw Skip(reason: "there is no failing publisher") }
    let probe = Probe()
    attach(probe, to: failing(), findings)
    waitFor(probe, findings) { $0.completion != nil }
    findings.expect(probe.signals.map(\.kind), is: [.subscription, .failure], "signals without demand")
  }

  private func checkCompletion(_ findings: Findings) throws {
    for count in try elements.allowed(of: [0, 1, 3]) {
      let exact = probe(count, .max(count), findings)
      expectEnd(of: exact, findings, "it did not finish after \(count) values without further demand")
      expectValues(count, of: exact, findings, "values for exactly that demand")
    }
  }

  private func checkDeadAfterEnd(_ findings: Findings) throws {
    for count in try elements.allowed(of: [0, 1, 3]) {
      let probe = probe(count, .unlimited, findings)
      expectEnd(of: probe, findings)
      let before = probe.values.count
      probe.request(.unlimited)
      probe.cancel()
      probe.cancel()
      probe.request(.max(1))
      lookForMore(probe, findings)
      findings.expect(probe.values.count, is: before, "values after calls on a dead subscription")
    }
  }

  private func checkNothingAfterEnd(_ findings: Findings) throws {
    for count in try elements.allowed(of: [0, 1, 3]) {
      // Asking again inside every signal, the last one included, must not bring the end twice.
      let probe = probe(count, .max(count), findings) { _ in .request(.max(1)) }
      expectEnd(of: probe, findings)
      lookForMore(probe, findings)
      findings.expect(probe.values.count, is: count, "values")
    }
  }

  private func checkSubscriptionFirst(_ findings: Findings) throws {
    for count in try elements.allowed(of: [0, 1, 3]) { _ = probe(count, .unlimited, findings) }
    if let failing { attach(Probe(), to: failing(), findings) }
  }

  private func checkManySubscribers(_ findings: Findings) throws {
    for count in try elements.allowed(of: [3, 1, 0]) {
      let publisher = make(count)
      let probes = (1...2).map { _ in Probe() }
      for probe in probes { attach(probe, to: publisher, findings) }
      for probe in probes { probe.request(.max(1)) }
      for probe in probes { probe.request(.unlimited) }
      for probe in probes {
        expectEnd(of: probe, findings, "one of two subscribers saw no end")
        expectValues(count, of: probe, findings, "values of one of two subscribers")
      }
    }
  }

  private func checkRequestsInsideSignals(_ findings: Findings) throws {
    for count in try elements.allowed(of: [4, 1]) {
      let probe = probe(count, .none, findings) { signal in
        if case .completion = signal { .proceed } else { .request(.max(1)) }
      }
      expectEnd(of: probe, findings)
      expectValues(count, of: probe, findings, "values for a request inside each signal")
    }
  }

  private func checkRecursion(_ findings: Findings, byReturning returns: Bool) throws {
    guard delivery == .synchronous else {
      throw Skip(reason: "it delivers on a thread whose stack cannot be chosen")
    }
    let count = environment.recursionElements
    _ = try elements.allowed(of: [count])
    let thread = TestThread(stackSize: environment.stackSize) {
      var stack = StackWatch(limit: environment.stackSize / 4)
      let probe = Probe(initialDemand: .max(1)) { signal in
        guard case .value = signal else { return .proceed }
        // A publisher that recurses is stopped before the stack is full.
        guard stack.isShallow() else { return .cancel }
        return returns ? .demand(.max(1)) : .request(.max(1))
      }
      make(count).subscribe(probe)
      findings.expect(!stack.isDeep, "each value takes more of the stack")
      findings.expect(probe.maximumDepth, is: 1, "values inside one another")
      findings.expect(probe.values.count, is: count, "values one by one")
      findings.expect(probe.isFinished, "it did not finish")
    }
    findings.expect(thread.join(atMost: .seconds(60)), "\(count) values one by one take more than a minute")
  }

  private func checkNesting(_ findings: Findings) throws {
    guard delivery != .synchronous else { return try checkRecursion(findings, byReturning: true) }
    for count in try elements.allowed(of: [1000]) {
      let probe = probe(count, .max(1), findings) { if case .value = $0 { .demand(.max(1)) } else { .proceed } }
      expectEnd(of: probe, findings)
      findings.expect(probe.maximumDepth, is: 1, "values inside one another")
      findings.expect(probe.values.count, is: count, "values one by one")
    }
  }

  private func checkParkedCancel(_ findings: Findings) throws {
    let publisher = make(try elements.allowed(of: [5, 1])[0])
    let probe = Probe(initialDemand: .unlimited)
    findings.watch(probe)
    try findings.interleave(
      probe, at: .value(1), within: max(environment.signalTimeout, delivery.patience),
      deliver: { publisher.subscribe(probe) }, name: "a cancel", act: { for _ in 1...2 { probe.cancel() } })
    lookForMore(probe, findings)
    findings.expect(probe.values.count <= 2, "\(probe.values.count - 1) values after a cancel on another thread")
  }

  private func checkRequestAfterCancel(_ findings: Findings) throws {
    for count in try elements.allowed(of: [3, 1]) {
      let probe = probe(count, .none, findings)
      probe.cancel()
      for demand in [Subscribers.Demand.max(1), .max(Int.max), .unlimited] { probe.request(demand) }
      expectSilence(of: probe, after: 0, findings, "values after a cancel and requests")
    }
  }

  private func checkRepeatedCancel(_ findings: Findings) throws {
    for count in try elements.allowed(of: [3, 1]) {
      let probe = probe(count, .max(1), findings) { if case .value = $0 { .cancel } else { .proceed } }
      waitFor(probe, findings) { !$0.values.isEmpty }
      for _ in 1...3 { probe.cancel() }
      expectSilence(of: probe, after: 1, findings, "values")
    }
  }

  private func checkAddingUp(_ findings: Findings) throws {
    let count = 7
    _ = try elements.allowed(of: [count])
    weak var asking: Probe?
    let summing = probe(count, .none, findings) {
      guard case .value = $0, asking?.values.count == 1 else { return .proceed }
      for _ in 1...3 { asking?.request(.max(1)) }
      return .demand(.max(1))
    }
    asking = summing
    summing.request(.max(1))
    expectValues(5, of: summing, findings, "values for 1, then 1, 1, 1 and a returned 1 inside the first value")
    var generator = SeededGenerator(seed: environment.seed)
    for _ in 1...50 {
      let returns = (0..<count).map { _ in Int.random(in: 0...1, using: &generator) }
      let requests = (0..<4).map { _ in Int.random(in: 0...2, using: &generator) }
      var place = 0
      let probe = probe(count, .none, findings) {
        guard case .value = $0, place < count else { return .proceed }
        place += 1
        return .demand(.max(returns[place - 1]))
      }
      var (granted, delivered) = (0, 0)
      for request in requests {
        probe.request(.max(request))
        granted += request
        while delivered < min(granted, count) {
          granted += returns[delivered]
          delivered += 1
        }
        // The ledger of the probe sees values too many, whenever they come.
        expectValues(
          delivered, of: probe, findings, looksForMore: false,
          "values for requests \(requests) and returned demands \(returns)")
      }
    }
  }

  private func checkRelease(_ findings: Findings, bySubscriber reaction: Reaction) throws {
    for count in try elements.allowed(of: [3, 1, 0]) where reaction != .cancel || count > 0 {
      let life = Life()
      // The subscription stays, so that the subscriber goes only if the subscription lets go of it.
      let kept = { () -> (any Subscription)? in
        let probe = life.probe(of: P.self)
        make(count).subscribe(probe)
        waitFor(probe, findings) { $0.subscription != nil }
        return probe.subscription
      }()
      if reaction == .cancel { kept?.cancel() } else { kept?.request(.unlimited) }
      findings.expect(life.isOver(within: delivery.patience), "the subscriber lives on")
      withExtendedLifetime(kept) {}
    }
  }

  private func checkLargeDemand(_ findings: Findings) throws {
    let demands = [Subscribers.Demand.max(Int.max / 2 + 1), .max(Int.max), .unlimited]
    for count in try elements.allowed(of: [3, 1]) {
      for first in demands {
        for second in demands {
          let probe = probe(count, first, findings) { if case .value = $0 { .request(second) } else { .proceed } }
          expectEnd(of: probe, findings, "it did not finish after \(first) and then \(second)")
          expectValues(count, of: probe, findings, "values for \(first) and then \(second)")
        }
      }
    }
  }

  private func checkRequestOfNone(_ findings: Findings) throws {
    for count in try elements.allowed(of: [3, 1]) {
      let probe = probe(count, .none, findings) { if case .value = $0 { .request(.none) } else { .proceed } }
      probe.request(.none)
      expectValues(0, of: probe, findings, "values for a request of none")
      probe.request(.max(1))
      probe.request(.none)
      expectValues(1, of: probe, findings, "values for requests of 1 and none")
      probe.request(.unlimited)
      expectEnd(of: probe, findings)
    }
  }

  private func checkConcurrentRequests(_ findings: Findings) throws {
    let count = 2000
    _ = try elements.allowed(of: [count])
    let parked = Probe(initialDemand: .max(1))
    findings.watch(parked)
    let publisher = make(count)
    try findings.interleave(
      parked, at: .value(1), within: max(environment.signalTimeout, delivery.patience),
      deliver: { publisher.subscribe(parked) }, name: "a request", act: { parked.request(.max(2)) },
      inspect: { findings.expect(parked.values.count, is: 1, "values while the delivery of the first is parked") })
    expectValues(3, of: parked, findings, "values for 1, and for 2 from another thread")
    for _ in 1...5 {
      let probe = probe(count, .none, findings)
      let requests = {
        for _ in 0..<count { probe.request(.max(1)) }
      }
      let thread = TestThread(requests)
      requests()
      findings.expect(thread.join(atMost: environment.signalTimeout), "requests of two threads do not return")
      expectEnd(of: probe, findings)
      expectValues(count, of: probe, findings, "values for requests of two threads")
    }
  }

  private func checkCancelInsideSignals(_ findings: Findings) throws {
    for count in try elements.allowed(of: [3, 1, 0]) {
      for place in (0...count).reversed() {
        var signals = 0
        let probe = probe(count, .unlimited, findings) { _ in
          signals += 1
          return signals == place + 1 ? .cancel : .proceed
        }
        expectSilence(of: probe, after: place, findings, "values after a cancel inside signal \(place + 1)")
      }
    }
  }
}

/// Tells when a subscriber has gone.
private final class Life {
  private let over = WaitableState(false)

  /// What goes with the subscriber.
  private final class Token {
    let over: WaitableState<Bool>

    init(_ over: WaitableState<Bool>) {
      self.over = over
    }

    deinit {
      over.withLock { $0 = true }
    }
  }

  func probe<P: Publisher>(of publisher: P.Type) -> TestSubscriber<P.Output, P.Failure> {
    let token = Token(over)
    return TestSubscriber { _ in withExtendedLifetime(token) { .proceed } }
  }

  func isOver(within limit: Duration) -> Bool { over.wait(atMost: limit) { $0 } }
}

extension SignalRecord.Kind {
  /// Whether it goes to the subscriber, not from it.
  var isSignal: Bool {
    switch self {
    case .subscription, .value, .finished, .failure: true
    case .request, .returned, .cancel: false
    }
  }
}
