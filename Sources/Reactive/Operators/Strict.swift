extension Publisher {
  /// Watches the rules between this publisher and its subscriber, and keeps what breaks them away from the subscriber.
  ///
  /// ```text
  /// source.strict()
  /// source    -a-b-#
  /// demand    1-1
  /// output    -a-b-#
  /// upstream  1-1
  /// ```
  ///
  /// Demand, values, completion, failure and cancel pass. A signal before the subscription, after the end, after a cancel
  /// or beyond demand is reported and dropped; a second subscription is reported and cancelled; a signal that overlaps
  /// another one is reported and passed. So is reported what the subscriber does wrong: a request of `.none`, which is
  /// dropped, and calls from inside the completion. Costs two short lock rounds for each signal.
  ///
  /// - Parameter onViolation: Told of each broken rule, on the thread that broke it; prints it unless given.
  @inlinable @inline(__always)
  public func strict(
    onViolation: @escaping @Sendable (Violation) -> Void = Violation.log
  ) -> Publishers.Strict<Self> {
    Publishers.Strict(upstream: self, onViolation: onViolation)
  }
}

extension Violation {
  /// Prints a violation to standard output.
  ///
  /// - Parameter violation: What was found.
  @Sendable
  public static func log(_ violation: Violation) {
    print(violation)
  }
}

extension Publishers {
  /// Watches the rules between a publisher and its subscriber; see `strict(onViolation:)`.
  public struct Strict<Upstream: Publisher>: Publisher {
    /// The values of upstream.
    public typealias Output = Upstream.Output
    /// The failure of upstream.
    public typealias Failure = Upstream.Failure
    /// What is watched.
    public let upstream: Upstream
    /// Told of each broken rule.
    public let onViolation: @Sendable (Violation) -> Void

    /// Makes the publisher; see `strict(onViolation:)`.
    @inlinable
    public init(upstream: Upstream, onViolation: @escaping @Sendable (Violation) -> Void) {
      self.upstream = upstream
      self.onViolation = onViolation
    }

    /// Attaches a subscriber.
    @inlinable @inline(__always)
    public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
      upstream.receive(
        subscriber: StrictConduit(subscriber, watching: "\(Upstream.self)", onViolation: onViolation))
    }
  }
}

/// The subscriber behind `strict(onViolation:)`.
@usableFromInline
final class StrictConduit<Downstream: Subscriber>: Subscriber, CustomStringConvertible {
  private let downstream: Downstream
  private let guardian: StrictGuard

  @usableFromInline
  init(_ downstream: Downstream, watching subject: String, onViolation: @escaping @Sendable (Violation) -> Void) {
    self.downstream = downstream
    guardian = StrictGuard(subject: subject, onViolation: onViolation)
  }

  @usableFromInline
  func receive(subscription: any Subscription) {
    guardian.watch(.subscription) {
      if guardian.slot.take(subscription) { downstream.receive(subscription: guardian) }
      return .none
    }
  }

  @usableFromInline
  func receive(_ input: Downstream.Input) -> Subscribers.Demand {
    guardian.watch(.value) { downstream.receive(input) }
  }

  @usableFromInline
  func receive(completion: Subscribers.Completion<Downstream.Failure>) {
    let entry: ProtocolChecker.Entry
    switch completion {
    case .finished: entry = .finished
    case .failure: entry = .failure
    }
    guardian.watch(entry) {
      _ = guardian.slot.end()
      downstream.receive(completion: completion)
      return .none
    }
  }

  @usableFromInline
  var description: String { "Strict" }
}

/// The checks of one strict subscription, and the subscription itself; knows nothing of the subscriber.
@usableFromInline
final class StrictGuard: Subscription, CustomStringConvertible, Sendable {
  let slot = SubscriptionSlot(name: nil)
  private let checker: ProtocolChecker
  private let onViolation: @Sendable (Violation) -> Void

  @usableFromInline
  init(subject: String, onViolation: @escaping @Sendable (Violation) -> Void) {
    checker = ProtocolChecker(subject: subject, historyLimit: 32)
    self.onViolation = onViolation
  }

  /// Checks a signal and lets it pass unless its subscriber must not see it.
  ///
  /// - Returns: The demand that came back.
  @discardableResult
  func watch(_ entry: ProtocolChecker.Entry, _ pass: () -> Subscribers.Demand) -> Subscribers.Demand {
    let found = checker.enter(entry)
    for violation in found { onViolation(violation) }
    // A second subscription goes on, to the slot that cancels it.
    let mayPass = entry == .subscription || !found.contains { Self.keptAway.contains($0.rule) }
    let more = mayPass ? pass() : .none
    checker.leave(returning: more)
    return more
  }

  private static let keptAway: Set<Violation.Rule> = [.p1_01, .p1_07, .p1_09, .c12, .c13]

  @usableFromInline
  func request(_ demand: Subscribers.Demand) {
    checkCall("a request")
    guard demand > .none else {
      report(.c04, "a request of none was made")
      return
    }
    checker.request(demand)
    slot.request(demand)
  }

  @usableFromInline
  func cancel() {
    checkCall("a cancel")
    checker.cancelBegins()
    slot.cancel()
    checker.cancelReturned()
  }

  private func checkCall(_ name: String) {
    if checker.isInsideCompletion { report(.s2_03, "\(name) was made from inside the completion") }
  }

  private func report(_ rule: Violation.Rule, _ detail: String) {
    for violation in checker.report(rule, detail) { onViolation(violation) }
  }

  @usableFromInline
  var description: String { "\(slot)" }
}
