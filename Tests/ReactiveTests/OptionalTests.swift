import Reactive
import Testing

@Suite struct OptionalTests {
  @Test func `the value comes at the first request, and the completion with it`() {
    let recorder = Recorder<Int, Never>(.none)
    Optional(1).publisher.subscribe(recorder)
    recorder.request(.none)
    #expect(recorder.values == [] && recorder.completions.isEmpty)
    recorder.request(.max(1))
    #expect(recorder.values == [1] && recorder.isFinished)
  }

  @Test func `without a value the completion needs no demand`() {
    let recorder = Recorder<Int, Never>(.none)
    Int?.none.publisher.subscribe(recorder)
    #expect(recorder.values == [] && recorder.isFinished)
  }

  @Test func `a value that is nil itself is delivered`() {
    let recorder = Recorder<Int?, Never>()
    Int??.some(nil).publisher.subscribe(recorder)
    #expect(recorder.values == [nil] && recorder.isFinished)
  }

  @Test func `nothing comes after a cancel`() {
    let recorder = Recorder<Int, Never>(.none)
    Optional(1).publisher.subscribe(recorder)
    recorder.cancel()
    recorder.request(.unlimited)
    #expect(recorder.values == [] && recorder.completions.isEmpty)
  }

  @Test func `a cancel at the value suppresses the completion`() {
    let recorder = Recorder<Int, Never> { _, recorder in
      recorder.cancel()
      return .none
    }
    Optional(1).publisher.subscribe(recorder)
    #expect(recorder.values == [1] && recorder.completions.isEmpty)
  }

  @Test func `the subscription is described as Optional`() {
    let recorder = Recorder<Int, Never>(.none)
    Optional(1).publisher.subscribe(recorder)
    #expect(recorder.subscription.map { String(describing: $0) } == "Optional")
  }

  @Test func `publishers of equal values are equal`() {
    #expect(Optional(1).publisher == Optional<Int>.Publisher(1))
    #expect(Optional(1).publisher != Optional<Int>.Publisher(nil))
  }
}
