import Reactive

@testable import ReactiveTesting

/// A current-value subject that keeps every rule, or breaks exactly one.
final class SubjectMutant: Subject {
  typealias Output = Int
  typealias Failure = TestFailure

  /// What is wrong with it, and the rule that this breaks.
  enum Fault: CaseIterable {
    case ignoresDemand
    case failureNeedsDemand
    case swallowsCompletion
    case sendsAfterTheEnd
    case asksForOneAtATime
    case sendsBesideOthers
    case endsDuringSubscription
    case noneMeansOne
    case requestsInsideRepeat
    case requestsElsewhereRepeat
    case sendsNest
    case sendWaits
    case valueIsLate
    case newcomerMissesTheLatest
    case newcomerInsideGetsTheValueTwice
    case cancelIsLate
    case cancelWaits
    case secondCancelFinishes
    case endKeepsTheSubscriber
    case lateSubscriberLearnsNothing
    case sendsRecurse

    var rule: Rule {
      switch self {
      case .sendsAfterTheEnd: .p1_07
      case .asksForOneAtATime: .n3_08
      case .failureNeedsDemand: .p1_04
      case .sendsBesideOthers: .c01
      case .endsDuringSubscription: .c02
      case .sendsNest: .c07
      case .sendWaits: .c08
      case .valueIsLate: .c09
      case .newcomerMissesTheLatest: .c10
      case .newcomerInsideGetsTheValueTwice: .c11
      case .lateSubscriberLearnsNothing: .c17
      case .sendsRecurse: .c18
      default: passing?.rule ?? .p1_01
      }
    }

    /// The fault of an operator behind the subject that amounts to the same.
    var passing: PassingFault? {
      switch self {
      case .ignoresDemand: .ignoresDemand
      case .failureNeedsDemand: .failureNeedsDemand
      case .swallowsCompletion: .swallowsCompletion
      case .asksForOneAtATime: .asksForOneAtATime
      case .noneMeansOne: .noneMeansOne
      case .requestsInsideRepeat: .requestsInsideRepeat
      case .requestsElsewhereRepeat: .requestsElsewhereRepeat
      case .cancelIsLate: .cancelIsLate
      case .cancelWaits: .cancelWaits
      case .secondCancelFinishes: .secondCancelFinishes
      case .endKeepsTheSubscriber: .endKeepsDownstream
      default: nil
      }
    }
  }

  private struct State {
    var subscribers: [AnySubscriber<Int, TestFailure>] = []
    var senders: [ThreadIdentity] = []
    var delivered = 0
    var hasEnded = false
  }

  private let fault: Fault?
  private let base = CurrentValueSubject<Int, TestFailure>(0)
  private let mirror = PassthroughSubject<Int, TestFailure>()
  private let state = WaitableState(State())

  init(_ fault: Fault?) {
    self.fault = fault
  }

  var value: Int { fault == .valueIsLate ? state.withLock { $0.delivered } : base.value }

  func send(_ value: Int) {
    let thread = ThreadIdentity.current
    if fault == .sendWaits { _ = state.wait(atMost: .seconds(1)) { $0.senders.allSatisfy { $0 == thread } } }
    let (sendsItself, subscribers) = state.withLock { state in
      let isInside = state.senders.contains(thread)
      let isBeside = !state.senders.isEmpty && !isInside
      state.senders.append(thread)
      let sendsItself =
        switch fault {
        case .sendsNest, .sendsRecurse: isInside
        case .sendsBesideOthers: isBeside
        case .sendsAfterTheEnd: state.hasEnded
        default: false
        }
      return (sendsItself, state.subscribers)
    }
    if sendsItself {
      for subscriber in subscribers { _ = subscriber.receive(value) }
    } else {
      base.send(value)
      mirror.send(value)
    }
    state.withLock { state in
      state.delivered = value
      if let index = state.senders.lastIndex(of: thread) { state.senders.remove(at: index) }
    }
  }

  func send(completion: Subscribers.Completion<TestFailure>) {
    let subscribers = state.withLock { state in
      state.hasEnded = true
      return state.subscribers
    }
    if fault == .endsDuringSubscription {
      for subscriber in subscribers { subscriber.receive(completion: completion) }
    } else {
      base.send(completion: completion)
      mirror.send(completion: completion)
    }
  }

  func send(subscription: any Subscription) {
    base.send(subscription: subscription)
  }

  func receive<S: Subscriber>(subscriber: S) where S.Input == Int, S.Failure == TestFailure {
    let keeps: [Fault] = [.sendsNest, .sendsRecurse, .sendsBesideOthers, .sendsAfterTheEnd, .endsDuringSubscription]
    let (isInside, hasEnded) = state.withLock { state in
      if let fault, keeps.contains(fault) { state.subscribers.append(AnySubscriber(subscriber)) }
      return (!state.senders.isEmpty, state.hasEnded)
    }
    switch fault {
    case .newcomerMissesTheLatest: mirror.receive(subscriber: subscriber)
    case .lateSubscriberLearnsNothing where hasEnded: subscriber.receive(subscription: Subscriptions.empty)
    default: PassingMutant(upstream: base, fault: fault?.passing).receive(subscriber: subscriber)
    }
    if isInside, fault == .newcomerInsideGetsTheValueTwice { _ = subscriber.receive(base.value) }
  }
}
