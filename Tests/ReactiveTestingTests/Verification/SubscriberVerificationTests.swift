import Reactive
import Testing

@testable import ReactiveTesting

/// A subscriber that keeps every rule, or breaks exactly one.
private final class ListeningMutant: Subscriber, Cancellable {
  /// What is wrong with it, and the rule that this breaks.
  enum Fault: CaseIterable {
    case neverAsks
    case cancelsOnCompletion
    case keepsItsSubscription
    case takesASecondSubscription
    case cancelsForAnExtraValue
    case requestsNone
    case cancelsAgain

    var rule: Rule {
      switch self {
      case .neverAsks: .s2_01
      case .cancelsOnCompletion: .s2_03
      case .keepsItsSubscription: .s2_04
      case .takesASecondSubscription: .s2_05
      case .cancelsForAnExtraValue: .s2_13
      case .requestsNone: .c04
      case .cancelsAgain: .c14
      }
    }
  }

  private let fault: Fault?
  private var subscription: (any Subscription)?
  private var hasEnded = false

  init(_ fault: Fault?) {
    self.fault = fault
  }

  func receive(subscription: any Subscription) {
    if self.subscription != nil || hasEnded {
      if fault != .takesASecondSubscription { subscription.cancel() }
      return
    }
    self.subscription = subscription
    if fault == .requestsNone { subscription.request(.none) }
    if fault != .neverAsks { subscription.request(.unlimited) }
  }

  func receive(_ input: Int) -> Subscribers.Demand {
    if fault == .cancelsForAnExtraValue, hasEnded { subscription?.cancel() }
    return .none
  }

  func receive(completion: Subscribers.Completion<TestFailure>) {
    hasEnded = true
    if fault == .cancelsOnCompletion { subscription?.cancel() }
    if fault != .keepsItsSubscription, fault != .cancelsForAnExtraValue { subscription = nil }
  }

  func cancel() {
    hasEnded = true
    subscription?.cancel()
    if fault != .cancelsAgain { subscription = nil }
  }
}

@Suite struct SubscriberVerificationTests {
  private static let rules = SubscriberVerification<Subscribers.Sink<Int, TestFailure>>.rules

  private func verification(of fault: ListeningMutant.Fault?) -> SubscriberVerification<ListeningMutant> {
    SubscriberVerification("mutant", elements: [1, 2, 3]) { ListeningMutant(fault) }
  }

  @Test(arguments: rules)
  func `a subscriber that keeps the rules passes`(rule: Rule) throws {
    try verification(of: nil).verify(rule).orThrow()
  }

  @Test func `a fault fails the rule that it breaks`() {
    for fault in ListeningMutant.Fault.allCases {
      guard case .failed(let violations) = verification(of: fault).verify(fault.rule) else {
        Issue.record("\(fault) was not found")
        continue
      }
      #expect(violations.contains { $0.rule == fault.rule })
    }
  }

  @Test func `every rule has a fault that shows it at work`() {
    #expect(Set(ListeningMutant.Fault.allCases.map(\.rule)) == Set(Self.rules))
  }

  @Test(arguments: rules)
  func `a subscriber that cannot fail is verified without a failure`(rule: Rule) throws {
    try SubscriberVerification("Sink", elements: [1, 2, 3]) {
      Subscribers.Sink<Int, Never>(receiveCompletion: { _ in }, receiveValue: { _ in })
    }.verify(rule).orThrow()
  }

  @Test(arguments: rules)
  func `a subscriber is verified with a failure of its own type`(rule: Rule) throws {
    struct Refusal: Error {}
    var failures = 0
    try SubscriberVerification("Sink", elements: ["a"], failure: Refusal()) {
      Subscribers.Sink<String, Refusal>(
        receiveCompletion: { if case .failure = $0 { failures += 1 } }, receiveValue: { _ in })
    }.verify(rule).orThrow()
    #expect(failures > 0 || ![.s2_03, .s2_04, .s2_13].contains(rule))
  }

  @Test func `what cannot be cancelled is skipped with a reason`() {
    let verification = SubscriberVerification("any", elements: [1]) {
      AnySubscriber(Subscribers.Sink<Int, TestFailure>(receiveCompletion: { _ in }, receiveValue: { _ in }))
    }
    #expect(verification.verify(.c14) == .skipped("it cannot be cancelled"))
  }
}
