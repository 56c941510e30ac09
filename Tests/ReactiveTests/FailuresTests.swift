import Reactive
import Testing

@Suite struct FailureConversionTests {
  @Test func `mapError replaces the failure and nothing else`() {
    let (upstream, recorder) = attach { $0.mapError { Oops(number: $0.number + 1) } }
    upstream.send(1)
    upstream.send(completion: .failure(Oops(number: 1)))
    #expect(recorder.values == [1] && recorder.failures == [Oops(number: 2)])
    let (finishing, finished) = attach { $0.mapError { Oops(number: $0.number + 1) } }
    finishing.send(completion: .finished)
    #expect(finished.isFinished)
  }

  @Test func `a cancel inside the closure of mapError stops the failure`() {
    let upstream = RogueUpstream<Int, Oops>()
    let recorder = Recorder<Int, Oops>()
    upstream.mapError { error in
      recorder.cancel()
      return error
    }.subscribe(recorder)
    upstream.send(completion: .failure(Oops()))
    #expect(recorder.completions.isEmpty)
    #expect(upstream.cancels == 0)
  }

  @Test func `setFailureType passes values and the completion`() {
    #expect(
      differences {
        $0
      } _: {
        $0.setFailureType(to: Oops.self)
      } == [])
    let empty = Empty<Int, Never>()
    let twice = empty.setFailureType(to: Oops.self).setFailureType(to: (any Error).self)
    #expect(type(of: twice) == Publishers.SetFailureType<Empty<Int, Never>, any Error>.self)
    #expect(empty.setFailureType(to: Oops.self) == empty.setFailureType(to: Oops.self))
  }

  @Test func `a misbehaving upstream breaks no law`() {
    #expect(breaches("MapError", subscription: "Rogue") { $0.mapError { $0 as any Error } } == [])
  }
}

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
