import Reactive
import Testing

@testable import ReactiveTesting

@Suite struct SubjectVerificationTests {
  private static let rules = SubjectVerification<SubjectMutant>.rules

  private func verification(of fault: SubjectMutant.Fault?) -> SubjectVerification<SubjectMutant> {
    var environment = VerificationEnvironment.current
    environment.rounds = 500
    if fault != nil { environment.signalTimeout = .milliseconds(500) }
    return SubjectVerification("mutant", .latest, environment: environment) { SubjectMutant(fault) }
      .reading { $0.value }
  }

  @Test(arguments: rules)
  func `a subject that keeps the rules passes`(rule: Rule) throws {
    try verification(of: nil).verify(rule).orThrow()
  }

  @Test(arguments: SubjectMutant.Fault.allCases)
  func `a fault fails the rule that it breaks`(fault: SubjectMutant.Fault) {
    guard case .failed = verification(of: fault).verify(fault.rule) else {
      Issue.record("\(fault) was not found: \(verification(of: fault).verify(fault.rule))")
      return
    }
  }

  @Test func `every rule has a fault that shows it at work`() {
    #expect(Set(SubjectMutant.Fault.allCases.map(\.rule)) == Set(Self.rules))
  }

  @Test(arguments: [Rule.p1_07, .c01, .c02, .c07, .c08, .c09, .c10, .c13])
  func `a subject without care fails the rules about threads`(rule: Rule) {
    // On a busy machine the threads of a race seldom run at once; it stops as soon as it has found enough.
    var environment = VerificationEnvironment.current
    environment.rounds *= 20
    let careless = SubjectVerification("careless", .latest, environment: environment) { CarelessSubject(latest: 0) }
      .reading { $0.value ?? 0 }
    guard case .failed = careless.verify(rule) else {
      Issue.record("\(rule) was not found broken")
      return
    }
  }

  @Test func `a value that cannot be read is skipped`() {
    let verification = SubjectVerification("p", .none) { PassthroughSubject<Int, TestFailure>() }
    #expect(verification.verify(.c09) == .skipped("its value cannot be read"))
  }
}
