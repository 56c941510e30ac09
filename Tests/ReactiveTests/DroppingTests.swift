import Reactive
import Testing

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
