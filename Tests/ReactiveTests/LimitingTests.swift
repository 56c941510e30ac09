import Reactive
import Testing

@Suite struct TakingTests {
  @Test func `prefix publishes what the standard library's prefix gives`() {
    for length in [0, 1, 5, 100] {
      #expect(
        differences {
          Array($0.prefix(length))
        } _: {
          $0.prefix(length)
        } == [])
    }
  }

  @Test func `output publishes the values at the positions`() {
    #expect(
      differences {
        Array($0.dropFirst(3).prefix(1))
      } _: {
        $0.output(at: 3)
      } == [])
    #expect(
      differences {
        Array($0.dropFirst(2).prefix(3))
      } _: {
        $0.output(in: 2..<5)
      } == [])
    #expect(
      differences {
        Array($0.dropFirst(2).prefix(4))
      } _: {
        $0.output(in: 2...5)
      } == [])
    #expect(
      differences {
        Array($0.dropFirst(2))
      } _: {
        $0.output(in: 2...)
      } == [])
    #expect(
      differences {
        Array($0.prefix(3))
      } _: {
        $0.output(in: ...2)
      } == [])
    #expect(
      differences { _ in
        []
      } _: {
        $0.output(in: 4..<4)
      } == [])
  }

  @Test func `prefix while publishes what the standard library's function gives`() {
    #expect(
      differences {
        Array($0.prefix { $0 < 8 })
      } _: {
        $0.prefix { $0 < 8 }
      } == [])
    #expect(
      differences {
        Array($0.prefix { $0 < 8 })
      } _: {
        $0.tryPrefix { $0 < 8 }
      } == [])
  }

  @Test func `prefix ends with its last value, having cancelled upstream`() {
    var wasSilentAtCancel = false
    let recorder = Recorder<Int, Oops>()
    let upstream = RogueUpstream<Int, Oops>(onCancel: { wasSilentAtCancel = recorder.completions.isEmpty })
    upstream.prefix(2).subscribe(recorder)
    upstream.send(1)
    #expect(recorder.completions.isEmpty)
    upstream.send(2)
    #expect(recorder.values == [1, 2] && recorder.isFinished)
    #expect(upstream.cancels == 1 && wasSilentAtCancel)
    upstream.send(3)
    upstream.send(completion: .failure(Oops()))
    #expect(recorder.values == [1, 2] && recorder.isFinished)
  }

  @Test func `a cancel inside the last delivery stops the completion`() {
    let (upstream, recorder) = attach(
      { $0.prefix(1) },
      react: { _, recorder in
        recorder.cancel()
        return .none
      })
    upstream.send(1)
    #expect(recorder.values == [1] && recorder.completions.isEmpty)
    #expect(upstream.cancels == 1)
  }

  @Test func `a cancel that upstream's cancel leads to stops the completion`() {
    let recorder = Recorder<Int, Oops>()
    let upstream = RogueUpstream<Int, Oops>(onCancel: { recorder.cancel() })
    upstream.prefix(1).subscribe(recorder)
    upstream.send(1)
    #expect(recorder.values == [1] && recorder.completions.isEmpty && upstream.cancels == 1)
  }

  @Test func `an empty prefix ends at once, with upstream cancelled and nothing requested`() {
    let (upstream, recorder) = attach { $0.prefix(0) }
    #expect(recorder.subscriptions == 1 && recorder.isFinished)
    #expect(upstream.calls == [.cancel])
    upstream.subscribeAgain()
    upstream.send(1)
    #expect(recorder.values.isEmpty && recorder.isFinished && upstream.cancels == 2)
  }

  @Test func `prefix while ends at the first value refused, having cancelled upstream`() {
    let (upstream, recorder) = attach { $0.prefix { $0 < 2 } }
    for value in [1, 2, 1] { upstream.send(value) }
    #expect(recorder.values == [1] && recorder.isFinished)
    #expect(upstream.cancels == 1)
  }

  @Test func `output makes up for values before its positions`() {
    let (upstream, recorder) = attach({ $0.output(at: 1) }, demand: .max(1))
    #expect(upstream.send(1) == .max(1) && upstream.send(2) == .none)
    #expect(recorder.values == [2])
  }

  @Test func `equal operators over equal publishers are equal`() {
    #expect(Empty<Int, Never>().prefix(2) == Empty<Int, Never>().output(in: 0..<2))
    #expect(Empty<Int, Never>().prefix(2) != Empty<Int, Never>().prefix(3))
  }

  @Test func `a negative number traps`() async {
    await #expect(processExitsWith: .failure) { _ = Empty<Int, Never>().prefix(-1) }
    await #expect(processExitsWith: .failure) { _ = Empty<Int, Never>().output(at: -1) }
    await #expect(processExitsWith: .failure) { _ = Empty<Int, Never>().output(at: .max) }
  }

  @Test func `a misbehaving upstream breaks no law`() {
    #expect(breaches("Output") { $0.prefix(5) } == [])
    #expect(breaches("PrefixWhile") { $0.prefix { _ in true } } == [])
    #expect(breaches("TryPrefixWhile") { $0.tryPrefix { _ in true } } == [])
  }

  @Test func `a cancel inside the closure stops the value and the completion`() {
    #expect(breachesOfCancelInside { upstream, act in upstream.prefix(while: { act($0) > 0 }) } == [])
    #expect(breachesOfCancelInside { upstream, act in upstream.prefix(while: { act($0) < 2 }) } == [])
  }

  @Test func `an error thrown cancels upstream, then becomes the failure`() {
    #expect(breachesOfThrowing { upstream, act in upstream.tryPrefix(while: { try act($0) > 0 }) } == [])
  }
}

@Suite struct DroppingTests {
  @Test func `dropFirst publishes what the standard library's function gives`() {
    #expect(
      differences {
        Array($0.dropFirst())
      } _: {
        $0.dropFirst()
      } == [])
    for count in [0, 3, 100] {
      #expect(
        differences {
          Array($0.dropFirst(count))
        } _: {
          $0.dropFirst(count)
        } == [])
    }
  }

  @Test func `drop while publishes what the standard library's function gives`() {
    #expect(
      differences {
        Array($0.drop { $0 < 5 })
      } _: {
        $0.drop { $0 < 5 }
      } == [])
    #expect(
      differences {
        Array($0.drop { $0 < 5 })
      } _: {
        $0.tryDrop { $0 < 5 }
      } == [])
  }

  @Test func `dropFirst requests in advance what it leaves out`() {
    let (upstream, recorder) = attach({ $0.dropFirst(2) }, demand: .max(1))
    #expect(upstream.requested.reduce(.none, +) == .max(3))
    #expect(upstream.send(1) == .none && upstream.send(2) == .none && upstream.send(3) == .none)
    #expect(recorder.values == [3])
    #expect(attach({ $0.dropFirst(0) }, demand: .none).0.calls.isEmpty)
  }

  @Test func `drop while makes up for what it leaves out`() {
    let (upstream, _) = attach { $0.drop { $0 < 2 } }
    #expect(upstream.send(1) == .max(1) && upstream.send(2) == .none)
  }

  @Test func `drop while asks no more after it has been refused`() {
    var asked: [Int] = []
    let recorder = Recorder<Int, Never>()
    [1, 2, 1].publisher.eraseToAnyPublisher().drop {
      asked.append($0)
      return $0 < 2
    }.subscribe(recorder)
    #expect(asked == [1, 2] && recorder.values == [2, 1])
  }

  @Test func `equal operators over equal publishers are equal`() {
    #expect(Empty<Int, Never>().dropFirst() == Empty<Int, Never>().dropFirst(1))
    #expect(Empty<Int, Never>().dropFirst() != Empty<Int, Never>().dropFirst(2))
  }

  @Test func `a negative number traps`() async {
    await #expect(processExitsWith: .failure) { _ = Empty<Int, Never>().dropFirst(-1) }
  }

  @Test func `a misbehaving upstream breaks no law`() {
    #expect(breaches("Drop") { $0.dropFirst(1) } == [])
    #expect(breaches("DropWhile") { $0.drop { $0 < 2 } } == [])
    #expect(breaches("TryDropWhile") { $0.tryDrop { $0 < 2 } } == [])
  }

  @Test func `a cancel inside the closure stops the value`() {
    #expect(breachesOfCancelInside { upstream, act in upstream.drop(while: { act($0) < 2 }) } == [])
  }

  @Test func `an error thrown cancels upstream, then becomes the failure`() {
    #expect(breachesOfThrowing { upstream, act in upstream.tryDrop(while: { try act($0) > 0 }) } == [])
  }
}
