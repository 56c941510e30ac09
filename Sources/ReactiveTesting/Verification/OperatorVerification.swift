public import Reactive

/// Checks an operator against the rules of both its sides, one by one.
///
/// The operator stands between a publisher that the test drives, which misbehaves where the rule says so, and a
/// subscriber that watches it. After each step virtual time moves on by a second: delays should be that short, and timeouts
/// much longer.
///
///     let map = OperatorVerification("map", .passesDemand) { source, _ in source.map { $0 + 1 } }
///     try map.verifyAll().orThrow()
public struct OperatorVerification<Input, P: Publisher>: Verification {
  /// What is checked, as reports name it.
  public let name: String

  let traits: OperatorTraits
  let environment: VerificationEnvironment
  let elements: [Input]
  let apply: (TestPublisher<Input, TestFailure>, TestScheduler) -> P

  /// Prepares the verification of an operator.
  ///
  /// - Parameters:
  ///   - name: What reports call it.
  ///   - traits: What the operator does, as far as the rules depend on it.
  ///   - elements: The values that the source sends, again from the start when they are used up; at least one.
  ///   - environment: How thoroughly to check.
  ///   - apply: Applies the operator to the source; the scheduler is for operators that need one.
  public init(
    _ name: String, _ traits: OperatorTraits = [], elements: [Input],
    environment: VerificationEnvironment = .current,
    _ apply: @escaping (TestPublisher<Input, TestFailure>, TestScheduler) -> P
  ) {
    precondition(!elements.isEmpty, "An operator needs values to work on")
    self.name = name
    self.traits = traits
    self.elements = elements
    self.environment = environment
    self.apply = apply
  }

  /// The rules that can be checked.
  public static var rules: [Rule] { checks.map(\.rule) }

  /// Checks one rule.
  ///
  /// - Parameter rule: Which one.
  /// - Returns: What it came to; a rule that does not apply to this operator is skipped.
  public func verify(_ rule: Rule) -> Outcome {
    Findings.outcome(of: rule, in: Self.checks, on: self, name: name, seed: environment.seed)
  }
}

extension OperatorVerification where Input == Int {
  /// Prepares the verification of an operator that works on the numbers from 1 to 2000.
  ///
  /// - Parameters:
  ///   - name: What reports call it.
  ///   - traits: What the operator does, as far as the rules depend on it.
  ///   - environment: How thoroughly to check.
  ///   - apply: Applies the operator to the source; the scheduler is for operators that need one.
  public init(
    _ name: String, _ traits: OperatorTraits = [], environment: VerificationEnvironment = .current,
    _ apply: @escaping (TestPublisher<Int, TestFailure>, TestScheduler) -> P
  ) {
    self.init(name, traits, elements: Array(1...2000), environment: environment, apply)
  }
}

/// What an operator does, as far as the rules depend on it.
public struct OperatorTraits: OptionSet, Hashable, Sendable {
  /// The bits.
  public let rawValue: Int

  /// Makes a set out of bits.
  public init(rawValue: Int) {
    self.rawValue = rawValue
  }

  /// It asks upstream for exactly what downstream asks for, and gives one value for each, as `map` does.
  public static var passesDemand: Self { Self(rawValue: 1) }
  /// It may ask upstream for more than downstream asks for, as `collect` does.
  public static var mayBuffer: Self { Self(rawValue: 2) }
  /// It gives nothing before upstream has finished, as `collect` does.
  public static var waitsForTheEnd: Self { Self(rawValue: 4) }
  /// It ends before upstream does, within ten values, as `prefix` does.
  public static var endsEarly: Self { Self(rawValue: 8) }
  /// It does not pass a first failure on, as `replaceError` and `retry` do.
  public static var recovers: Self { Self(rawValue: 16) }
  /// It gives values of its own at the start or the end, which need demand, as `prepend` and `replaceEmpty` do.
  public static var addsValues: Self { Self(rawValue: 32) }
  /// It never gives a value, as `ignoreOutput` does.
  public static var givesNoValues: Self { Self(rawValue: 64) }
}

extension OperatorVerification {
  typealias Source = TestPublisher<Input, TestFailure>
  typealias Probe = TestSubscriber<P.Output, P.Failure>

  /// An operator between its two peers.
  struct Bench {
    let source: Source
    let scheduler: TestScheduler
    let probe: Probe

    func settle() {
      scheduler.advance(by: 1)
    }
  }

  static var checks: [Check<Self>] {
    [
      Check(.p1_01) { try $0.checkDemand($1) },
      Check(.p1_05) { try $0.checkCompletion($1) },
      Check(.p1_07) { try $0.checkNothingAfterEnd($1) },
      Check(.p1_09) { try $0.checkSignalsBeforeSubscription($1) },
      Check(.s2_01) { try $0.checkAsking($1) },
      Check(.s2_03) { try $0.checkCallsInsideCompletion($1) },
      Check(.s2_04) { try $0.checkLetsUpstreamGo($1) },
      Check(.s2_05) { try $0.checkSecondSubscription($1) },
      Check(.s2_06) { try $0.checkCancelWhenDone($1) },
      Check(.s2_08) { try $0.checkValuesAfterCancel($1) },
      Check(.s2_09) { try $0.checkEndWithoutDemand($1, .finished) },
      Check(.s2_10) { try $0.checkEndWithoutDemand($1, .failure(TestFailure())) },
      Check(.n3_08) { try $0.checkDemandPasses($1) },
      Check(.n3_13) { try $0.checkRelease($1, byCancel: true) },
      Check(.o4_02) { try $0.checkFailure($1) },
      Check(.c04) { try $0.checkRequestOfNone($1) },
      Check(.c05) { try $0.checkNesting($1) },
      Check(.c06) { try $0.checkConcurrentRequests($1) },
      Check(.c12) { try $0.checkCancelInsideSignals($1) },
      Check(.c13) { try $0.checkParkedCancel($1) },
      Check(.c14) { try $0.checkOneCancel($1) },
      Check(.c15) { try $0.checkRelease($1, byCancel: false) },
      Check(.c19) { try $0.checkOverflow($1) },
    ]
  }

  private func bench(
    _ demand: Subscribers.Demand, _ findings: Findings, _ misbehaviour: Source.Misbehaviour = [],
    _ react: ((Signal<P.Output, P.Failure>) -> Reaction)? = nil
  ) -> Bench {
    let bench = Bench(
      source: Source(misbehaviour), scheduler: TestScheduler(), probe: Probe(initialDemand: demand, onSignal: react))
    findings.watch(bench.source)
    findings.watch(bench.probe)
    apply(bench.source, bench.scheduler).subscribe(bench.probe)
    bench.settle()
    return bench
  }

  private func send(_ range: ClosedRange<Int>, _ bench: Bench) {
    for number in range {
      bench.source.send(elements[(number - 1) % elements.count])
      bench.settle()
    }
  }

  private func end(_ bench: Bench, _ completion: Subscribers.Completion<TestFailure> = .finished) {
    bench.source.send(completion: completion)
    bench.settle()
  }

  /// How upstream can end so that downstream ends too.
  private var endings: [Subscribers.Completion<TestFailure>] {
    traits.contains(.recovers) ? [.finished] : [.finished, .failure(TestFailure())]
  }

  /// Throws when there is no value in which to park.
  private func requireValues() throws {
    if traits.contains(.givesNoValues) { throw Skip(reason: "it never gives a value") }
  }

  private func checkDemand(_ findings: Findings) throws {
    let bench = bench(.none, findings)
    send(1...5, bench)
    findings.expect(bench.probe.values.count, is: 0, "values without demand")
    bench.probe.request(.max(1))
    send(6...10, bench)
    findings.expect(bench.probe.values.count <= 1, "\(bench.probe.values.count) values for a demand of 1")
    end(bench)
    findings.expect(bench.probe.values.count <= 1, "\(bench.probe.values.count) values for a demand of 1, at the end")
    let undemanded = self.bench(.none, findings)
    end(undemanded)
    findings.expect(undemanded.probe.values.count, is: 0, "values without demand, at the end")
  }

  private func checkCompletion(_ findings: Findings) throws {
    let bench = bench(.unlimited, findings)
    send(1...3, bench)
    end(bench)
    findings.expect(bench.probe.isFinished, "it does not finish when upstream does")
  }

  private func checkNothingAfterEnd(_ findings: Findings) throws {
    for completion in endings {
      let bench = bench(.unlimited, findings, .signalAfterTerminal)
      end(bench, completion)
      let before = bench.probe.values.count
      send(1...3, bench)
      end(bench)
      end(bench, .failure(TestFailure()))
      findings.expect(bench.probe.values.count, is: before, "values after the end")
      findings.expect(bench.probe.completion != nil, "it did not end")
    }
  }

  private func checkSignalsBeforeSubscription(_ findings: Findings) throws {
    let bench = bench(.unlimited, findings, .signalBeforeSubscription)
    send(1...2, bench)
    bench.source.sendSubscription()
    bench.settle()
    send(3...4, bench)
    findings.expect(bench.probe.subscription != nil, "no subscription came")
  }

  private func checkAsking(_ findings: Findings) throws {
    let bench = bench(traits.contains(.addsValues) ? .max(20) : .max(1), findings)
    findings.expect(bench.source.requests.contains { $0 > .none }, "downstream asked, and it asks upstream for nothing")
    guard traits.isDisjoint(with: [.endsEarly, .waitsForTheEnd, .addsValues, .givesNoValues]) else { return }
    // Whatever it drops, it has to go on asking until it can give what was asked for.
    send(1...20, bench)
    findings.expect(bench.probe.values.count, is: 1, "values for a demand of 1 and twenty values upstream")
  }

  private func checkCallsInsideCompletion(_ findings: Findings) throws {
    for completion in endings {
      // What downstream calls from inside the completion must not reach upstream either.
      for reaction in [Reaction.proceed, .request(.max(1)), .cancel] {
        let bench = bench(.unlimited, findings) { if case .completion = $0 { reaction } else { .proceed } }
        send(1...1, bench)
        end(bench, completion)
      }
    }
  }

  private func checkLetsUpstreamGo(_ findings: Findings) throws {
    for completion in endings {
      let bench = bench(.unlimited, findings)
      end(bench, completion)
      bench.probe.request(.max(3))
      bench.probe.cancel()
      bench.settle()
      findings.expect(!bench.source.isSubscriptionHeld, "it keeps upstream's subscription after the end")
    }
    let cancelled = bench(.max(1), findings)
    cancelled.probe.cancel()
    cancelled.settle()
    findings.expect(!cancelled.source.isSubscriptionHeld, "it keeps upstream's subscription after a cancel")
  }

  private func checkSecondSubscription(_ findings: Findings) throws {
    for misbehaviour in [Source.Misbehaviour.secondSubscription, .nestedSubscription] {
      let bench = bench(.unlimited, findings, misbehaviour)
      findings.expect(bench.source.subscriberCount, is: 1, "subscribers left after a second subscription")
      send(1...2, bench)
      end(bench)
      findings.expect(bench.probe.isFinished, "it does not finish after a second subscription")
      let isPassed = bench.probe.violations.contains { $0.rule == .s2_12 }
      findings.expect(!isPassed, "it passes a second subscription on")
    }
  }

  private func checkCancelWhenDone(_ findings: Findings) throws {
    guard traits.contains(.endsEarly) else { throw Skip(reason: "it does not end before upstream") }
    var cancels: Int?
    weak var source: Source?
    let bench = bench(.unlimited, findings) { signal in
      if case .completion = signal { cancels = source?.cancelCount }
      return .proceed
    }
    source = bench.source
    send(1...10, bench)
    findings.expect(bench.probe.completion != nil, "it has not ended after ten values")
    findings.expect(cancels, is: 1, "cancels when downstream learns of the end")
    send(11...12, bench)
    end(bench)
    findings.expect(bench.source.cancelCount, is: 1, "cancels in all")
  }

  private func checkValuesAfterCancel(_ findings: Findings) throws {
    let bench = bench(.unlimited, findings, .ignoreCancel)
    send(1...1, bench)
    let before = bench.probe.values.count
    bench.probe.cancel()
    send(2...4, bench)
    end(bench)
    findings.expect(bench.probe.values.count, is: before, "values after a cancel")
  }

  private func checkEndWithoutDemand(
    _ findings: Findings, _ completion: Subscribers.Completion<TestFailure>
  ) throws {
    let isFailure = completion != .finished
    for demand in [Subscribers.Demand.none, .max(1)] {
      let bench = bench(demand, findings)
      end(bench, completion)
      // A recovering operator may go on after a failure; that it survives is all there is to see.
      if isFailure, traits.contains(.recovers) { continue }
      if !isFailure, !traits.isDisjoint(with: [.waitsForTheEnd, .addsValues]) { bench.probe.request(.unlimited) }
      bench.settle()
      findings.expect(bench.probe.completion != nil, "it does not end when upstream does, for a demand of \(demand)")
    }
  }

  private func checkDemandPasses(_ findings: Findings) throws {
    guard !traits.contains(.mayBuffer) else { throw Skip(reason: "it asks for more than downstream does") }
    let exact = traits.contains(.passesDemand)
    let bench = bench(.none, findings) { if case .value = $0 { .demand(.max(1)) } else { .proceed } }
    func compare(_ moment: String) {
      let (asked, passed) = (bench.probe.outstandingDemand, bench.source.outstandingDemand)
      findings.expect(exact ? passed == asked : passed <= asked, "\(moment): \(asked) downstream, \(passed) upstream")
    }
    bench.probe.request(.max(2))
    bench.probe.request(.max(3))
    compare("after requests of 2 and 3")
    if !traits.contains(.endsEarly) {
      send(1...3, bench)
      compare("after three values that each returned 1")
    }
    bench.probe.request(.unlimited)
    compare("after an unlimited request")
  }

  private func checkRelease(_ findings: Findings, byCancel: Bool) throws {
    for completion in endings {
      let (source, scheduler) = (Source(), TestScheduler())
      weak var watched: Probe?
      let kept = { () -> (any Subscription)? in
        let probe = Probe(initialDemand: .unlimited)
        watched = probe
        apply(source, scheduler).subscribe(probe)
        return probe.subscription
      }()
      source.send(elements[0])
      if byCancel { kept?.cancel() } else { source.send(completion: completion) }
      scheduler.advance(by: 1)
      findings.expect(watched == nil, "the subscriber lives on")
      withExtendedLifetime((source, kept)) {}
    }
  }

  private func checkFailure(_ findings: Findings) throws {
    for demand in [Subscribers.Demand.none, .unlimited] {
      let bench = bench(demand, findings)
      end(bench, .failure(TestFailure()))
      if traits.contains(.recovers) {
        findings.expect(bench.probe.failure == nil, "it passes a failure on")
      } else {
        findings.expect(bench.probe.failure != nil, "it does not pass a failure on, for a demand of \(demand)")
      }
    }
  }

  private func checkRequestOfNone(_ findings: Findings) throws {
    let bench = bench(.none, findings) { if case .value = $0 { .request(.none) } else { .proceed } }
    bench.probe.request(.none)
    findings.expect(bench.source.callKinds.contains(.request(.none)), is: false, "a request of none is passed on")
    send(1...1, bench)
    findings.expect(bench.probe.values.count, is: 0, "values for a request of none")
    bench.probe.request(.max(1))
    bench.probe.request(.none)
    send(2...2, bench)
  }

  private func checkNesting(_ findings: Findings) throws {
    for reaction in [Reaction.request(.max(1)), .demand(.max(1))] {
      let bench = bench(.max(1), findings) { if case .value = $0 { reaction } else { .proceed } }
      send(1...100, bench)
      end(bench)
      findings.expect(bench.probe.maximumDepth <= 1, "values come inside one another")
    }
  }

  private func checkConcurrentRequests(_ findings: Findings) throws {
    try requireValues()
    let parked = bench(.max(1), findings)
    try findings.interleave(
      parked.probe, at: .value(1), within: environment.signalTimeout,
      deliver: {
        send(1...10, parked)
        end(parked)
      }, name: "a request", act: { parked.probe.request(.max(1)) },
      inspect: { findings.expect(parked.probe.values.count, is: 1, "values while a delivery is parked") })
    let (source, scheduler, probe) = (Source(), TestScheduler(), Probe())
    findings.watch(probe)
    apply(source, scheduler).subscribe(probe)
    let isSending = WaitableState(false)
    let thread = TestThread {
      isSending.withLock { $0 = true }
      for element in elements.prefix(500) { source.send(element) }
    }
    _ = isSending.wait(atMost: environment.signalTimeout) { $0 }
    for _ in 1...500 { probe.request(.max(1)) }
    findings.expect(thread.join(atMost: environment.signalTimeout), "a send beside requests does not return")
    // What is left of the demand is used up, so that whatever was given without demand shows.
    for element in elements.prefix(600) { source.send(element) }
    scheduler.advance(by: 1)
    if traits.contains(.passesDemand), !traits.contains(.endsEarly), elements.count >= 600 {
      findings.expect(probe.values.count, is: 500, "values for a demand of 500")
    }
  }

  private func checkCancelInsideSignals(_ findings: Findings) throws {
    for place in 1...3 {
      var signals = 0
      let bench = bench(.unlimited, findings, .ignoreCancel) { _ in
        signals += 1
        return signals == place ? .cancel : .proceed
      }
      send(1...5, bench)
      end(bench)
      findings.expect(signals <= place, "\(signals - place) signals after a cancel inside signal \(place)")
    }
  }

  private func checkParkedCancel(_ findings: Findings) throws {
    try requireValues()
    let bench = bench(.unlimited, findings, .ignoreCancel)
    try findings.interleave(
      bench.probe, at: .value(1), within: environment.signalTimeout,
      deliver: {
        send(1...10, bench)
        end(bench)
      }, name: "a cancel", act: { bench.probe.cancel() })
    findings.expect(bench.probe.signals.filter(\.kind.isSignal).count <= 3, "more than one signal after a cancel")
  }

  private func checkOneCancel(_ findings: Findings) throws {
    let cancelled = bench(.max(1), findings)
    for _ in 1...3 { cancelled.probe.cancel() }
    findings.expect(cancelled.source.cancelCount, is: 1, "cancels upstream for three downstream")
    findings.expect(cancelled.probe.completion == nil, "it ends on a cancel")
    let ended = bench(.unlimited, findings)
    end(ended)
    ended.probe.cancel()
    findings.expect(ended.source.cancelCount, is: 0, "cancels upstream after its completion")
  }

  private func checkOverflow(_ findings: Findings) throws {
    // An operator that counts nothing may pass the excess on; it must go on working.
    for demand in [Subscribers.Demand.none, .max(1)] {
      let (source, scheduler) = (Source(.overflow), TestScheduler())
      let probe = Probe(initialDemand: demand, ignoring: [.p1_01])
      findings.watch(probe)
      apply(source, scheduler).subscribe(probe)
      for element in elements.prefix(20) {
        source.send(element)
        scheduler.advance(by: 1)
      }
      source.send(completion: .finished)
      probe.request(.unlimited)
      scheduler.advance(by: 1)
      // What ends early may do so with a failure of its own.
      let isOver = traits.contains(.endsEarly) ? probe.completion != nil : probe.isFinished
      findings.expect(isOver, "it does not finish after values that nobody asked for")
    }
  }
}
