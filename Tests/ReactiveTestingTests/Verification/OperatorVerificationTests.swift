import Reactive
import Testing

@testable import ReactiveTesting

@Suite struct OperatorVerificationTests {
  private typealias Mutant = PassingMutant<TestPublisher<Int, TestFailure>>

  private func verification(of fault: PassingFault?, limit: Int = .max) -> OperatorVerification<Int, some Publisher> {
    var environment = VerificationEnvironment.current
    if fault != nil { environment.signalTimeout = .milliseconds(500) }
    let traits: OperatorTraits = limit < .max ? [.passesDemand, .endsEarly] : .passesDemand
    return OperatorVerification<Int, _>("mutant", traits, environment: environment) { source, _ in
      Mutant(upstream: source, fault: fault, limit: limit)
    }
  }

  private static let rules = OperatorVerification<Int, TestPublisher<Int, TestFailure>>.rules

  @Test(arguments: rules)
  func `an operator that keeps the rules passes`(rule: Rule) throws {
    try verification(of: nil).verify(rule).orThrow()
  }

  @Test(arguments: rules)
  func `an operator that ends early and keeps the rules passes`(rule: Rule) throws {
    try verification(of: nil, limit: 3).verify(rule).orThrow()
  }

  @Test(arguments: rules)
  func `an operator that recovers from failures and keeps the rules passes`(rule: Rule) throws {
    try OperatorVerification<Int, _>("recovering", [.passesDemand, .recovers]) { source, _ in
      Mutant(upstream: source, fault: .failureBecomesFinish)
    }.verify(rule).orThrow()
  }

  @Test(arguments: rules)
  func `an operator that adds a value at the end and keeps the rules passes`(rule: Rule) throws {
    try OperatorVerification<Int, _>("adding", [.mayBuffer, .waitsForTheEnd, .addsValues]) { source, _ in
      source.collect()
    }.verify(rule).orThrow()
  }

  @Test func `only an operator that ends early may fail after values that nobody asked for`() throws {
    func verification(_ traits: OperatorTraits) -> OperatorVerification<Int, some Publisher> {
      OperatorVerification<Int, _>("throwing", traits) { source, _ in
        source.tryMap { if $0 > 4 { throw TestFailure() } }
      }
    }
    try verification([.passesDemand, .endsEarly]).verify(.c19).orThrow()
    guard case .failed = verification(.passesDemand).verify(.c19) else {
      Issue.record("the failure was not seen")
      return
    }
  }

  @Test func `an operator that passes a failure on does not recover`() {
    let verification = OperatorVerification<Int, _>("map", [.passesDemand, .recovers]) { source, _ in source.map { $0 }
    }
    guard case .failed(let violations) = verification.verify(.o4_02) else {
      Issue.record("the failure was not seen")
      return
    }
    #expect(violations.map(\.detail) == ["it passes a failure on", "it passes a failure on"])
  }

  @Test(arguments: PassingFault.allCases)
  func `a fault fails the rule that it breaks`(fault: PassingFault) {
    let limit = fault == .doesNotCancelWhenDone ? 3 : Int.max
    guard case .failed(let violations) = verification(of: fault, limit: limit).verify(fault.rule) else {
      Issue.record("\(fault) was not found")
      return
    }
    #expect(violations.contains { $0.rule == fault.rule } && violations.allSatisfy { $0.subject == "mutant" })
  }

  @Test func `every rule has a fault that shows it at work`() {
    #expect(Set(PassingFault.allCases.map(\.rule)) == Set(Self.rules))
  }

  @Test func `what an operator does not do is skipped with a reason`() {
    #expect(verification(of: nil).verify(.s2_06) == .skipped("it does not end before upstream"))
    let collect = OperatorVerification<Int, _>("collect", [.mayBuffer, .waitsForTheEnd]) { source, _ in
      source.collect()
    }
    #expect(collect.verify(.n3_08) == .skipped("it asks for more than downstream does"))
    let silent = OperatorVerification<Int, _>("silent", .givesNoValues) { source, _ in source.map { $0 } }
    #expect(silent.verify(.c13) == .skipped("it never gives a value"))
  }
}
