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
    let outcome = verification(of: fault).verify(fault.rule)
    guard case .failed(let violations) = outcome else {
      Issue.record("\(fault) was not found: \(outcome)")
      return
    }
    #expect(violations.contains { $0.rule == fault.rule })
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

  @Test(arguments: rules)
  func `a subject that keeps the rules also publishes a state`(rule: Rule) throws {
    try SubjectVerification("state", .newest) { SubjectMutant(nil) }.verify(rule).orThrow()
  }

  @Test(arguments: [Rule.c02, .c07, .c10])
  func `a subject without care is no state either`(rule: Rule) {
    var environment = VerificationEnvironment.current
    environment.rounds *= 20
    let careless = SubjectVerification("careless", .newest, environment: environment) { CarelessSubject(latest: 0) }
    guard case .failed = careless.verify(rule) else {
      Issue.record("\(rule) was not found broken")
      return
    }
  }

  @Test func `the rules about the end are skipped for a subject without one`() {
    let verification = SubjectVerification("p", .none) { PassthroughSubject<Int, TestFailure>() }.endless()
    for rule in [Rule.p1_04, .p1_05, .p1_07, .c17] { #expect(verification.verify(rule) == .skipped("it never ends")) }
    #expect(verification.verify(.c14) == .passed)
  }

  @Test(arguments: SubjectMutant.Fault.allCases)
  func `a fault is found in a publisher that something else drives`(fault: SubjectMutant.Fault) {
    var environment = VerificationEnvironment.current
    environment.rounds = 500
    environment.signalTimeout = .milliseconds(500)
    let driven = SubjectVerification("driven", .latest, environment: environment) {
      let mutant = SubjectMutant(fault)
      return DrivenPublisher(mutant, send: { mutant.send($0) }, end: { mutant.send(completion: $0) })
    }
    guard fault != .valueIsLate else { return }
    guard case .failed(let violations) = driven.verify(fault.rule) else {
      Issue.record("\(fault) was not found")
      return
    }
    #expect(violations.contains { $0.rule == fault.rule })
  }

  @Test func `a value that cannot be read is skipped`() {
    let verification = SubjectVerification("p", .none) { PassthroughSubject<Int, TestFailure>() }
    #expect(verification.verify(.c09) == .skipped("its value cannot be read"))
  }
}
