public import Reactive

/// A subscriber that writes everything down and checks every rule of the protocol as signals arrive.
///
/// It asks for `initialDemand` when the subscription has arrived, and for more when the test says so: by `request(_:)`, or
/// by what `onSignal` answers. What breaks a rule is recorded in `violations`; nothing traps. It cancels a second
/// subscription. It keeps its subscription after the end, so that a test can go on calling it.
public final class TestSubscriber<Input, Failure: Error>: Subscriber, Cancellable, @unchecked Sendable {
  // Sendable: the record is touched under its lock only; the closure is called as the publisher delivers.
  private struct Record {
    var subscription: (any Subscription)?
    var signals = 0
    var isCancelled = false
    var values: [Input] = []
    var completion: Subscribers.Completion<Failure>?
    var gates: [SignalSelector: Gate] = [:]
  }

  private let record = WaitableState(Record())
  private let checker: ProtocolChecker
  private let initialDemand: Subscribers.Demand
  private let onSignal: ((Signal<Input, Failure>) -> Reaction)?

  /// Makes a subscriber.
  ///
  /// - Parameters:
  ///   - initialDemand: What it requests when the subscription arrives.
  ///   - ignored: Rules that it does not check.
  ///   - onSignal: Called inside each signal, after it was recorded; the answer is carried out.
  public init(
    initialDemand: Subscribers.Demand = .none, ignoring ignored: Set<Violation.Rule> = [],
    onSignal: ((Signal<Input, Failure>) -> Reaction)? = nil
  ) {
    self.initialDemand = initialDemand
    self.onSignal = onSignal
    checker = ProtocolChecker(subject: "TestSubscriber", ignoring: ignored, historyLimit: .max)
  }

  /// Takes the subscription and requests the initial demand; cancels a second one.
  public func receive(subscription: any Subscription) {
    checker.enter(.subscription)
    defer { checker.leave() }
    let (isFirst, isCancelled) = record.withLock { record in
      let isFirst = record.subscription == nil
      record.signals += 1
      if isFirst { record.subscription = subscription }
      return (isFirst, record.isCancelled)
    }
    guard isFirst, !isCancelled else {
      subscription.cancel()
      if isFirst { checker.cancelReturned() }
      return
    }
    pass(.subscription)
    _ = carryOut(onSignal?(.subscription))
    if initialDemand > .none, !record.withLock({ $0.isCancelled }) { request(initialDemand) }
  }

  /// Records a value.
  ///
  /// - Returns: What `onSignal` answers.
  public func receive(_ input: Input) -> Subscribers.Demand {
    checker.enter(.value)
    let place = record.withLock { record in
      record.signals += 1
      record.values.append(input)
      return record.values.count
    }
    pass(.value(place))
    let demand = carryOut(onSignal?(.value(input)))
    checker.leave(returning: demand)
    return demand
  }

  /// Records the end.
  public func receive(completion: Subscribers.Completion<Failure>) {
    let entry: ProtocolChecker.Entry
    switch completion {
    case .finished: entry = .finished
    case .failure: entry = .failure
    }
    checker.enter(entry)
    record.withLock { record in
      record.signals += 1
      if record.completion == nil { record.completion = completion }
    }
    pass(.completion)
    _ = carryOut(onSignal?(.completion(completion)))
    checker.leave()
  }

  /// Requests values; does nothing before the subscription has arrived.
  ///
  /// - Parameter demand: How many.
  public func request(_ demand: Subscribers.Demand) {
    guard let subscription else { return }
    checker.request(demand)
    subscription.request(demand)
  }

  /// Cancels the subscription, as often as this is called; one that has not arrived yet is cancelled on arrival.
  public func cancel() {
    checker.cancelBegins()
    let subscription = record.withLock { record in
      record.isCancelled = true
      return record.subscription
    }
    guard let subscription else { return }
    subscription.cancel()
    checker.cancelReturned()
  }

  private func carryOut(_ reaction: Reaction?) -> Subscribers.Demand {
    switch reaction {
    case .demand(let demand): return demand
    case .request(let demand): request(demand)
    case .cancel: cancel()
    case .proceed, nil: break
    }
    return .none
  }

  private func pass(_ selector: SignalSelector) {
    record.withLock { $0.gates[selector] }?.pass()
  }
}

extension TestSubscriber {
  /// The values so far.
  public var values: [Input] { record.withLock { $0.values } }

  /// How the stream ended; nil while it has not.
  public var completion: Subscribers.Completion<Failure>? { record.withLock { $0.completion } }

  /// Whether the stream has ended normally.
  public var isFinished: Bool {
    if case .finished = completion { true } else { false }
  }

  /// The error with which the stream has ended; nil when it has not, or normally.
  public var failure: Failure? {
    if case .failure(let error) = completion { error } else { nil }
  }

  /// The subscription, once it has arrived.
  public var subscription: (any Subscription)? { record.withLock { $0.subscription } }

  /// All signals, requests and cancels so far.
  public var signals: [SignalRecord] { checker.records }

  /// What broke the rules.
  public var violations: [Violation] { checker.violations }

  /// How many values were being received inside one another, at most; 1 is right.
  public var maximumDepth: Int { checker.maximumDepth }

  /// What has been asked for and not yet delivered, returned demand included.
  public var outstandingDemand: Subscribers.Demand { checker.outstanding }

  /// Parks the delivering thread inside a signal, until the gate is opened.
  ///
  /// - Parameter selector: Which signal; it is recorded before the thread parks.
  /// - Returns: Tells when the thread is there, and lets it go.
  public func park(at selector: SignalSelector) -> Gate {
    let gate = Gate()
    record.withLock { $0.gates[selector] = gate }
    return gate
  }

  /// How many signals have come.
  var signalCount: Int { record.withLock { $0.signals } }

  /// Waits for something that a signal makes true.
  ///
  /// - Parameters:
  ///   - limit: How long.
  ///   - hasCome: Looks at this subscriber.
  /// - Returns: Whether it came in time.
  func wait(atMost limit: Duration, until hasCome: () -> Bool) -> Bool {
    let deadline = ContinuousClock.now + limit
    var seen = -1
    while !hasCome() {
      let left = deadline - ContinuousClock.now
      guard left > .zero else { return hasCome() }
      let known = seen
      _ = record.wait(atMost: left) { $0.signals > known }
      seen = signalCount
    }
    return true
  }

  /// Waits for the end.
  ///
  /// - Parameter limit: How long.
  /// - Returns: How the stream ended.
  /// - Throws: `TimedOut`.
  @discardableResult
  public func awaitCompletion(atMost limit: Duration = .seconds(10)) throws -> Subscribers.Completion<Failure> {
    guard record.wait(atMost: limit, until: { $0.completion != nil }), let completion else {
      throw TimedOut(waitingFor: "a completion", limit: limit)
    }
    return completion
  }

  /// Waits until a number of values have arrived.
  ///
  /// - Parameters:
  ///   - count: How many.
  ///   - limit: How long.
  /// - Returns: The values so far.
  /// - Throws: `TimedOut`.
  @discardableResult
  public func awaitValues(_ count: Int, atMost limit: Duration = .seconds(10)) throws -> [Input] {
    guard record.wait(atMost: limit, until: { $0.values.count >= count }) else {
      throw TimedOut(waitingFor: "\(count) values", limit: limit)
    }
    return values
  }
}

extension TestSubscriber: CustomStringConvertible {
  /// The values and the end.
  public var description: String {
    let (values, completion) = record.withLock { ($0.values, $0.completion) }
    return "\(values)" + (completion.map { ", \($0)" } ?? "")
  }
}

/// What a subscriber is told.
public enum Signal<Input, Failure: Error> {
  /// The subscription has arrived.
  case subscription
  /// A value.
  case value(Input)
  /// The end.
  case completion(Subscribers.Completion<Failure>)
}

/// What a `TestSubscriber` does from inside a signal.
public enum Reaction: Hashable, Sendable {
  /// Nothing.
  case proceed
  /// Returns demand; only from inside a value.
  case demand(Subscribers.Demand)
  /// Requests through the subscription.
  case request(Subscribers.Demand)
  /// Cancels.
  case cancel
}
