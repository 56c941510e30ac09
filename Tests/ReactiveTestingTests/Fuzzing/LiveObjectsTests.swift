import Reactive
import ReactiveTesting
import Testing

@Suite struct LiveObjectsTests {
  private let live = LiveObjects()

  @Test func `a token is alive until it is released`() {
    var token: LiveToken? = live.token("one")
    #expect(live.count == 1)
    #expect(token?.label == "one")
    token = nil
    #expect(live.count == 0)
  }

  @Test func `a report names what is alive`() {
    let tokens = [live.token("b"), live.token("a"), live.token("b")]
    #expect("\(live)" == "3 alive: 1 a, 2 b")
    #expect(live.counts == ["a": 1, "b": 2])
    withExtendedLifetime(tokens) {}
  }

  @Test func `a report says so when nothing is alive`() {
    _ = live.token("one")
    #expect("\(live)" == "nothing is alive")
    #expect(live.counts == [:])
  }

  @Test func `copies of a value count once, and what was made of it with them`() {
    var values = [live.value(3, "number")]
    values.append(values[0])
    values.append(values[0].map { $0 + 1 })
    #expect(live.count == 1)
    values.removeFirst(2)
    #expect(live.count == 1)
    #expect(values.map(\.value) == [4])
    values = []
    #expect(live.count == 0)
  }

  @Test func `values compare without their tokens`() {
    #expect(live.value(3) == LiveObjects().value(3))
    #expect(live.value(3) < live.value(4))
    #expect(Set([live.value(3), live.value(3)]).count == 1)
    #expect("\(live.value(3))" == "3")
  }

  @Test func `a closure is alive as long as somebody holds it`() {
    var closure: ((Int) -> Int)? = live.track("closure") { $0 + 1 }
    #expect(closure?(1) == 2)
    #expect(live.counts == ["closure": 1])
    closure = nil
    #expect(live.count == 0)
  }

  @Test func `a closure may throw, and take two parameters`() {
    let closure = live.tryTrack("closure") { (a: Int, b: Int) in
      guard a < b else { throw TestFailure("\(a)") }
      return b - a
    }
    #expect(throws: TestFailure("3")) { try closure(3, 2) }
    #expect((try? closure(2, 3)) == 1)
  }

  @Test func `a cancelled chain is seen to let go, and one that is not to hold on`() {
    let source = PassthroughSubject<Int, Never>()
    let subscription = source.map(live.track("map") { $0 + 1 }).sink(receiveValue: live.track("sink") { _ in })
    #expect("\(live)" == "2 alive: 1 map, 1 sink")
    subscription.cancel()
    #expect(live.count == 0, "\(live)")
  }
}
