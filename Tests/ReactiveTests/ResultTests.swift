import Reactive
import Testing

@Suite struct ResultTests {
  typealias Failed = AccumulatingOracle.Failed
  typealias Outcome = Result<Int, Failed>

  @Test func `the value comes at the first request, and the completion with it`() {
    let recorder = Recorder<Int, Failed>(.none)
    Outcome.success(1).publisher.subscribe(recorder)
    recorder.request(.none)
    #expect(recorder.values == [] && recorder.completions.isEmpty)
    recorder.request(.max(1))
    #expect(recorder.values == [1] && recorder.isFinished)
  }

  @Test func `the failure needs no demand`() {
    let recorder = Recorder<Int, Failed>(.none)
    Outcome.failure(Failed()).publisher.subscribe(recorder)
    #expect(recorder.values == [] && recorder.end == .failed)
  }

  @Test func `nothing comes after a cancel`() {
    let recorder = Recorder<Int, Failed>(.none)
    Outcome.success(1).publisher.subscribe(recorder)
    recorder.cancel()
    recorder.request(.unlimited)
    #expect(recorder.values == [] && recorder.completions.isEmpty)
  }

  @Test func `the subscription is described as Once`() {
    let recorder = Recorder<Int, Failed>(.none)
    Outcome.success(1).publisher.subscribe(recorder)
    #expect(recorder.subscription.map { String(describing: $0) } == "Once")
  }

  @Test func `a value, an error and a result make the same publishers`() {
    #expect(Outcome.Publisher(1) == Outcome.success(1).publisher)
    #expect(Outcome.Publisher(Failed()) == Outcome.failure(Failed()).publisher)
    #expect(Outcome.Publisher(1) != Outcome.Publisher(2))
    #expect(Outcome.Publisher(.success(1)).result == .success(1))
  }
}
