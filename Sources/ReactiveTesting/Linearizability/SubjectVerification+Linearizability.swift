import Reactive

extension SubjectVerification {
  /// Lets two threads send, end, subscribe, request, cancel and read at once, in random ways.
  ///
  /// Whatever comes of it must be what the contract allows for some order of these operations: each value once and in
  /// the same order for all, nothing before joining, nothing missed after it, nothing without demand. A
  /// `CarelessSubject` must be caught first.
  ///
  /// - Returns: Failed with the scenario and what was seen, or inconclusive when the careless subject was not caught.
  public func linearizability() -> Outcome {
    guard memory != .newest else {
      return .skipped("a state that may come twice, or late, has more histories than a subject")
    }
    for demand in [SubjectSpecification.plenty, 1, 0] {
      var twin = SubjectVerification<CarelessSubject<Int, TestFailure>>(
        "CarelessSubject", memory == .latest ? .latest : .none, environment: environment
      ) { [memory] in CarelessSubject(latest: memory == .latest ? 0 : nil) }
      .reading { $0.value ?? 0 }
      if isEndless { twin = twin.endless() }
      let outcome = check(demand: demand).outcome(twin: twin.check(demand: demand))
      if outcome != .passed { return outcome }
    }
    return .passed
  }

  /// Does the same on a thread of its own: the task that calls blocks nobody.
  ///
  /// - Returns: What it came to.
  public func linearizability() async -> Outcome {
    await TestThread.run { self.linearizability() }
  }

  private func check(demand: Int) -> Linearizability<SubjectSpecification, SubjectScene<S>> {
    var operations: [SubjectSpecification.Operation] = [
      .send, .send, .send, .subscribe(demand: SubjectSpecification.plenty), .subscribe(demand: 1),
      .request(1), .request(2), .cancel,
    ]
    if !isEndless { operations.append(.finish) }
    if memory == .latest, read != nil { operations.append(.read) }
    // The rounds are for all three demands together.
    var environment = environment
    environment.rounds /= 3
    return Linearizability(
      name, .c07, environment: environment,
      specification: SubjectSpecification(latest: memory == .latest ? 0 : nil, demand: demand),
      operations: operations,
      make: { SubjectScene(make(), demand: demand, read: read) },
      perform: { $0.perform($1, $2) },
      observe: \.observation)
  }
}

/// A subject with its subscribers.
private final class SubjectScene<S: Subject>: Cancellable, @unchecked Sendable
where S.Output == Int, S.Failure == TestFailure {
  // Sendable: a subject may be used from any thread, and so may the rest.
  private typealias Probe = TestSubscriber<Int, TestFailure>

  private let subject: S
  private let read: ((S) -> Int)?
  private let probes = Log<(name: String, probe: Probe)>()
  private let first: Probe
  private let reads = Log<(call: Call, value: Int)>()

  init(_ subject: S, demand: Int, read: ((S) -> Int)?) {
    self.subject = subject
    self.read = read
    first = Self.probe(demand)
    probes.append(("first", first))
    subject.subscribe(first)
  }

  private static func probe(_ demand: Int) -> Probe {
    Probe(initialDemand: demand == SubjectSpecification.plenty ? .unlimited : .max(demand))
  }

  func perform(_ operation: SubjectSpecification.Operation, _ call: Call) {
    switch operation {
    case .send: subject.send(SubjectSpecification.value(of: call))
    case .finish: subject.send(completion: .finished)
    case .subscribe(let demand):
      let probe = Self.probe(demand)
      probes.append(("\(call)", probe))
      subject.subscribe(probe)
    case .request(let demand): first.request(.max(demand))
    case .cancel: first.cancel()
    case .read: if let value = read?(subject) { reads.append((call, value)) }
    }
  }

  func cancel() {
    for (_, probe) in probes.all { probe.cancel() }
  }

  var observation: SubjectSpecification.Observation {
    let receipts = probes.all.map { name, probe in
      (name, SubjectSpecification.Observation.Receipt(values: probe.values, hasEnded: probe.completion != nil))
    }
    return SubjectSpecification.Observation(
      receipts: Dictionary(uniqueKeysWithValues: receipts),
      reads: Dictionary(uniqueKeysWithValues: reads.all.map { ($0.call, $0.value) }))
  }
}
