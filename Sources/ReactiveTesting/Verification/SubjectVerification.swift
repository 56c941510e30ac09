public import Reactive

/// Checks a subject against the rules, one by one, with threads parked at chosen places and in races.
///
///     let subject = SubjectVerification("PassthroughSubject", .none) { PassthroughSubject<Int, TestFailure>() }
///     try subject.verifyAll().orThrow()
///
/// A hot publisher that is no subject is checked with a `DrivenPublisher`.
public struct SubjectVerification<S: Subject>: Verification where S.Output == Int, S.Failure == TestFailure {
  /// What a subject remembers for a newcomer.
  public enum Memory: Hashable, Sendable {
    /// Nothing.
    case none
    /// The latest value; at the start 0.
    case latest
    /// The newest value, at the start 0, as a state that is published: who is busy or has no demand while it changes gets
    /// the newest value alone, and may get it twice.
    case newest
  }

  /// What is checked, as reports name it.
  public let name: String

  let memory: Memory
  let environment: VerificationEnvironment
  let make: () -> S
  private(set) var read: ((S) -> Int)?
  private(set) var isEndless = false

  /// Prepares the verification of a subject.
  ///
  /// - Parameters:
  ///   - name: What reports call it.
  ///   - memory: What the subject remembers.
  ///   - environment: How thoroughly to check.
  ///   - make: Makes the subject; one with a memory starts at 0.
  public init(
    _ name: String, _ memory: Memory, environment: VerificationEnvironment = .current, _ make: @escaping () -> S
  ) {
    self.name = name
    self.memory = memory
    self.environment = environment
    self.make = make
  }

  /// The same verification, with the rules about the value that can be read.
  ///
  /// - Parameter read: Reads the latest value.
  public func reading(_ read: @escaping (S) -> Int) -> Self {
    var verification = self
    verification.read = read
    return verification
  }

  /// The same verification, without the rules about the end: nothing ever ends the subject.
  public func endless() -> Self {
    var verification = self
    verification.isEndless = true
    return verification
  }

  /// The rules that can be checked.
  public static var rules: [Rule] { checks.map(\.rule) }

  /// Checks one rule.
  ///
  /// - Parameter rule: Which one.
  /// - Returns: What it came to; a rule that does not apply to this subject is skipped.
  public func verify(_ rule: Rule) -> Outcome {
    Findings.outcome(of: rule, in: Self.checks, on: self, name: name, seed: environment.seed)
  }
}

extension SubjectVerification {
  typealias Probe = TestSubscriber<Int, TestFailure>

  static var checks: [Check<Self>] {
    [
      Check(.p1_01) { try $0.checkDemand($1) },
      Check(.p1_04) { try $0.checkFailure($1) },
      Check(.p1_05) { try $0.checkCompletion($1) },
      Check(.p1_07) { try $0.checkNothingAfterEnd($1) },
      Check(.n3_08) { try $0.checkAddingUp($1) },
      Check(.c01) { try $0.checkSerialDelivery($1) },
      Check(.c02) { try $0.checkEndDuringSubscription($1) },
      Check(.c04) { try $0.checkRequestOfNone($1) },
      Check(.c05) { try $0.checkNesting($1) },
      Check(.c06) { try $0.checkConcurrentRequests($1) },
      Check(.c07) { try $0.checkOneOrder($1) },
      Check(.c08) { try $0.checkSendReturns($1) },
      Check(.c09) { try $0.checkValue($1) },
      Check(.c10) { try $0.checkJoining($1) },
      Check(.c11) { try $0.checkSubscribingInside($1) },
      Check(.c12) { try $0.checkCancelInsideSignals($1) },
      Check(.c13) { try $0.checkParkedCancel($1) },
      Check(.c14) { try $0.checkRepeatedCancel($1) },
      Check(.c15) { try $0.checkRelease($1) },
      Check(.c17) { try $0.checkTerminal($1) },
      Check(.c18) { try $0.checkRecursion($1) },
    ]
  }

  /// Subscribes a watched probe.
  private func probe(
    _ subject: S, _ demand: Subscribers.Demand, _ findings: Findings,
    _ react: ((Signal<Int, TestFailure>) -> Reaction)? = nil
  ) -> Probe {
    let probe = Probe(initialDemand: demand, onSignal: react)
    findings.watch(probe)
    subject.subscribe(probe)
    return probe
  }

  /// What a subscriber with enough demand has got after the subject was sent some values.
  private func received(_ values: [Int]) -> [Int] {
    memory == .none ? values : [0] + values
  }

  /// Ends a subject; one that is endless goes on.
  private func end<T: Subject>(_ subject: T) where T.Failure == TestFailure {
    if !isEndless { subject.send(completion: .finished) }
  }

  private func requireEnd() throws {
    if isEndless { throw Skip(reason: "it never ends") }
  }

  /// What a subscriber got, without repetitions where they are allowed.
  private func distinct(_ values: [Int]) -> [Int] {
    guard memory == .newest else { return values }
    return values.indices.filter { $0 == 0 || values[$0] != values[$0 - 1] }.map { values[$0] }
  }

  /// The signal in which the first value that is sent arrives.
  private var firstSent: SignalSelector { .value(received([1]).count) }

  private func checkDemand(_ findings: Findings) throws {
    let subject = make()
    let probe = probe(subject, .none, findings)
    subject.send(1)
    findings.expect(probe.values, is: [], "values without demand")
    probe.request(.max(1))
    findings.expect(probe.values, is: memory != .none ? [1] : [], "values for a first demand of 1")
    subject.send(2)
    subject.send(3)
    findings.expect(probe.values, is: memory != .none ? [1] : [2], "values for a demand of 1")
    probe.request(.max(1))
    findings.expect(probe.values, is: memory != .none ? [1, 3] : [2], "values for a second demand of 1")
  }

  private func checkFailure(_ findings: Findings) throws {
    try requireEnd()
    let subject = make()
    let probes = [Subscribers.Demand.none, .max(1), .unlimited].map { probe(subject, $0, findings) }
    subject.send(completion: .failure(TestFailure()))
    for probe in probes { findings.expect(probe.failure != nil, "a subscriber does not learn of the failure") }
  }

  private func checkCompletion(_ findings: Findings) throws {
    try requireEnd()
    let subject = make()
    let probes = [Subscribers.Demand.none, .max(1), .unlimited].map { probe(subject, $0, findings) }
    subject.send(1)
    subject.send(completion: .finished)
    for probe in probes { findings.expect(probe.isFinished, "a subscriber does not learn of the end") }
  }

  private func checkNothingAfterEnd(_ findings: Findings) throws {
    try requireEnd()
    let subject = make()
    let probe = probe(subject, .unlimited, findings) { signal in
      // Neither from inside the completion nor later.
      if case .completion = signal { subject.send(7) }
      return .proceed
    }
    subject.send(completion: .finished)
    subject.send(8)
    probe.request(.unlimited)
    findings.expect(probe.values, is: received([]), "values after the end")
    try race(.sendAndEnd, findings)
  }

  private func checkAddingUp(_ findings: Findings) throws {
    let subject = make()
    let probe = probe(subject, .max(1), findings) { if case .value(1) = $0 { .demand(.max(2)) } else { .proceed } }
    probe.request(.max(3))
    for value in 1...9 { subject.send(value) }
    findings.expect(probe.values, is: Array(received(Array(1...6)).prefix(6)), "values for 1 and 3 and a returned 2")
  }

  private func checkSerialDelivery(_ findings: Findings) throws {
    let subject = make()
    let probe = Probe(initialDemand: .unlimited)
    findings.watch(probe)
    let gate = probe.park(at: firstSent)
    subject.subscribe(probe)
    let sender = TestThread { subject.send(1) }
    try gate.waitUntilParked(atMost: environment.signalTimeout)
    // Whether it waits is the business of another rule.
    let other = TestThread { subject.send(2) }
    other.join(atMost: .milliseconds(50))
    gate.open()
    sender.join()
    other.join()
    findings.expect(probe.values, is: received([1, 2]), "values of two threads")
    findings.expect(!probe.violations.contains { $0.rule == .p1_03 }, "the values of two threads overlap")
    try race(.twoSends, findings)
  }

  private func checkEndDuringSubscription(_ findings: Findings) throws {
    let subject = make()
    let probe = Probe(initialDemand: .unlimited)
    findings.watch(probe)
    let gate = probe.park(at: .subscription)
    let subscriber = TestThread { subject.subscribe(probe) }
    try gate.waitUntilParked(atMost: environment.signalTimeout)
    let sender = TestThread {
      subject.send(1)
      end(subject)
    }
    findings.expect(
      sender.join(atMost: environment.signalTimeout), "a send waits for a subscription on another thread")
    gate.open()
    subscriber.join()
    sender.join()
    guard !isEndless else { return }
    findings.expect(probe.isFinished, "the end got lost during the subscription")
    try race(.subscribeAndEnd, findings)
  }

  private func checkRequestOfNone(_ findings: Findings) throws {
    let subject = make()
    let probe = probe(subject, .none, findings) { if case .value = $0 { .request(.none) } else { .proceed } }
    probe.request(.none)
    subject.send(1)
    findings.expect(probe.values, is: [], "values for a request of none")
    probe.request(.max(1))
    probe.request(.none)
    subject.send(2)
    subject.send(3)
    findings.expect(probe.values.count, is: 1, "values for requests of 1 and none")
  }

  private func checkNesting(_ findings: Findings) throws {
    let subject = make()
    let probe = probe(subject, .max(1), findings) { signal in
      guard case .value(let value) = signal else { return .proceed }
      if value < 50 { subject.send(value + 1) }
      return value % 2 == 0 ? .request(.max(1)) : .demand(.max(1))
    }
    subject.send(1)
    findings.expect(probe.maximumDepth, is: 1, "values inside one another")
    findings.expect(probe.values.last, is: 50, "the last of fifty values, each sent inside the one before")
  }

  private func checkConcurrentRequests(_ findings: Findings) throws {
    let parked = Probe(initialDemand: .max(received([1]).count))
    findings.watch(parked)
    let first = make()
    try findings.interleave(
      parked, at: firstSent, within: environment.signalTimeout,
      deliver: {
        first.subscribe(parked)
        for value in 1...3 { first.send(value) }
      }, name: "a request", act: { parked.request(.max(1)) },
      inspect: { findings.expect(parked.values, is: received([1]), "values while a delivery is parked") })
    findings.expect(parked.values, is: received([1, 2]), "values for a request from another thread")
    let subject = make()
    let probe = probe(subject, .none, findings)
    let thread = TestThread {
      for value in 1...1000 { subject.send(value) }
    }
    for _ in 1...500 { probe.request(.max(1)) }
    findings.expect(thread.join(atMost: environment.signalTimeout), "sends beside requests do not return")
    findings.expect(probe.values.count <= 500, "\(probe.values.count) values for a demand of 500")
    let values = distinct(probe.values)
    findings.expect(zip(values, values.dropFirst()).allSatisfy(<), "values are repeated or go back")
  }

  private func checkOneOrder(_ findings: Findings) throws {
    let subject = make()
    let probes = (0..<3).map { _ in
      probe(subject, .unlimited, findings) { signal in
        if case .value(let value) = signal, 1...3 ~= value { subject.send(value * 10) }
        return .proceed
      }
    }
    for value in 1...3 { subject.send(value) }
    // Each subscriber sends each value once more, times ten.
    let expected = received([1, 10, 10, 10, 2, 20, 20, 20, 3, 30, 30, 30])
    for probe in probes {
      if memory == .newest {
        findings.expect(probe.values.last, is: 30, "the last value of one of three subscribers")
      } else {
        findings.expect(probe.values, is: expected, "values of one of three subscribers")
      }
    }
    try race(.twoSends, findings)
  }

  private func checkSendReturns(_ findings: Findings) throws {
    let subject = make()
    let probe = probe(subject, .unlimited, findings)
    try findings.interleave(
      probe, at: firstSent, within: environment.signalTimeout, deliver: { subject.send(1) }, name: "a send",
      act: {
        subject.send(2)
        end(subject)
      }, inspect: { findings.expect(probe.values, is: received([1]), "values while the delivery is parked") })
    findings.expect(probe.values, is: received([1, 2]), "values when the delivering send has returned")
    findings.expect(isEndless || probe.isFinished, "the end sent meanwhile got lost")
  }

  private func checkValue(_ findings: Findings) throws {
    guard let read else { throw Skip(reason: "its value cannot be read") }
    let subject = make()
    findings.expect(read(subject), is: 0, "the value at the start")
    var insideValues: [Int] = []
    let probe = probe(subject, .unlimited, findings) { signal in
      guard case .value(1) = signal else { return .proceed }
      insideValues.append(read(subject))
      subject.send(2)
      insideValues.append(read(subject))
      return .proceed
    }
    subject.send(1)
    findings.expect(insideValues, is: [1, 2], "the value inside a delivery, before and after a send")
    findings.expect(read(subject), is: 2, "the value after the send")
    findings.expect(probe.values.last, is: 2, "the last value delivered")
    try race(.twoSends, findings)
  }

  private func checkJoining(_ findings: Findings) throws {
    let subject = make()
    subject.send(1)
    let probe = probe(subject, .unlimited, findings)
    subject.send(2)
    subject.send(3)
    findings.expect(probe.values, is: memory != .none ? [1, 2, 3] : [2, 3], "values of a newcomer")
    try race(.subscribeAndSends, findings)
    if memory != .none { try race(.requestAndSend, findings) }
  }

  private func checkSubscribingInside(_ findings: Findings) throws {
    let subject = make()
    let newcomer = Probe(initialDemand: .unlimited)
    findings.watch(newcomer)
    let probe = probe(subject, .unlimited, findings) { signal in
      if case .value(1) = signal { subject.subscribe(newcomer) }
      return .proceed
    }
    subject.send(1)
    subject.send(2)
    findings.expect(newcomer.values, is: memory != .none ? [1, 2] : [2], "values of who subscribes inside value 1")
    findings.expect(probe.values, is: received([1, 2]), "values of who was there")
    // A value that waits for its turn was sent before the newcomer came.
    let (busy, behind) = (make(), Probe(initialDemand: .unlimited))
    findings.watch(behind)
    let sending = self.probe(busy, .unlimited, findings) { signal in
      guard case .value(1) = signal else { return .proceed }
      busy.send(2)
      busy.subscribe(behind)
      return .proceed
    }
    busy.send(1)
    busy.send(3)
    findings.expect(
      behind.values, is: memory != .none ? [2, 3] : [3], "values of who subscribes inside value 1, after 2 was sent")
    findings.expect(sending.values, is: received([1, 2, 3]), "values of who was there")
  }

  private func checkCancelInsideSignals(_ findings: Findings) throws {
    let subject = make()
    let later = Probe(initialDemand: .unlimited)
    findings.watch(later)
    let canceller = probe(subject, .unlimited, findings) { signal in
      guard case .value(1) = signal else { return .proceed }
      later.cancel()
      return .cancel
    }
    subject.subscribe(later)
    for value in 1...3 { subject.send(value) }
    end(subject)
    findings.expect(canceller.values, is: received([1]), "values after a cancel inside value 1")
    findings.expect(later.values, is: received([]), "values after somebody earlier in the round has cancelled it")
    findings.expect(canceller.completion == nil && later.completion == nil, "a completion comes after a cancel")
    let early = probe(make(), .unlimited, findings) { if case .subscription = $0 { .cancel } else { .proceed } }
    findings.expect(early.values, is: [], "values after a cancel inside the subscription")
    guard !isEndless else { return }
    let ending = make()
    let last = Probe(initialDemand: .unlimited)
    findings.watch(last)
    let first = probe(ending, .unlimited, findings) { signal in
      if case .completion = signal { last.cancel() }
      return .proceed
    }
    ending.subscribe(last)
    ending.send(completion: .finished)
    findings.expect(first.isFinished, "who cancels somebody else inside the completion does not get it")
    findings.expect(last.completion == nil, "a completion after somebody earlier in the round has cancelled it")
  }

  private func checkParkedCancel(_ findings: Findings) throws {
    let (subject, probe) = (make(), Probe(initialDemand: .unlimited))
    findings.watch(probe)
    try findings.interleave(
      probe, at: firstSent, within: environment.signalTimeout,
      deliver: {
        subject.subscribe(probe)
        for value in 1...5 { subject.send(value) }
        end(subject)
      }, name: "a cancel", act: { probe.cancel() })
    findings.expect(probe.values, is: received([1]), "values after a cancel inside value 1 on another thread")
    try race(.cancelAndSends, findings)
  }

  private func checkRepeatedCancel(_ findings: Findings) throws {
    let subject = make()
    let probe = probe(subject, .unlimited, findings)
    let other = self.probe(subject, .unlimited, findings)
    for _ in 1...3 { probe.cancel() }
    subject.send(1)
    findings.expect(probe.values, is: received([]), "values after three cancels")
    findings.expect(other.values, is: received([1]), "values of another subscriber after three cancels")
    other.cancel()
    end(subject)
    probe.cancel()
    findings.expect(probe.completion == nil && other.completion == nil, "a completion after a cancel")
  }

  private func checkRelease(_ findings: Findings) throws {
    for isEnding in isEndless ? [false] : [true, false] {
      let subject = make()
      weak var watched: Probe?
      let kept = { () -> (any Subscription)? in
        let probe = Probe(initialDemand: .unlimited)
        watched = probe
        subject.subscribe(probe)
        return probe.subscription
      }()
      subject.send(1)
      if isEnding { subject.send(completion: .finished) } else { kept?.cancel() }
      findings.expect(watched == nil, isEnding ? "the end keeps the subscriber" : "a cancel keeps the subscriber")
      withExtendedLifetime((subject, kept)) {}
    }
  }

  private func checkTerminal(_ findings: Findings) throws {
    try requireEnd()
    let subject = make()
    let probe = probe(subject, .unlimited, findings) { signal in
      guard case .value(1) = signal else { return .proceed }
      subject.send(2)
      subject.send(completion: .failure(TestFailure()))
      subject.send(3)
      subject.send(completion: .finished)
      return .proceed
    }
    subject.send(1)
    findings.expect(probe.values, is: received([1, 2]), "values, with an end sent behind 2")
    findings.expect(probe.failure != nil, "the first of two ends does not win")
    let late = self.probe(subject, .none, findings)
    findings.expect(late.signals.map(\.kind), is: [.subscription, .failure], "signals of who comes after the end")
  }

  private func checkRecursion(_ findings: Findings) throws {
    let count = environment.recursionElements
    let thread = TestThread(stackSize: environment.stackSize) {
      let subject = make()
      var stack = StackWatch(limit: environment.stackSize / 4)
      let probe = Probe(initialDemand: .unlimited) { signal in
        // A subject that recurses is stopped before the stack is full.
        guard case .value(let value) = signal, value < count, stack.isShallow() else { return .proceed }
        subject.send(value + 1)
        return .proceed
      }
      subject.subscribe(probe)
      subject.send(1)
      findings.expect(!stack.isDeep, "each value takes more of the stack")
      findings.expect(probe.values.last, is: count, "the last of \(count) values, each sent inside the one before")
      probe.cancel()
    }
    findings.expect(thread.join(atMost: .seconds(60)), "\(count) values take more than a minute")
  }
}

// MARK: - Races

/// Two things that happen to a subject at once.
enum Contest: CaseIterable {
  case twoSends
  case sendAndEnd
  case subscribeAndEnd
  case subscribeAndSends
  case requestAndSend
  case cancelAndSends
}

/// A subject and two subscribers in one round.
struct Meeting<T: Subject>: Cancellable where T.Output == Int, T.Failure == TestFailure {
  let subject: T
  let probes: [TestSubscriber<Int, TestFailure>]

  func cancel() {
    for probe in probes { probe.cancel() }
  }
}

extension SubjectVerification {
  /// A probe that stays a little inside its subscription after it has requested, where nobody may deliver.
  private func lingering() -> Probe {
    weak var requesting: Probe?
    let probe = Probe { signal in
      guard case .subscription = signal else { return .proceed }
      requesting?.request(.unlimited)
      for _ in 0..<100 { _ = requesting?.isFinished }
      return .proceed
    }
    requesting = probe
    return probe
  }

  /// Runs a race; a subject without care shows whether it finds anything.
  private func race(_ contest: Contest, _ findings: Findings) throws {
    let twin = scenario(contest, { CarelessSubject(latest: memory != .none ? 0 : nil) }, read: { $0.value ?? 0 })
    switch scenario(contest, make, read: read).outcome(twin: twin) {
    case .failed(let violations): findings.add(violations)
    case .inconclusive(let reason): throw Undecided(reason: reason)
    case .passed, .skipped: break
    }
  }

  func scenario<T: Subject>(
    _ contest: Contest, _ make: @escaping () -> T, read: ((T) -> Int)?
  ) -> Race<Meeting<T>> {
    let demand = contest == .requestAndSend ? Subscribers.Demand.none : .unlimited
    return Race(
      "\(name), \(contest)", environment: environment,
      make: {
        let subject = make()
        let probes = (0..<2).map { _ in contest == .subscribeAndSends ? lingering() : Probe(initialDemand: demand) }
        if contest != .subscribeAndEnd, contest != .subscribeAndSends {
          for probe in probes { subject.subscribe(probe) }
        }
        return Meeting(subject: subject, probes: probes)
      },
      first: { meeting in
        switch contest {
        case .twoSends, .sendAndEnd: meeting.subject.send(1)
        case .subscribeAndEnd, .subscribeAndSends: meeting.subject.subscribe(meeting.probes[0])
        case .requestAndSend: meeting.probes[0].request(.unlimited)
        case .cancelAndSends: meeting.probes[0].cancel()
        }
      },
      second: { meeting in
        switch contest {
        case .twoSends: meeting.subject.send(2)
        case .sendAndEnd, .subscribeAndEnd: meeting.subject.send(completion: .finished)
        case .subscribeAndSends: for value in 1...2 { meeting.subject.send(value) }
        case .requestAndSend: meeting.subject.send(1)
        case .cancelAndSends: for value in 1...4 { meeting.subject.send(value) }
        }
      },
      check: { meeting in
        let results = meeting.probes.map(\.values)
        var found = meeting.probes.flatMap(\.violations)
        func expect(_ isTrue: Bool, _ rule: Rule, _ detail: String) {
          if !isTrue { found.append(Violation(rule, "\(detail): \(results)")) }
        }
        let first = distinct(results[0])
        switch contest {
        case .twoSends:
          if memory == .newest {
            expect(first.last == results[1].last, .c07, "two subscribers see two newest values")
          } else {
            expect(Set(first) == Set(received([1, 2])), .c08, "a value got lost")
            expect(first == results[1], .c07, "two subscribers see two orders")
          }
          if let read { expect(first.last == read(meeting.subject), .c09, "the last value is not the subject's") }
        case .sendAndEnd:
          expect(meeting.probes.allSatisfy(\.isFinished), .c17, "the end got lost")
        case .subscribeAndEnd:
          expect(meeting.probes[0].isFinished, .c02, "the end got lost")
        case .subscribeAndSends:
          let whole = received([1, 2])
          let isPart = memory == .newest ? first == whole.filter(first.contains) : first == whole.suffix(first.count)
          expect(isPart, .c10, "a newcomer sees a value twice, too late or not at all")
          expect(memory == .none || first.last == 2, .c10, "a newcomer does not see the latest value")
        case .requestAndSend:
          let allowed = memory != .none ? [[0, 1], [1]] : [[], [1]]
          expect(allowed.contains(first), .c10, "a first request sees a value twice, too late or not at all")
        case .cancelAndSends:
          expect(distinct(results[1]) == received([1, 2, 3, 4]), .c08, "another subscriber misses a value")
        }
        return found
      })
  }
}
