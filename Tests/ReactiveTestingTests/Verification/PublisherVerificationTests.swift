import Dispatch
import Reactive
import Testing

@testable import ReactiveTesting

@Suite struct PublisherVerificationTests {
  private static var patience: VerificationEnvironment {
    var environment = VerificationEnvironment.current
    environment.signalTimeout = .milliseconds(500)
    return environment
  }

  private func verification(
    of fault: CountingMutant.Fault?, environment: VerificationEnvironment = .current
  ) -> PublisherVerification<CountingMutant> {
    PublisherVerification("mutant", environment: environment) { CountingMutant($0, fault) }
      .failing { CountingMutant(0, fault, fails: true) }
  }

  @Test(arguments: PublisherVerification<CountingMutant>.rules)
  func `a publisher that keeps the rules passes`(rule: Rule) {
    #expect(verification(of: nil).verify(rule) == .passed)
  }

  @Test(arguments: CountingMutant.Fault.allCases)
  func `a fault fails the rule that it breaks`(fault: CountingMutant.Fault) {
    guard case .failed(let violations) = verification(of: fault, environment: Self.patience).verify(fault.rule) else {
      Issue.record("\(fault) was not found")
      return
    }
    #expect(violations.contains { $0.rule == fault.rule } && violations.allSatisfy { $0.subject == "mutant" })
  }

  @Test func `every rule has a fault that shows it at work`() {
    #expect(Set(CountingMutant.Fault.allCases.map(\.rule)) == Set(PublisherVerification<CountingMutant>.rules))
  }

  @Test func `what a publisher cannot do is skipped with a reason`() {
    let verification = PublisherVerification("Just", elements: .only([1])) { _ in Just(1) }
    #expect(verification.verify(.p1_04) == .skipped("there is no failing publisher"))
    #expect(verification.verify(.n3_08) == .skipped("it cannot deliver any of [7] values"))
    #expect(verification.verify(.p1_03) == .skipped("there is no check of this rule"))
  }

  @Test func `a report throws what was broken`() throws {
    let report = verification(of: .noneMeansOne).verifyAll()
    let failure = try #require(throws: VerificationFailure.self) { try report.orThrow() }
    #expect(failure.description.contains("mutant: rule C4 broken: values for a request of none: 3, not 0 (seed 1)"))
    #expect(report.description.contains("  C4 failed: values for a request of none: 3, not 0"))
    #expect(report.description.contains("  1.2 passed"))
    try verification(of: nil).verifyAll().orThrow()
  }

  /// A publisher that delivers on a queue of its own.
  private func asynchronous(
    _ fault: CountingMutant.Fault?, deadline: Duration = .seconds(20), quietPeriod: Duration = .milliseconds(20)
  ) -> PublisherVerification<CountingMutant> {
    var environment = VerificationEnvironment.current
    environment.quietPeriod = quietPeriod
    let queue = DispatchQueue(label: "mutant")
    return PublisherVerification("mutant", delivery: .asynchronous(deadline: deadline), environment: environment) {
      CountingMutant($0, fault, on: queue)
    }.failing { CountingMutant(0, fault, fails: true, on: queue) }
  }

  @Test(arguments: PublisherVerification<CountingMutant>.rules)
  func `a publisher that delivers on another thread and keeps the rules passes`(rule: Rule) {
    let outcome = asynchronous(nil).verify(rule)
    #expect(outcome == (rule == .n3_03 ? .skipped("it delivers on a thread whose stack cannot be chosen") : .passed))
  }

  /// Faults that show in what comes: it is looked for as long as it takes.
  @Test(
    arguments: [
      .firstValueIsFree, .noneMeansOne, .requestAfterTheEndDelivers, .requestAfterTheEndFinishesAgain, .requestRevives,
      .secondCancelFinishes, .cancelledStreamFinishes,
    ] as [CountingMutant.Fault])
  func `a signal too many from another thread fails the rule that it breaks`(fault: CountingMutant.Fault) {
    guard case .failed(let violations) = asynchronous(fault, quietPeriod: .seconds(20)).verify(fault.rule) else {
      Issue.record("\(fault) was not found")
      return
    }
    #expect(violations.contains { $0.rule == fault.rule })
  }

  /// Faults that show in what does not come: nothing is gained by a long wait.
  @Test(
    arguments: [
      .finishesOnlyWhenDemandIsMet, .failureNeedsDemand, .completionNeedsDemand, .subscribersShareTheValues,
      .nestedRequestsAreLost, .requestsReplaceDemand, .cancelKeepsTheSubscriber, .demandOverflows,
      .endKeepsTheSubscriber,
    ] as [CountingMutant.Fault])
  func `a signal that is missing on another thread fails the rule that it breaks`(fault: CountingMutant.Fault) {
    guard case .failed(let violations) = asynchronous(fault, deadline: .milliseconds(300)).verify(fault.rule) else {
      Issue.record("\(fault) was not found")
      return
    }
    #expect(violations.contains { $0.rule == fault.rule })
  }

  @Test func `a publisher that never delivers is given up at the deadline`() {
    let silent = PublisherVerification("silent", delivery: .asynchronous(deadline: .milliseconds(50))) { _ in
      Empty<Int, TestFailure>(completeImmediately: false)
    }
    guard case .failed(let violations) = silent.verify(.p1_05) else {
      Issue.record("the silence was not found")
      return
    }
    #expect(violations.first?.detail == "it did not finish after 0 values without further demand")
  }
}
