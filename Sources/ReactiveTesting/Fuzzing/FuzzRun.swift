internal import Reactive

/// What a run has found: what was to be, and what was.
struct FuzzDifference {
  var expected: String
  var got: String
}

/// Plays the script of one case, and compares what comes with the models.
final class FuzzRun {
  private typealias Source = TestPublisher<FuzzValue, TestFailure>

  /// How things were after a step.
  private struct Snapshot {
    var received: Int
    var hasEnded: Bool
    var isCancelled: Bool
    var isOwed: Bool
    /// Whether somebody asks a source for something, or work is planned.
    var isWaiting: Bool
  }

  private let fuzzCase: FuzzCase
  private let live = LiveObjects()
  private let scheduler = TestScheduler()
  private let found = Log<Violation>()
  private var clock = FuzzClock()
  private var sources: [Int: Source] = [:]
  private var accepted: [Int: [(moment: FuzzMoment, event: FuzzEvent)]] = [:]
  /// How many subscriptions each source had when it ended last.
  private var ended: [Int: Int] = [:]
  private var answer = Subscribers.Demand.none
  private var cancelPlace: Int?
  private var isCancelled = false
  private var snapshots: [Snapshot] = []
  private var leak: FuzzDifference?
  private var probe: TestSubscriber<Int, TestFailure>?

  init(_ fuzzCase: FuzzCase) {
    self.fuzzCase = fuzzCase
  }

  /// Plays the script, then requests everything, ends the sources, and lets everything go.
  ///
  /// - Returns: The first thing that is wrong; nil when nothing is.
  func difference() -> FuzzDifference? {
    let probe = TestSubscriber<Int, TestFailure>(initialDemand: fuzzCase.isUnlimited ? .unlimited : .none) {
      [unowned self] signal in
      guard case .value = signal else { return .proceed }
      cancelPlace = cancelPlace.map { $0 - 1 }
      guard cancelPlace != 0 else {
        isCancelled = true
        return .cancel
      }
      return .demand(answer)
    }
    self.probe = probe
    subscribe(probe)
    var steps = fuzzCase.steps
    steps += [.request(.unlimited), .advance(30)]
    steps += sources.keys.sorted().map { .end(.finished, of: $0) } + [.advance(30), .cancel]
    for (index, step) in steps.enumerated() {
      let hadEnded = isOver
      play(step, FuzzMoment(step: index, time: scheduler.now), probe)
      snapshots.append(
        Snapshot(
          received: probe.values.count, hasEnded: probe.completion != nil, isCancelled: isCancelled,
          isOwed: probe.outstandingDemand > .none,
          isWaiting: sources.values.contains { $0.subscriberCount > 0 && $0.outstandingDemand > .none }
            || !scheduler.pending.isEmpty))
      if isOver, !hadEnded { checkRelease(after: step) }
    }
    return firstDifference(steps, probe)
  }

  /// Whether sources misbehave; not if there is no operator to keep that from the subscriber.
  private var isRude: Bool { fuzzCase.isRude && !fuzzCase.links.isEmpty }

  private var isOver: Bool { isCancelled || probe?.completion != nil }

  private func subscribe(_ probe: TestSubscriber<Int, TestFailure>) {
    let misbehaviour: Source.Misbehaviour = isRude ? [.ignoreCancel, .signalAfterTerminal] : []
    let source = Source(misbehaviour)
    sources[0] = source
    var chain = source.eraseToAnyPublisher()
    for link in fuzzCase.links {
      let other = Source(misbehaviour)
      if link.operator.traits.contains(.hasOther) { sources[link.place] = other }
      let bench = FuzzBench(
        scheduler: scheduler, live: live, other: other.eraseToAnyPublisher(), label: link.operator.source)
      chain = watch(link.operator.build(chain, bench))
      if fuzzCase.isBuffered(link) {
        chain = watch(chain.buffer(size: .max, prefetch: .byRequest, whenFull: .dropNewest))
      }
    }
    chain.subscribe(CountedSubscriber(probe, live.token("subscriber")))
  }

  private func watch<P: Publisher>(_ publisher: P) -> AnyPublisher<FuzzValue, TestFailure>
  where P.Output == FuzzValue, P.Failure == TestFailure {
    guard fuzzCase.isWatched else { return publisher.eraseToAnyPublisher() }
    return publisher.strict { [found] violation in found.append(violation) }.eraseToAnyPublisher()
  }

  private func play(_ step: FuzzStep, _ moment: FuzzMoment, _ probe: TestSubscriber<Int, TestFailure>) {
    switch step {
    case .send(let number, let place):
      guard let source = sources[place] else { return }
      if isListening(place), source.outstandingDemand > .none {
        accepted[place, default: []].append((moment, .value(number)))
      }
      source.send(live.value(number))
    case .end(let completion, let place):
      guard let source = sources[place] else { return }
      // A failure would overtake what waits for demand: nothing may wait.
      if completion != .finished, fuzzCase.losesOnFailure, !isOver { probe.request(.unlimited) }
      if isListening(place) { accepted[place, default: []].append((moment, .end(completion))) }
      ended[place] = source.subscriptionCount
      source.send(completion: completion)
    case .request(let demand):
      if !isOver { probe.request(demand) }
    case .answer(let demand):
      answer = demand
    case .cancel:
      // Without an operator, nothing keeps a cancel after the end from the source.
      if fuzzCase.links.isEmpty, isOver { return }
      isCancelled = true
      probe.cancel()
    case .cancelInside(let place):
      cancelPlace = place
    case .advance(let seconds):
      let target = scheduler.now.advanced(by: .seconds(seconds))
      clock.advance(to: target, in: moment.step)
      scheduler.advance(to: target)
    }
  }

  /// Whether a source has a subscriber that it has not ended.
  private func isListening(_ place: Int) -> Bool {
    guard let source = sources[place], source.subscriberCount > 0 else { return false }
    return source.subscriptionCount > ended[place, default: 0]
  }

  /// Nothing may be alive although the subscription is still held.
  private func checkRelease(after step: FuzzStep) {
    // Rude sources hold what should be released, which is their fault.
    guard !isRude, leak == nil, live.count > 0 else { return }
    leak = FuzzDifference(expected: "nothing is alive after the end", got: "\(live) after: \(step)")
  }
}

extension FuzzRun {
  private func firstDifference(_ steps: [FuzzStep], _ probe: TestSubscriber<Int, TestFailure>) -> FuzzDifference? {
    let model = expectedTrace
    let (values, ending) = (model.values, model.ending)
    let got = probe.values
    var available = 0
    for (index, snapshot) in snapshots.enumerated() {
      while available < values.count, values[available].moment.step <= index { available += 1 }
      let received = snapshot.received
      let isDue = ending.map { $0.moment.step <= index && received == values.count } ?? false
      let isPrefix = received <= available && got.prefix(received).elementsEqual(values.prefix(received).map(\.value))
      let isAsking = snapshot.hasEnded || !snapshot.isOwed || snapshot.isWaiting
      let hasRightEnd =
        snapshot.hasEnded
        ? isDue && probe.completion == ending?.completion : !isDue || !snapshot.isOwed && fuzzCase.mayKeepTheEnd
      let isComplete = (received == available || !snapshot.isOwed) && hasRightEnd && isAsking
      let isRight = isPrefix && (isComplete || snapshot.isCancelled)
      guard !isRight else { continue }
      let moment = index < fuzzCase.steps.count ? "step \(index + 1), \(steps[index])" : "the script, \(steps[index])"
      let isEnded = ending.map { $0.moment.step <= index } ?? false
      return FuzzDifference(
        expected: describe(values.prefix(available).map(\.value), isEnded ? ending?.completion : nil)
          + (available > received && snapshot.isOwed ? ", as demand allows" : ""),
        got: describe(Array(got.prefix(received)), snapshot.hasEnded ? probe.completion : nil)
          + (snapshot.isOwed && !snapshot.isWaiting && !snapshot.hasEnded ? ", and nobody asks for more" : "")
          + " after \(moment)")
    }
    return leak ?? brokenRule(probe) ?? remains()
  }

  private func brokenRule(_ probe: TestSubscriber<Int, TestFailure>) -> FuzzDifference? {
    let violations =
      found.all + probe.violations + (isRude ? [] : sources.values.flatMap(\.violations))
    return violations.first.map { FuzzDifference(expected: "every rule is kept", got: "\($0)") }
  }

  /// What is alive when everything was let go.
  private func remains() -> FuzzDifference? {
    probe = nil
    // A rude source never lets go by itself, and what it holds may hold it.
    for source in sources.values { source.letGo() }
    sources = [:]
    guard live.count > 0 else { return nil }
    return FuzzDifference(expected: "nothing is alive when all is let go", got: "\(live)")
  }

  private func describe(_ values: [Int], _ completion: Subscribers.Completion<TestFailure>?) -> String {
    "\(values)" + (completion.map { ", \($0)" } ?? "")
  }

  /// What the models make of what the sources have sent.
  private var expectedTrace: FuzzTrace {
    let (accepted, clock) = (accepted, clock)
    func events(of place: Int) -> (FuzzMoment) -> FuzzTrace {
      { start in
        var trace = FuzzTrace(at: start)
        for (moment, event) in accepted[place] ?? [] where moment.step > start.step { trace.add(event, at: moment) }
        return trace
      }
    }
    var chain = events(of: 0)
    for link in fuzzCase.links {
      let inputs = FuzzInputs(upstream: chain, other: events(of: link.place), clock: clock)
      chain = { start in link.operator.model.trace(inputs, start) }
    }
    return chain(.start)
  }
}

/// Passes everything to a probe, which is not what the chain holds, so that it can be seen whether the chain lets go.
private final class CountedSubscriber: Subscriber {
  private let probe: TestSubscriber<Int, TestFailure>
  private let token: LiveToken

  init(_ probe: TestSubscriber<Int, TestFailure>, _ token: LiveToken) {
    self.probe = probe
    self.token = token
  }

  func receive(subscription: any Subscription) { probe.receive(subscription: subscription) }
  func receive(_ input: FuzzValue) -> Subscribers.Demand { probe.receive(input.value) }
  func receive(completion: Subscribers.Completion<TestFailure>) { probe.receive(completion: completion) }
}
