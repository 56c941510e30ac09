import Reactive
import Testing

@Suite struct MappingTests {
  @Test func `map and tryMap publish what the standard library's map gives`() {
    #expect(
      differences {
        $0.map { $0 * 2 }
      } _: {
        $0.map { $0 * 2 }
      } == [])
    #expect(
      differences {
        $0.map { $0 * 2 }
      } _: {
        $0.tryMap { $0 * 2 }
      } == [])
  }

  @Test func `fused maps publish what one after the other gives`() {
    #expect(
      differences {
        $0.map { "\($0 + 1)" }
      } _: {
        $0.map { $0 + 1 }.map { "\($0)" }
      } == [])
    #expect(
      differences {
        $0.map { "\($0 + 1)" }
      } _: {
        $0.map { $0 + 1 }.tryMap { "\($0)" }
      } == [])
    #expect(
      differences {
        $0.map { "\($0 + 1)" }
      } _: {
        $0.tryMap { $0 + 1 }.map { "\($0)" }
      } == [])
    #expect(
      differences {
        $0.map { "\($0 + 1)" }
      } _: {
        $0.tryMap { $0 + 1 }.tryMap { "\($0)" }
      } == [])
  }

  @Test func `fused maps are one operator`() {
    let just = RogueUpstream<Int, Oops>()
    #expect(type(of: just.map { $0 }.map { $0 }) == Publishers.Map<RogueUpstream<Int, Oops>, Int>.self)
    #expect(type(of: just.map { $0 }.tryMap { $0 }) == Publishers.TryMap<RogueUpstream<Int, Oops>, Int>.self)
    #expect(type(of: just.tryMap { $0 }.map { $0 }) == Publishers.TryMap<RogueUpstream<Int, Oops>, Int>.self)
    #expect(type(of: just.tryMap { $0 }.tryMap { $0 }) == Publishers.TryMap<RogueUpstream<Int, Oops>, Int>.self)
  }

  @Test func `key paths publish one, two and three properties`() {
    #expect(
      differences {
        $0.map(\.description)
      } _: {
        $0.map(\.description)
      } == [])
    let two = Recorder<(String, Int), Never>()
    [-5, 7].publisher.map(\.description, \.magnitude.bitWidth).subscribe(two)
    #expect(two.values.map(\.0) == ["-5", "7"] && two.values.map(\.1) == [Int.bitWidth, Int.bitWidth])
    let three = Recorder<(String, UInt, Int), Never>()
    [-5, 7].publisher.map(\.description, \.magnitude, \.self).subscribe(three)
    #expect(three.values.map(\.0) == ["-5", "7"])
    #expect(three.values.map(\.1) == [5, 7] && three.values.map(\.2) == [-5, 7])
  }

  @Test func `replaceNil publishes the substitute for nil only`() {
    #expect(
      differences {
        $0.map { $0 < 0 ? 100 : $0 }
      } _: {
        $0.map { $0 < 0 ? nil : $0 }.replaceNil(with: 100)
      } == [])
  }

  @Test func `scan starts anew for each subscriber`() {
    let subject = PassthroughSubject<Int, Never>()
    let sums = subject.scan(0, +)
    let (first, second) = (Recorder<Int, Never>(), Recorder<Int, Never>())
    sums.subscribe(first)
    subject.send(1)
    sums.subscribe(second)
    subject.send(2)
    #expect(first.values == [1, 3] && second.values == [2])
  }

  @Test func `a misbehaving upstream breaks no law`() {
    #expect(breaches("Map", subscription: "Rogue") { $0.map { $0 } } == [])
    #expect(breaches("TryMap") { $0.tryMap { $0 } } == [])
    #expect(breaches("ValueForKey", subscription: "Rogue") { $0.map(\.description) } == [])
    #expect(breaches("ValueForKeys", subscription: "Rogue") { $0.map(\.description, \.magnitude) } == [])
    #expect(breaches("ValueForKeys", subscription: "Rogue") { $0.map(\.description, \.magnitude, \.self) } == [])
    #expect(breaches("Scan", subscription: "Rogue") { $0.scan(0, +) } == [])
    #expect(breaches("TryScan") { $0.tryScan(0, +) } == [])
  }

  @Test func `a cancel inside the closure stops the value`() {
    #expect(breachesOfCancelInside { upstream, act in upstream.map(act) } == [])
    #expect(breachesOfCancelInside { upstream, act in upstream.scan(0) { act($1) } } == [])
  }

  @Test func `an error thrown cancels upstream, then becomes the failure`() {
    #expect(breachesOfThrowing { upstream, act in upstream.tryMap(act) } == [])
    #expect(breachesOfThrowing { upstream, act in upstream.tryScan(0) { try act($1) } } == [])
    #expect(breachesOfThrowing { upstream, act in upstream.tryMap(act).map { -$0 } } == [])
  }
}
