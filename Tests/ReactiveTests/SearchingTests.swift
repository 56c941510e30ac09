import Reactive
import Testing

@Suite struct SearchingTests {
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

  @Test func `publishers of equal upstreams and outputs are equal`() {
    let (one, other) = (Just(1), Just(2))
    #expect(Publishers.First(upstream: one) == Publishers.First(upstream: one))
    #expect(Publishers.First(upstream: one) != Publishers.First(upstream: other))
    #expect(Publishers.Last(upstream: one) != Publishers.Last(upstream: other))
    #expect(Publishers.Contains(upstream: one, output: 1) == Publishers.Contains(upstream: one, output: 1))
    #expect(Publishers.Contains(upstream: one, output: 1) != Publishers.Contains(upstream: one, output: 2))
  }

  @Test func `what was handed over can be read back`() throws {
    let source = PassthroughSubject<Int, Never>()
    #expect(source.first { $0 > 1 }.predicate(2))
    #expect(try source.tryLast { $0 > 1 }.predicate(2))
    #expect(source.contains(4).output == 4)
    #expect(source.allSatisfy { $0 > 1 }.upstream === source)
  }
}
