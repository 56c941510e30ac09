/// One moment at which a peer broke the rules between publishers and subscribers.
///
/// It is a value to be recorded, shown or thrown; nothing traps because of one.
public struct Violation: Error, Hashable, Sendable {
  /// The rule that was broken.
  public let rule: Rule
  /// What happened, in words.
  public let detail: String
  /// Who was watched.
  public let subject: String
  /// The seed of the random choices that led here; 0 where nothing was random.
  public let seed: UInt64
  /// What happened before, up to the signal or call that broke the rule.
  public let trace: [SignalRecord]

  /// Makes a violation.
  ///
  /// - Parameters:
  ///   - rule: The rule that was broken.
  ///   - detail: What happened, in words.
  ///   - subject: Who was watched.
  ///   - seed: The seed of the random choices that led here.
  ///   - trace: What happened before.
  public init(_ rule: Rule, _ detail: String, subject: String = "", seed: UInt64 = 0, trace: [SignalRecord] = []) {
    self.rule = rule
    self.detail = detail
    self.subject = subject
    self.seed = seed
    self.trace = trace
  }
}

extension Violation: CustomStringConvertible {
  /// The subject, the rule, what happened, and the trace.
  public var description: String {
    let place = subject.isEmpty ? "" : subject + ": "
    let origin = seed == 0 ? "" : " (seed \(seed))"
    let steps = trace.isEmpty ? "" : "\n  " + trace.map(\.description).joined(separator: ", ")
    return "\(place)rule \(rule.rawValue) broken: \(detail)\(origin)\(steps)"
  }
}

/// A signal or a call between a publisher and a subscriber, and the thread it was on.
public struct SignalRecord: Hashable, Sendable, CustomStringConvertible {
  /// What it was.
  public enum Kind: Hashable, Sendable {
    /// The subscription arrived.
    case subscription
    /// A value arrived: the first is 1.
    case value(Int)
    /// The stream ended normally.
    case finished
    /// The stream failed.
    case failure
    /// The subscriber asked for values.
    case request(Subscribers.Demand)
    /// The subscriber asked for values by returning demand from a value.
    case returned(Subscribers.Demand)
    /// The subscriber cancelled.
    case cancel
  }

  /// What it was.
  public let kind: Kind
  /// The thread: 1 is the first that was seen.
  public let thread: Int

  /// Makes a record.
  ///
  /// - Parameters:
  ///   - kind: What it was.
  ///   - thread: The thread: 1 is the first that was seen.
  public init(_ kind: Kind, thread: Int = 1) {
    self.kind = kind
    self.thread = thread
  }

  /// The kind, and the thread unless it is the first.
  public var description: String {
    thread == 1 ? "\(kind)" : "\(kind) on thread \(thread)"
  }
}

extension SignalRecord.Kind: CustomStringConvertible {
  /// The kind in words.
  public var description: String {
    switch self {
    case .subscription: "subscription"
    case .value(let place): "value \(place)"
    case .finished: "finished"
    case .failure: "failure"
    case .request(let demand): "request \(demand)"
    case .returned(let demand): "returned \(demand)"
    case .cancel: "cancel"
    }
  }
}

extension Violation {
  /// The rules: those of Reactive Streams 1.0.4, restated for this framework, and its own contract.
  ///
  /// The letters are p for publisher, s for subscriber, n for subscription, o for operator and c for contract.
  public enum Rule: String, CaseIterable, Sendable {
    /// Never more values than were asked for, counted at every instant.
    case p1_01 = "1.1"
    /// Fewer values than asked for are allowed, with an end.
    case p1_02 = "1.2"
    /// Signals to one subscriber never overlap.
    case p1_03 = "1.3"
    /// A failing publisher says so with a failure, which needs no demand.
    case p1_04 = "1.4"
    /// A finite success ends with a completion, which needs no demand.
    case p1_05 = "1.5"
    /// After the terminal the subscription is dead.
    case p1_06 = "1.6"
    /// Nothing follows the terminal.
    case p1_07 = "1.7"
    /// After a cancel the signals stop.
    case p1_08 = "1.8"
    /// The subscription comes first, and always.
    case p1_09 = "1.9"
    /// Subscribing many times is fine.
    case p1_10 = "1.10"
    /// Unicast or multicast is the publisher's choice.
    case p1_11 = "1.11"
    /// No values without asking: a subscriber asks at some time.
    case s2_01 = "2.1"
    /// A subscriber does not block the publisher.
    case s2_02 = "2.2"
    /// In the terminal handler nothing is called on the subscription.
    case s2_03 = "2.3"
    /// After the terminal the subscription is let go.
    case s2_04 = "2.4"
    /// A second subscription is cancelled.
    case s2_05 = "2.5"
    /// A subscription that is not needed any more is cancelled.
    case s2_06 = "2.6"
    /// Calls on a subscription do not overlap.
    case s2_07 = "2.7"
    /// Values after the own cancel are survived.
    case s2_08 = "2.8"
    /// A completion is survived, with or without a request before.
    case s2_09 = "2.9"
    /// A failure is survived, with or without a request before.
    case s2_10 = "2.10"
    /// What is received is visible to its processing.
    case s2_11 = "2.11"
    /// A subscriber gets one subscription at most.
    case s2_12 = "2.12"
    /// Nobody traps because of a misbehaving peer.
    case s2_13 = "2.13"
    /// Only the owning subscriber uses the subscription.
    case n3_01 = "3.1"
    /// Requests are allowed inside the subscription and value signals.
    case n3_02 = "3.2"
    /// Requests and values do not recurse without bound.
    case n3_03 = "3.3"
    /// A request returns quickly.
    case n3_04 = "3.4"
    /// A cancel is quick, and allowed from any thread any number of times.
    case n3_05 = "3.5"
    /// A request after a cancel does nothing.
    case n3_06 = "3.6"
    /// A cancel after a cancel does nothing.
    case n3_07 = "3.7"
    /// Requests add up, and so does returned demand.
    case n3_08 = "3.8"
    /// A request of nothing is a no-op.
    case n3_09 = "3.9"
    /// A request may deliver values at once.
    case n3_10 = "3.10"
    /// A request may end the stream at once.
    case n3_11 = "3.11"
    /// A cancel makes the publisher stop.
    case n3_12 = "3.12"
    /// A cancel lets go of the subscriber.
    case n3_13 = "3.13"
    /// The last cancel may shut a shared publisher down.
    case n3_14 = "3.14"
    /// A cancel never traps.
    case n3_15 = "3.15"
    /// A request never traps.
    case n3_16 = "3.16"
    /// Any number of requests is fine, and sums saturate.
    case n3_17 = "3.17"
    /// An operator obeys the rules of both sides.
    case o4_01 = "4.1"
    /// An operator passes a failure on at once, or recovers and leaves upstream alone.
    case o4_02 = "4.2"
    /// Signals of one subscription never overlap, whatever threads send.
    case c01 = "C1"
    /// Subscription, values, one completion; no other thread delivers while the subscription is handed over.
    case c02 = "C2"
    /// No value without outstanding demand; a completion needs none.
    case c03 = "C3"
    /// A request of `.none` does nothing and is never forwarded.
    case c04 = "C4"
    /// A request inside a delivery adds demand and returns; deliveries do not nest.
    case c05 = "C5"
    /// Requests and cancels are allowed from any threads.
    case c06 = "C6"
    /// A subject has one order, the same for every subscriber.
    case c07 = "C7"
    /// A send never waits; a send inside or beside a delivery is queued.
    case c08 = "C8"
    /// A subject's value is never older than a send that has returned.
    case c09 = "C9"
    /// A newcomer gets each value from its joining point on exactly once.
    case c10 = "C10"
    /// A newcomer that subscribes inside a delivery joins after the value delivered.
    case c11 = "C11"
    /// After a cancel on the delivering thread there is no signal at all.
    case c12 = "C12"
    /// After a cancel from another thread at most one signal is still under way.
    case c13 = "C13"
    /// Upstream gets one cancel at most, and none after its own terminal.
    case c14 = "C14"
    /// A cancel and the terminal release subscriber, closures and upstream.
    case c15 = "C15"
    /// Nothing is called with a lock held.
    case c16 = "C16"
    /// The first terminal wins, and comes after all earlier values.
    case c17 = "C17"
    /// Long chains and recursion need little stack.
    case c18 = "C18"
    /// A misbehaving peer neither traps nor corrupts.
    case c19 = "C19"
    /// Schedulers keep the order, also concurrent ones.
    case c20 = "C20"
  }
}
