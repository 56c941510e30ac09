import Reactive

@testable import ReactiveTesting

/// An operator that passes everything on and keeps every rule, or breaks exactly one.
struct PassingMutant<Upstream: Publisher>: Publisher {
  typealias Output = Upstream.Output
  typealias Failure = Upstream.Failure

  let upstream: Upstream
  let fault: PassingFault?
  var limit = Int.max

  func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
    upstream.receive(subscriber: Relay(AnySubscriber(subscriber), fault, limit))
  }

  final class Relay: Subscriber, Subscription {
    typealias Input = Output

    private let lock = Lock()
    private let fault: PassingFault?
    private let limit: Int
    private var downstream: AnySubscriber<Output, Failure>?
    private var upstream: (any Subscription)?
    private var kept: AnySubscriber<Output, Failure>?
    private var leaked: Any?
    private var demand = Subscribers.Demand.none
    private var last: Output?
    private var count = 0
    private var isCancelled = false
    private var hasEnded = false
    private var graces = 1
    private var isStuck = false
    private let deliveries = WaitableState(0)
    private let requests = WaitableState(0)

    init(_ downstream: AnySubscriber<Output, Failure>, _ fault: PassingFault?, _ limit: Int) {
      self.downstream = downstream
      self.fault = fault
      self.limit = limit
      let keeps: [PassingFault] = [.passesAfterTheEnd, .passesAfterCancel, .cancelIsLate, .cancelKeepsDownstream]
      if let fault, keeps.contains(fault) || fault == .endKeepsDownstream { kept = downstream }
    }

    func receive(subscription: any Subscription) {
      guard upstream == nil, !hasEnded, !isCancelled else {
        if fault == .passesSecondSubscription { downstream?.receive(subscription: subscription) }
        subscription.cancel()
        return
      }
      upstream = subscription
      if fault == .keepsUpstream { leaked = subscription }
      downstream?.receive(subscription: self)
      if fault == .ignoresDemand { subscription.request(.unlimited) }
    }

    func receive(_ input: Output) -> Subscribers.Demand {
      let target = lock.withLock { () -> AnySubscriber<Output, Failure>? in
        if upstream == nil, !hasEnded, !isCancelled, fault != .passesBeforeSubscription { return nil }
        if isCancelled || hasEnded {
          if fault == .passesAfterTheEnd && hasEnded || fault == .passesAfterCancel { return kept }
          guard fault == .cancelIsLate, graces > 0 else { return nil }
          graces -= 1
          return kept
        }
        if demand == .none, fault == .overflowStops { isStuck = true }
        demand -= 1
        last = input
        count += 1
        return downstream
      }
      guard let target else { return .none }
      if fault == .requestsElsewhereRepeat, count == 1 { _ = requests.wait(atMost: .seconds(1)) { $0 > 1 } }
      deliveries.withLock { $0 += 1 }
      let more = target.receive(input)
      deliveries.withLock { $0 -= 1 }
      lock.withLock { demand += more }
      if count == limit {
        if fault != .doesNotCancelWhenDone { upstream?.cancel() }
        finish(with: .finished)
        return .none
      }
      return more
    }

    func receive(completion: Subscribers.Completion<Failure>) {
      if fault == .passesAfterTheEnd, hasEnded { kept?.receive(completion: completion) }
      guard upstream != nil || fault == .passesBeforeSubscription, !isStuck else { return }
      if fault == .cancelsOnCompletion { upstream?.cancel() }
      switch (fault, completion) {
      case (.swallowsCompletion, .finished): return
      case (.completionNeedsDemand, .finished) where demand == .none: return
      case (.failureNeedsDemand, .failure) where demand == .none: return
      case (.failureBecomesFinish, .failure): finish(with: .finished)
      default: finish(with: completion)
      }
    }

    private func finish(with completion: Subscribers.Completion<Failure>) {
      let target = lock.withLock {
        defer { downstream = nil }
        hasEnded = true
        upstream = nil
        return downstream
      }
      if fault == .cancelKeepsDownstream { kept = nil }
      target?.receive(completion: completion)
    }

    func request(_ demand: Subscribers.Demand) {
      requests.withLock { $0 += 1 }
      if demand == .none, fault != .forwardsNone { return }
      let upstream = lock.withLock {
        self.demand += demand
        return self.upstream
      }
      if fault == .neverAsks || fault == .ignoresDemand { return }
      let isInside = deliveries.withLock { $0 > 0 }
      if fault == .requestsInsideRepeat, isInside, let last, count < 5 {
        count += 1
        _ = downstream?.receive(last)
      }
      if fault == .requestsElsewhereRepeat, let last { _ = downstream?.receive(last) }
      upstream?.request(fault == .asksForOneAtATime ? .max(1) : demand)
    }

    func cancel() {
      if fault == .cancelWaits { _ = deliveries.wait(atMost: .seconds(2)) { $0 == 0 } }
      let (upstream, released) = lock.withLock {
        defer {
          isCancelled = true
          if fault != .cancelsTwice { self.upstream = nil }
          downstream = nil
        }
        return (self.upstream, downstream)
      }
      if fault == .endKeepsDownstream { kept = nil }
      upstream?.cancel()
      withExtendedLifetime(released) {}
    }
  }
}

/// What is wrong with a `PassingMutant`, and the rule that this breaks.
enum PassingFault: CaseIterable {
  case ignoresDemand
  case swallowsCompletion
  case passesAfterTheEnd
  case passesBeforeSubscription
  case neverAsks
  case cancelsOnCompletion
  case keepsUpstream
  case passesSecondSubscription
  case doesNotCancelWhenDone
  case passesAfterCancel
  case completionNeedsDemand
  case failureNeedsDemand
  case asksForOneAtATime
  case cancelKeepsDownstream
  case failureBecomesFinish
  case forwardsNone
  case requestsInsideRepeat
  case requestsElsewhereRepeat
  case cancelIsLate
  case cancelWaits
  case cancelsTwice
  case endKeepsDownstream
  case overflowStops

  var rule: Rule {
    switch self {
    case .ignoresDemand: .p1_01
    case .swallowsCompletion: .p1_05
    case .passesAfterTheEnd: .p1_07
    case .passesBeforeSubscription: .p1_09
    case .neverAsks: .s2_01
    case .cancelsOnCompletion: .s2_03
    case .keepsUpstream: .s2_04
    case .passesSecondSubscription: .s2_05
    case .doesNotCancelWhenDone: .s2_06
    case .passesAfterCancel: .s2_08
    case .completionNeedsDemand: .s2_09
    case .failureNeedsDemand: .s2_10
    case .asksForOneAtATime: .n3_08
    case .cancelKeepsDownstream: .n3_13
    case .failureBecomesFinish: .o4_02
    case .forwardsNone: .c04
    case .requestsInsideRepeat: .c05
    case .requestsElsewhereRepeat: .c06
    case .cancelIsLate: .c12
    case .cancelWaits: .c13
    case .cancelsTwice: .c14
    case .endKeepsDownstream: .c15
    case .overflowStops: .c19
    }
  }
}
