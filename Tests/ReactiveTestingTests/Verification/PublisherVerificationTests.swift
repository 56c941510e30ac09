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
    #expect(violations.allSatisfy { $0.subject == "mutant" })
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
}
