import Reactive
import Testing

@Suite struct ReducingTests {
  typealias Oracle = AccumulatingOracle

  @Test func `each subscriber of reduce starts from the initial result`() {
    let sum = Oracle.Plain([1, 2].publisher).reduce(0, +)
    #expect(Oracle.outcome(of: sum).values == [3])
    #expect(Oracle.outcome(of: sum).values == [3])
  }

  @Test func `the closures handed over can be read back`() throws {
    let source = PassthroughSubject<Int, Never>()
    let (reduce, tryReduce) = (source.reduce(1, +), source.tryReduce(1, +))
    #expect(reduce.initial == 1 && reduce.nextPartialResult(1, 2) == 3)
    #expect(try tryReduce.initial == 1 && tryReduce.nextPartialResult(1, 2) == 3)
  }

  @Test func `publishers of equal upstreams are equal`() {
    let (one, other) = (Just(1), Just(2))
    #expect(Publishers.Collect(upstream: one) != Publishers.Collect(upstream: other))
    #expect(Publishers.Count(upstream: one) != Publishers.Count(upstream: other))
    #expect(Publishers.IgnoreOutput(upstream: one) != Publishers.IgnoreOutput(upstream: other))
    #expect(Publishers.IgnoreOutput(upstream: one) == Publishers.IgnoreOutput(upstream: one))
    let pairs = Publishers.CollectByCount(upstream: one, count: 2)
    #expect(pairs == Publishers.CollectByCount(upstream: one, count: 2))
    #expect(pairs != Publishers.CollectByCount(upstream: one, count: 3))
  }
}

@Suite struct IgnoreOutputTests {
  typealias Failed = AccumulatingOracle.Failed
  let faucet = Faucet<Int, Failed>()
  let recorder = Recorder<Never, Failed>(.none)

  init() {
    faucet.ignoreOutput().subscribe(recorder)
  }

  @Test func `everything is requested, and values are answered with no demand`() {
    #expect(faucet.handle.requests == [.unlimited])
    #expect(faucet.send(1) == .none)
  }

  @Test func `the finish needs no demand`() {
    faucet.send(1)
    faucet.send(completion: .finished)
    #expect(recorder.isFinished)
  }

  @Test func `the failure passes`() {
    faucet.send(completion: .failure(Failed()))
    #expect(recorder.end == .failed)
  }

  @Test func `a cancel reaches upstream once, and nothing passes afterwards`() {
    recorder.cancel()
    recorder.cancel()
    faucet.send(completion: .finished)
    #expect(faucet.handle.cancels == 1 && recorder.completions.isEmpty)
  }
}
