import Reactive
import Testing

@testable import ReactiveTesting

/// Every public publisher once, with the verification that it has to pass.
@Suite struct RegistryTests {
  @Test(arguments: PublisherVerification<Just<Int>>.rules)
  func just(rule: Rule) throws {
    try PublisherVerification("Just", elements: .only([1])) { _ in Just(1) }.verify(rule).orThrow()
  }

  @Test(arguments: PublisherVerification<Empty<Int, TestFailure>>.rules)
  func empty(rule: Rule) throws {
    try PublisherVerification("Empty", elements: .only([0])) { _ in Empty<Int, TestFailure>() }.verify(rule).orThrow()
  }

  @Test(arguments: PublisherVerification<Fail<Int, TestFailure>>.rules)
  func fail(rule: Rule) throws {
    try PublisherVerification("Fail", elements: .only([])) { _ in Fail<Int, TestFailure>(error: TestFailure()) }
      .failing { Fail(error: TestFailure()) }.verify(rule).orThrow()
  }

  @Test(arguments: PublisherVerification<Publishers.Sequence<Range<Int>, Never>>.rules)
  func sequence(rule: Rule) throws {
    try PublisherVerification("Sequence") { (0..<$0).publisher }.verify(rule).orThrow()
  }

  @Test(arguments: PublisherVerification<Deferred<Publishers.Sequence<Range<Int>, Never>>>.rules)
  func deferred(rule: Rule) throws {
    try PublisherVerification("Deferred") { count in Deferred { (0..<count).publisher } }.verify(rule).orThrow()
  }

  @Test(arguments: PublisherVerification<AnyPublisher<Int, Never>>.rules)
  func anyPublisher(rule: Rule) throws {
    try PublisherVerification("AnyPublisher") { (0..<$0).publisher.eraseToAnyPublisher() }.verify(rule).orThrow()
  }

  private static let operatorRules = OperatorVerification<Int, TestPublisher<Int, TestFailure>>.rules

  @Test(arguments: operatorRules)
  func map(rule: Rule) throws {
    try OperatorVerification<Int, _>("map", .passesDemand) { source, _ in source.map { $0 + 1 } }
      .verify(rule).orThrow()
  }

  @Test(arguments: operatorRules)
  func tryMap(rule: Rule) throws {
    try OperatorVerification<Int, _>("tryMap", .passesDemand) { source, _ in source.tryMap { $0 + 1 } }
      .verify(rule).orThrow()
  }

  @Test(arguments: operatorRules)
  func collect(rule: Rule) throws {
    try OperatorVerification<Int, _>("collect", [.mayBuffer, .waitsForTheEnd]) { source, _ in source.collect() }
      .verify(rule).orThrow()
  }

  @Test(arguments: operatorRules)
  func eraseToAnyPublisher(rule: Rule) throws {
    try OperatorVerification<Int, _>("map, erased", .passesDemand) { source, _ in
      source.map { $0 }.eraseToAnyPublisher().map { $0 }
    }.verify(rule).orThrow()
  }

  @Test(arguments: operatorRules)
  func strict(rule: Rule) throws {
    try OperatorVerification<Int, _>("strict", .passesDemand) { source, _ in source.strict { _ in } }
      .verify(rule).orThrow()
  }
}
