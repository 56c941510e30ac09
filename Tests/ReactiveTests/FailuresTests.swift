import Reactive
import Testing

@Suite struct AssertNoFailureTests {
  @Test func `values and the completion pass`() {
    #expect(
      differences {
        $0
      } _: {
        $0.assertNoFailure()
      } == [])
  }

  @Test func `a failure traps, with the prefix, the error and the place`() async throws {
    let result = try await #require(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) {
      Fail<Int, Oops>(error: Oops(number: 6)).assertNoFailure("here", file: "place.swift", line: 1234)
        .sink { _ in }.cancel()
    }
    let message = String(decoding: result.standardErrorContent, as: UTF8.self)
    #expect(message.contains("place.swift:1234"))
    #expect(message.contains("here: Oops(number: 6)"))
  }

  @Test func `the subscription is upstream's, and a cancel passes`() {
    let upstream = RogueUpstream<Int, Oops>()
    let recorder = Recorder<Int, Never>(.max(2))
    upstream.assertNoFailure().subscribe(recorder)
    upstream.send(1)
    #expect(recorder.subscription.map { "\($0)" } == "Rogue")
    #expect(upstream.subscriberDescription == "AssertNoFailure")
    recorder.cancel()
    upstream.send(2)
    #expect(recorder.values == [1] && upstream.calls == [.request(.max(2)), .cancel])
  }
}
