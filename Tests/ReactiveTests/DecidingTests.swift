import Reactive
import Testing

@Suite struct DecidingTests {
  typealias Oracle = AccumulatingOracle

  @Test func `contains tells whether the value occurs`() {
    #expect(Oracle.differences({ $0.contains(3) }, result: { $0.contains(3) }) == [])
  }

  @Test func `contains(where:) tells whether a value satisfies the predicate`() {
    #expect(Oracle.differences({ $0.contains { $0 > 2 } }, result: { $0.contains { $0 > 2 } }) == [])
  }

  @Test func `tryContains(where:) tells whether a value satisfies the predicate`() {
    #expect(Oracle.differences({ $0.tryContains { $0 > 2 } }, result: { $0.contains { $0 > 2 } }) == [])
  }

  @Test func `allSatisfy tells whether all values satisfy the predicate`() {
    #expect(Oracle.differences({ $0.allSatisfy { $0 < 4 } }, result: { $0.allSatisfy { $0 < 4 } }) == [])
  }

  @Test func `tryAllSatisfy tells whether all values satisfy the predicate`() {
    #expect(Oracle.differences({ $0.tryAllSatisfy { $0 < 4 } }, result: { $0.allSatisfy { $0 < 4 } }) == [])
  }

  @Test func `publishers of equal upstreams and outputs are equal`() {
    let one = Just(1)
    #expect(Publishers.Contains(upstream: one, output: 1) == Publishers.Contains(upstream: one, output: 1))
    #expect(Publishers.Contains(upstream: one, output: 1) != Publishers.Contains(upstream: one, output: 2))
  }

  @Test func `what was handed over can be read back`() {
    let source = PassthroughSubject<Int, Never>()
    #expect(source.contains(4).output == 4)
    #expect(source.allSatisfy { $0 > 1 }.upstream === source)
  }
}
