import Reactive
import Testing

@Suite struct MatchingTests {
  typealias Oracle = AccumulatingOracle

  /// Compares an operator with the standard library's function over all inputs, with demand in random pieces.
  func differences<P: Publisher>(
    _ make: (Oracle.Plain<Publishers.Sequence<[Int], Never>>) -> P, _ expected: ([Int]) -> P.Output?
  ) -> [[Int]] where P.Output: Equatable {
    Oracle.differences(make) { expected($0).map { [$0] } ?? [] }
  }

  @Test func `first gives the first value`() {
    #expect(differences({ $0.first() }, { $0.first }) == [])
  }

  @Test func `first(where:) gives the first value that satisfies the predicate`() {
    #expect(differences({ $0.first { $0 > 2 } }, { $0.first { $0 > 2 } }) == [])
  }

  @Test func `tryFirst(where:) gives the first value that satisfies the predicate`() {
    #expect(differences({ $0.tryFirst { $0 > 2 } }, { $0.first { $0 > 2 } }) == [])
  }

  @Test func `last gives the last value`() {
    #expect(differences({ $0.last() }, { $0.last }) == [])
  }

  @Test func `last(where:) gives the last value that satisfies the predicate`() {
    #expect(differences({ $0.last { $0 > 2 } }, { $0.last { $0 > 2 } }) == [])
  }

  @Test func `tryLast(where:) gives the last value that satisfies the predicate`() {
    #expect(differences({ $0.tryLast { $0 > 2 } }, { $0.last { $0 > 2 } }) == [])
  }

  @Test func `contains tells whether the value occurs`() {
    #expect(differences({ $0.contains(3) }, { $0.contains(3) }) == [])
  }

  @Test func `contains(where:) tells whether a value satisfies the predicate`() {
    #expect(differences({ $0.contains { $0 > 2 } }, { $0.contains { $0 > 2 } }) == [])
  }

  @Test func `tryContains(where:) tells whether a value satisfies the predicate`() {
    #expect(differences({ $0.tryContains { $0 > 2 } }, { $0.contains { $0 > 2 } }) == [])
  }

  @Test func `allSatisfy tells whether all values satisfy the predicate`() {
    #expect(differences({ $0.allSatisfy { $0 < 4 } }, { $0.allSatisfy { $0 < 4 } }) == [])
  }

  @Test func `tryAllSatisfy tells whether all values satisfy the predicate`() {
    #expect(differences({ $0.tryAllSatisfy { $0 < 4 } }, { $0.allSatisfy { $0 < 4 } }) == [])
  }

  @Test func `a predicate is not called after it has decided`() {
    let faucet = Faucet<Int, Never>()
    var calls: [Int] = []
    let token = faucet.first {
      calls.append($0)
      return $0 == 2
    }.sink { _ in }
    for value in 1...4 { faucet.send(value) }
    #expect(calls == [1, 2])
    token.cancel()
  }

  @Test func `first of a subject of optionals may be nil`() {
    let recorder = Recorder<Int?, Never>()
    [nil, 1].publisher.first().subscribe(recorder)
    #expect(recorder.values == [nil] && recorder.isFinished)
  }

  @Test func `publishers of equal upstreams are equal`() {
    let (one, other) = (Just(1), Just(2))
    #expect(Publishers.First(upstream: one) == Publishers.First(upstream: one))
    #expect(Publishers.First(upstream: one) != Publishers.First(upstream: other))
    #expect(Publishers.Last(upstream: one) != Publishers.Last(upstream: other))
    #expect(Publishers.Contains(upstream: one, output: 1) == Publishers.Contains(upstream: one, output: 1))
    #expect(Publishers.Contains(upstream: one, output: 1) != Publishers.Contains(upstream: one, output: 2))
  }

  @Test func `closures and values handed over can be read back`() throws {
    let source = PassthroughSubject<Int, Never>()
    #expect(source.contains(4).output == 4)
    #expect(source.first { $0 > 1 }.predicate(2))
    #expect(try source.tryLast { $0 > 1 }.predicate(2))
    #expect(source.allSatisfy { $0 > 1 }.upstream === source)
  }
}
