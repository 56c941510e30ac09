public import Reactive

/// Checks a publisher that delivers on request against the rules, one by one.
///
/// The publisher is cold and synchronous: each subscription runs for itself, on the thread that requests.
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
  let environment: VerificationEnvironment
  let make: (Int) -> P
  let failing: (() -> P)?

  /// Prepares the verification of a publisher.
  ///
  /// - Parameters:
  ///   - name: What reports call it.
  ///   - elements: How many values it can be made to deliver.
  ///   - environment: How thoroughly to check.
  ///   - make: Makes a publisher of that many values that finishes then.
  public init(
    _ name: String, elements: ElementLimit = .any, environment: VerificationEnvironment = .current,
    _ make: @escaping (Int) -> P
  ) {
    self.init(name, elements: elements, environment: environment, make: make, failing: nil)
  }

  private init(
    _ name: String, elements: ElementLimit, environment: VerificationEnvironment, make: @escaping (Int) -> P,
    failing: (() -> P)?
  ) {
    self.name = name
    self.elements = elements
    self.environment = environment
    self.make = make
    self.failing = failing
  }

  /// The same verification, with the rules about failures.
  ///
  /// - Parameter failing: Makes a publisher that fails at once, without a value.
  public func failing(_ failing: @escaping () -> P) -> Self {
    Self(name, elements: elements, environment: environment, make: make, failing: failing)
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
      Check(.c05) { try $0.checkRecursion($1, byReturning: true) },
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
    findings.watch(probe)
    make(count).subscribe(probe)
    return probe
  }

  private func checkDemand(_ findings: Findings) throws {
    for count in try elements.allowed(of: [4, 1]) {
      let probe = probe(count, .none, findings)
      findings.expect(probe.values.count, is: 0, "values without demand")
      probe.request(.max(1))
      findings.expect(probe.values.count, is: 1, "values for a demand of 1")
      guard count > 3 else { continue }
      probe.request(.max(1))
      probe.request(.max(2))
      findings.expect(probe.values.count, is: 4, "values for a demand of 1, 1 and 2")
      var returns = [1, 1]
      let returning = self.probe(count, .max(1), findings) {
        guard case .value = $0, let more = returns.popLast() else { return .proceed }
        return .demand(.max(more))
      }
      findings.expect(returning.values.count, is: 3, "values for a demand of 1 and two returns of 1")
    }
  }

  private func checkShortStream(_ findings: Findings) throws {
    for count in try elements.allowed(of: [3, 1, 0]) {
      let probe = probe(count, .max(10), findings)
      findings.expect(probe.values.count, is: count, "values for a demand of 10")
      findings.expect(probe.isFinished, "it did not finish")
    }
  }

  private func checkFailure(_ findings: Findings) throws {
    guard let failing else { throw Skip(reason: "there is no failing publisher") }
    let probe = Probe()
    findings.watch(probe)
    failing().subscribe(probe)
    findings.expect(probe.signals.map(\.kind), is: [.subscription, .failure], "signals without demand")
  }

  private func checkCompletion(_ findings: Findings) throws {
    for count in try elements.allowed(of: [0, 1, 3]) {
      let exact = probe(count, .max(count), findings)
      findings.expect(exact.values.count, is: count, "values for exactly that demand")
      findings.expect(exact.isFinished, "it did not finish after \(count) values without further demand")
    }
  }

  private func checkDeadAfterEnd(_ findings: Findings) throws {
    for count in try elements.allowed(of: [0, 1, 3]) {
      let probe = probe(count, .unlimited, findings)
      let before = probe.values.count
      probe.request(.unlimited)
      probe.cancel()
      probe.cancel()
      probe.request(.max(1))
      findings.expect(probe.values.count, is: before, "values after calls on a dead subscription")
      findings.expect(probe.isFinished, "it did not finish")
    }
  }

  private func checkNothingAfterEnd(_ findings: Findings) throws {
    for count in try elements.allowed(of: [0, 1, 3]) {
      // Asking again inside every signal, the last one included, must not bring the end twice.
      let probe = probe(count, .max(count), findings) { _ in .request(.max(1)) }
      findings.expect(probe.values.count, is: count, "values")
      findings.expect(probe.isFinished, "it did not finish")
    }
  }

  private func checkSubscriptionFirst(_ findings: Findings) throws {
    for count in try elements.allowed(of: [0, 1, 3]) {
      let probe = probe(count, .unlimited, findings)
      findings.expect(probe.subscription != nil, "no subscription came")
    }
    if let failing {
      let probe = Probe()
      findings.watch(probe)
      failing().subscribe(probe)
      findings.expect(probe.subscription != nil, "no subscription came before the failure")
    }
  }

  private func checkManySubscribers(_ findings: Findings) throws {
    for count in try elements.allowed(of: [3, 1, 0]) {
      let publisher = make(count)
      let probes = (1...2).map { _ in Probe() }
      for probe in probes {
        findings.watch(probe)
        publisher.subscribe(probe)
      }
      for probe in probes { probe.request(.max(1)) }
      for probe in probes { probe.request(.unlimited) }
      for probe in probes {
        findings.expect(probe.values.count, is: count, "values of one of two subscribers")
        findings.expect(probe.isFinished, "one of two subscribers saw no end")
      }
    }
  }

  private func checkRequestsInsideSignals(_ findings: Findings) throws {
    for count in try elements.allowed(of: [4, 1]) {
      let probe = probe(count, .none, findings) { signal in
        if case .completion = signal { .proceed } else { .request(.max(1)) }
      }
      findings.expect(probe.values.count, is: count, "values for a request inside each signal")
      findings.expect(probe.isFinished, "it did not finish")
    }
  }

  private func checkRecursion(_ findings: Findings, byReturning returns: Bool) throws {
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

  private func checkParkedCancel(_ findings: Findings) throws {
    let publisher = make(try elements.allowed(of: [5, 1])[0])
    let probe = Probe(initialDemand: .unlimited)
    findings.watch(probe)
    try findings.interleave(
      probe, at: .value(1), within: environment.signalTimeout, deliver: { publisher.subscribe(probe) },
      name: "a cancel", act: { for _ in 1...2 { probe.cancel() } })
    findings.expect(probe.values.count <= 2, "\(probe.values.count - 1) values after a cancel on another thread")
  }

  private func checkRequestAfterCancel(_ findings: Findings) throws {
    for count in try elements.allowed(of: [3, 1]) {
      let probe = probe(count, .none, findings)
      probe.cancel()
      for demand in [Subscribers.Demand.max(1), .max(Int.max), .unlimited] { probe.request(demand) }
      findings.expect(probe.signals.filter(\.kind.isSignal).count, is: 1, "signals after a cancel and requests")
    }
  }

  private func checkRepeatedCancel(_ findings: Findings) throws {
    for count in try elements.allowed(of: [3, 1]) {
      let probe = probe(count, .max(1), findings) { if case .value = $0 { .cancel } else { .proceed } }
      for _ in 1...3 { probe.cancel() }
      findings.expect(probe.values.count, is: 1, "values")
      findings.expect(probe.completion == nil, "it ended though it was cancelled")
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
    findings.expect(summing.values.count, is: 5, "values for 1, then 1, 1, 1 and a returned 1 inside the first value")
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
        findings.expect(
          probe.values.count, is: delivered, "values for requests \(requests) and returned demands \(returns)")
      }
    }
  }

  private func checkRelease(_ findings: Findings, bySubscriber reaction: Reaction) throws {
    for count in try elements.allowed(of: [3, 1, 0]) where reaction != .cancel || count > 0 {
      weak var watched: Probe?
      // The subscription stays, so that the subscriber goes only if the subscription lets go of it.
      let kept = { () -> (any Subscription)? in
        let probe = Probe()
        watched = probe
        make(count).subscribe(probe)
        return probe.subscription
      }()
      if reaction == .cancel { kept?.cancel() } else { kept?.request(.unlimited) }
      findings.expect(watched == nil, "the subscriber lives on")
      withExtendedLifetime(kept) {}
    }
  }

  private func checkLargeDemand(_ findings: Findings) throws {
    let demands = [Subscribers.Demand.max(Int.max / 2 + 1), .max(Int.max), .unlimited]
    for count in try elements.allowed(of: [3, 1]) {
      for first in demands {
        for second in demands {
          let probe = probe(count, first, findings) { if case .value = $0 { .request(second) } else { .proceed } }
          findings.expect(probe.values.count, is: count, "values for \(first) and then \(second)")
          findings.expect(probe.isFinished, "it did not finish after \(first) and then \(second)")
        }
      }
    }
  }

  private func checkRequestOfNone(_ findings: Findings) throws {
    for count in try elements.allowed(of: [3, 1]) {
      let probe = probe(count, .none, findings) { if case .value = $0 { .request(.none) } else { .proceed } }
      probe.request(.none)
      findings.expect(probe.values.count, is: 0, "values for a request of none")
      probe.request(.max(1))
      probe.request(.none)
      findings.expect(probe.values.count, is: 1, "values for requests of 1 and none")
      probe.request(.unlimited)
      findings.expect(probe.isFinished, "it did not finish")
    }
  }

  private func checkConcurrentRequests(_ findings: Findings) throws {
    let count = 2000
    _ = try elements.allowed(of: [count])
    let parked = Probe(initialDemand: .max(1))
    findings.watch(parked)
    let publisher = make(count)
    try findings.interleave(
      parked, at: .value(1), within: environment.signalTimeout, deliver: { publisher.subscribe(parked) },
      name: "a request", act: { parked.request(.max(2)) },
      inspect: { findings.expect(parked.values.count, is: 1, "values while the delivery of the first is parked") })
    findings.expect(parked.values.count, is: 3, "values for 1, and for 2 from another thread")
    for _ in 1...5 {
      let probe = probe(count, .none, findings)
      let requests = {
        for _ in 0..<count { probe.request(.max(1)) }
      }
      let thread = TestThread(requests)
      requests()
      findings.expect(thread.join(atMost: environment.signalTimeout), "requests of two threads do not return")
      findings.expect(probe.values.count, is: count, "values for requests of two threads")
      findings.expect(probe.isFinished, "it did not finish")
    }
  }

  private func checkCancelInsideSignals(_ findings: Findings) throws {
    for count in try elements.allowed(of: [3, 1, 0]) {
      for place in 0...count {
        var signals = 0
        let probe = probe(count, .unlimited, findings) { _ in
          signals += 1
          return signals == place + 1 ? .cancel : .proceed
        }
        findings.expect(probe.values.count, is: place, "values after a cancel inside signal \(place + 1)")
        findings.expect(probe.completion == nil, "it ended though it was cancelled inside signal \(place + 1)")
      }
    }
  }
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
