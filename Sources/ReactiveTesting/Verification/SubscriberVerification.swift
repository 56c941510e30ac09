public import Reactive

/// Checks a subscriber against the rules, one by one, from outside: by a publisher that watches it and misbehaves.
///
///     let sink = SubscriberVerification("Sink", elements: [1, 2, 3]) {
///       Subscribers.Sink<Int, TestFailure>(receiveCompletion: { _ in }, receiveValue: { _ in })
///     }
///     try sink.verifyAll().orThrow()
public struct SubscriberVerification<S: Subscriber>: Verification {
  /// What is checked, as reports name it.
  public let name: String

  let elements: [S.Input]
  let endings: [Subscribers.Completion<S.Failure>]
  let make: () -> S

  /// Prepares the verification of a subscriber.
  ///
  /// - Parameters:
  ///   - name: What reports call it.
  ///   - elements: Values to send to it.
  ///   - failure: An error to send to it.
  ///   - make: Makes the subscriber; it has to ask for at least one value by itself.
  public init(_ name: String, elements: [S.Input], failure: S.Failure, _ make: @escaping () -> S) {
    self.init(name, elements, [.finished, .failure(failure)], make)
  }

  private init(
    _ name: String, _ elements: [S.Input], _ endings: [Subscribers.Completion<S.Failure>], _ make: @escaping () -> S
  ) {
    self.name = name
    self.elements = elements
    self.endings = endings
    self.make = make
  }

  /// The rules that can be checked.
  public static var rules: [Rule] { checks.map(\.rule) }

  /// Checks one rule.
  ///
  /// - Parameter rule: Which one.
  /// - Returns: What it came to.
  public func verify(_ rule: Rule) -> Outcome {
    Findings.outcome(of: rule, in: Self.checks, on: self, name: name, seed: 0)
  }
}

extension SubscriberVerification where S.Failure == TestFailure {
  /// Prepares the verification of a subscriber that is sent a `TestFailure`.
  ///
  /// - Parameters:
  ///   - name: What reports call it.
  ///   - elements: Values to send to it.
  ///   - make: Makes the subscriber; it has to ask for at least one value by itself.
  public init(_ name: String, elements: [S.Input], _ make: @escaping () -> S) {
    self.init(name, elements: elements, failure: TestFailure(), make)
  }
}

extension SubscriberVerification where S.Failure == Never {
  /// Prepares the verification of a subscriber of publishers that do not fail.
  ///
  /// - Parameters:
  ///   - name: What reports call it.
  ///   - elements: Values to send to it.
  ///   - make: Makes the subscriber; it has to ask for at least one value by itself.
  public init(_ name: String, elements: [S.Input], _ make: @escaping () -> S) {
    self.init(name, elements, [.finished], make)
  }
}

extension SubscriberVerification {
  typealias Source = TestPublisher<S.Input, S.Failure>

  static var checks: [Check<Self>] {
    [
      Check(.s2_01) { $0.checkAsking($1) },
      Check(.s2_03) { $0.checkCallsInsideCompletion($1) },
      Check(.s2_04) { $0.checkLetsUpstreamGo($1) },
      Check(.s2_05) { $0.checkSecondSubscription($1) },
      Check(.s2_13) { $0.checkMisbehaviour($1) },
      Check(.c04) { $0.checkRequestOfNone($1) },
      Check(.c14) { try $0.checkOneCancel($1) },
    ]
  }

  /// Subscribes a new subscriber to a publisher that is watched.
  private func attach(_ findings: Findings, _ misbehaviour: Source.Misbehaviour = []) -> (source: Source, subscriber: S)
  {
    let (source, subscriber) = (Source(misbehaviour), make())
    findings.watch(source)
    source.subscribe(subscriber)
    return (source, subscriber)
  }

  private func send(to source: Source) {
    for element in elements { source.send(element) }
  }

  private func checkAsking(_ findings: Findings) {
    let (source, _) = attach(findings)
    findings.expect(source.requests.contains { $0 > .none }, "it asks for nothing")
  }

  private func checkCallsInsideCompletion(_ findings: Findings) {
    for completion in endings {
      let (source, _) = attach(findings)
      send(to: source)
      source.send(completion: completion)
    }
  }

  private func checkLetsUpstreamGo(_ findings: Findings) {
    for completion in endings {
      let (source, subscriber) = attach(findings)
      source.send(completion: completion)
      withExtendedLifetime(subscriber) {
        findings.expect(!source.isSubscriptionHeld, "it keeps its subscription after the end")
      }
    }
  }

  private func checkSecondSubscription(_ findings: Findings) {
    for misbehaviour in [Source.Misbehaviour.secondSubscription, .nestedSubscription] {
      let (source, _) = attach(findings, misbehaviour)
      findings.expect(source.subscriberCount, is: 1, "subscribers left after a second subscription")
      send(to: source)
      source.send(completion: .finished)
    }
  }

  private func checkMisbehaviour(_ findings: Findings) {
    let rogue: [Source.Misbehaviour] = [.overflow, .ignoreCancel, .signalAfterTerminal, .completionOnCancel]
    for completion in endings {
      for misbehaviour in rogue {
        let (source, subscriber) = attach(findings, misbehaviour)
        send(to: source)
        source.send(completion: completion)
        send(to: source)
        source.send(completion: completion)
        (subscriber as? any Cancellable)?.cancel()
        send(to: source)
        findings.expect(source.violations.isEmpty, "it breaks rules itself when upstream does")
      }
      let (late, _) = attach(findings, .signalBeforeSubscription)
      send(to: late)
      late.sendSubscription()
      late.send(completion: completion)
      // What is right after an end that comes before the subscription nobody says; it is survived.
      let endless = Source([.signalBeforeSubscription, .signalAfterTerminal])
      endless.subscribe(make())
      endless.send(completion: completion)
      endless.sendSubscription()
    }
  }

  private func checkRequestOfNone(_ findings: Findings) {
    let (source, _) = attach(findings)
    send(to: source)
    source.send(completion: .finished)
    findings.expect(!source.requests.contains(.none), "it requests none")
  }

  private func checkOneCancel(_ findings: Findings) throws {
    let (source, subscriber) = attach(findings)
    guard let cancellable = subscriber as? any Cancellable else { throw Skip(reason: "it cannot be cancelled") }
    for _ in 1...3 { cancellable.cancel() }
    findings.expect(source.cancelCount, is: 1, "cancels upstream for three")
    let (ended, other) = attach(findings)
    ended.send(completion: .finished)
    (other as? any Cancellable)?.cancel()
    findings.expect(ended.cancelCount, is: 0, "cancels upstream after its completion")
    let (late, early) = (Source(), make())
    findings.watch(late)
    (early as? any Cancellable)?.cancel()
    late.subscribe(early)
    findings.expect(late.callKinds, is: [.cancel], "calls on a subscription that comes after a cancel")
  }
}
