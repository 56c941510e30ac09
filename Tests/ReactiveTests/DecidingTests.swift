import Reactive
import Testing

@Suite struct DecidingTests {
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
