import Foundation
import Reactive
import ReactiveTesting
import Testing

@Suite struct FlatteningTests {
  typealias Source = PassthroughSubject<Int, TestFailure>
  typealias Outer = PassthroughSubject<Source, TestFailure>
  typealias Probe = Recorder<Int, TestFailure>

  @Test func `values of all inner publishers come as they are sent`() {
    let (outer, a, b) = (Outer(), Source(), Source())
    let probe = Probe()
    outer.flatMap { $0 }.subscribe(probe)
    outer.send(a)
    outer.send(b)
    a.send(1)
    b.send(2)
    a.send(3)
    outer.send(completion: .finished)
    a.send(completion: .finished)
    b.send(4)
    #expect(probe.values == [1, 2, 3, 4] && probe.completions == [])
    b.send(completion: .finished)
    #expect(probe.isFinished)
  }

  @Test func `an inner failure cancels the outer publisher and the other inner ones`() {
    let (outer, a, b) = (Outer(), Source(), Source())
    var cancelled: [String] = []
    let probe = Probe()
    CountingCancels(outer) { cancelled.append("outer") }.flatMap { source in
      CountingCancels(source) { cancelled.append(source === a ? "a" : "b") }
    }.subscribe(probe)
    outer.send(a)
    outer.send(b)
    a.send(completion: .failure(TestFailure()))
    b.send(1)
    #expect(probe.values == [] && probe.completions == [.failure(TestFailure())])
    #expect(cancelled.sorted() == ["b", "outer"])
  }

  @Test func `an outer failure cancels the inner ones`() {
    let (outer, a) = (Outer(), Source())
    var cancels = 0
    let probe = Probe()
    outer.flatMap { CountingCancels($0) { cancels += 1 } }.subscribe(probe)
    outer.send(a)
    outer.send(completion: .failure(TestFailure()))
    #expect(probe.completions == [.failure(TestFailure())] && cancels == 1)
  }

  @Test func `at most so many run at a time, and surplus values of a subject are lost`() {
    let (outer, a, b) = (Outer(), Source(), Source())
    let probe = Probe()
    outer.flatMap(maxPublishers: .max(2)) { $0 }.subscribe(probe)
    outer.send(a)
    outer.send(b)
    let c = Source()
    outer.send(c)
    c.send(1)
    #expect(probe.values == [])
    a.send(completion: .finished)
    outer.send(c)
    c.send(2)
    #expect(probe.values == [2])
  }

  @Test func `with a buffer in front the surplus waits`() {
    let (outer, a, b, c) = (Outer(), Source(), Source(), CurrentValueSubject<Int, TestFailure>(3))
    let probe = Probe()
    outer.map { $0.eraseToAnyPublisher() }.merge(with: Empty(completeImmediately: false))
      .buffer(size: 10, prefetch: .byRequest, whenFull: .dropOldest)
      .flatMap(maxPublishers: .max(2)) { $0 }.subscribe(probe)
    outer.send(a)
    outer.send(b)
    let late = Source()
    outer.send(late)
    late.send(9)
    #expect(probe.values == [])
    b.send(completion: .finished)
    late.send(10)
    #expect(probe.values == [10])
    withExtendedLifetime(c) {}
  }

  @Test func `demand is kept, and every inner value arrives`() {
    let probe = Recorder<Int, Never>(.max(1)) { _, _ in .max(1) }
    (0..<100).publisher.flatMap { base in (0..<3).publisher.map { base * 10 + $0 } }.subscribe(probe)
    #expect(probe.values.sorted() == (0..<100).flatMap { base in (0..<3).map { base * 10 + $0 } } && probe.isFinished)
    let limited = Recorder<Int, Never>(.max(4))
    (0..<3).publisher.flatMap { base in (0..<3).publisher.map { base * 10 + $0 } }.subscribe(limited)
    #expect(limited.values.count == 4)
    limited.request(.unlimited)
    #expect(limited.values.count == 9 && limited.isFinished)
  }

  @Test func `one at a time keeps the order and needs no stack`() {
    let values = onThread(stackSize: 512 * 1024) {
      let probe = Recorder<Int, Never>()
      (0..<100_000).publisher.flatMap(maxPublishers: .max(1)) { Just($0) }.subscribe(probe)
      return probe.values
    }
    #expect(values == Array(0..<100_000))
  }

  @Test func `queued synchronous inner publishers need no stack`() {
    let count = onThread(stackSize: 512 * 1024) {
      let outer = PassthroughSubject<Int, Never>()
      let slow = PassthroughSubject<Int, Never>()
      let probe = Recorder<Int, Never>()
      outer.buffer(size: 50_000, prefetch: .byRequest, whenFull: .dropNewest)
        .flatMap(maxPublishers: .max(1)) { $0 == 0 ? slow.eraseToAnyPublisher() : Just($0).eraseToAnyPublisher() }
        .subscribe(probe)
      for value in 0..<50_000 { outer.send(value) }
      outer.send(completion: .finished)
      slow.send(completion: .finished)
      return (probe.values.count, probe.isFinished)
    }
    #expect(count == (49_999, true))
  }

  @Test func `single values wait for demand like any others`() {
    let outer = PassthroughSubject<Int, Never>()
    let probe = Recorder<Int, Never>(.max(1))
    outer.flatMap { Just($0) }.subscribe(probe)
    for value in 1...3 { outer.send(value) }
    #expect(probe.values == [1])
    probe.request(.max(1))
    #expect(probe.values == [1, 2])
    probe.request(.unlimited)
    outer.send(4)
    outer.send(completion: .finished)
    #expect(probe.values == [1, 2, 3, 4] && probe.isFinished)
  }

  @Test func `single values one at a time: each asks for the next`() {
    let upstream = ManualPublisher<Int, Never>()
    let probe = Recorder<Int, Never>()
    upstream.flatMap(maxPublishers: .max(1)) { Just($0) }.subscribe(probe)
    for value in 1...3 { upstream.send(value) }
    #expect(probe.values == [1, 2, 3] && upstream.requests == [.max(1), .max(1), .max(1), .max(1)])
  }

  @Test func `a single value sent inside a delivery comes after it`() {
    let outer = PassthroughSubject<Int, Never>()
    var depth = 0
    let probe = Recorder<Int, Never> { value, _ in
      depth += 1
      if value == 1 { outer.send(2) }
      if value == 1 { outer.send(completion: .finished) }
      depth -= 1
      return depth == 0 ? .none : .max(1)
    }
    outer.flatMap { Just($0) }.subscribe(probe)
    outer.send(1)
    #expect(probe.values == [1, 2] && probe.isFinished)
  }

  @Test func `a cancel inside a delivery stops everything`() {
    let probe = Recorder<Int, Never> { value, probe in
      if value == 3 { probe.cancel() }
      return .none
    }
    (0..<20).publisher.flatMap { Just($0) }.subscribe(probe)
    #expect(probe.values == [0, 1, 2, 3] && probe.completions.isEmpty)
  }

  @Test func `the forms for differing failures`() {
    let mayFail = Recorder<Int, TestFailure>()
    Just(1).flatMap { _ in Fail<Int, TestFailure>(error: TestFailure()) }.subscribe(mayFail)
    #expect(mayFail.completions == [.failure(TestFailure())])
    let outerMayFail = Recorder<Int, TestFailure>()
    Fail<Int, TestFailure>(error: TestFailure()).flatMap { Just($0) }.subscribe(outerMayFail)
    #expect(outerMayFail.completions == [.failure(TestFailure())])
  }

  @Test func `a cancel releases the subscriber and the inner publishers`() {
    let outer = Outer()
    weak var released: Probe?
    weak var inner: Source?
    var subscription: (any Subscription)?
    do {
      let (probe, source) = (Probe(), Source())
      (released, inner) = (probe, source)
      outer.flatMap { $0 }.subscribe(probe)
      outer.send(source)
      subscription = probe.subscription
    }
    #expect(inner != nil)
    subscription?.cancel()
    #expect(released == nil && inner == nil)
  }
}

@Suite struct SwitchingTests {
  typealias Source = PassthroughSubject<Int, TestFailure>
  typealias Outer = PassthroughSubject<Source, TestFailure>
  typealias Probe = Recorder<Int, TestFailure>

  @Test func `only the latest inner publisher is heard, and the one before is cancelled`() {
    let (outer, a, b) = (Outer(), Source(), Source())
    var cancels = 0
    let probe = Probe()
    outer.map { source in CountingCancels(source) { cancels += 1 } }.switchToLatest().subscribe(probe)
    outer.send(a)
    a.send(1)
    outer.send(b)
    a.send(2)
    b.send(3)
    #expect(probe.values == [1, 3] && cancels == 1)
    outer.send(completion: .finished)
    #expect(probe.completions == [])
    b.send(completion: .finished)
    #expect(probe.isFinished && cancels == 1)
  }

  @Test func `single values wait for demand, and the newest one counts`() {
    let outer = PassthroughSubject<Int, Never>()
    let probe = Recorder<Int, Never>(.max(1))
    outer.map { Just($0) }.switchToLatest().subscribe(probe)
    for value in 1...3 { outer.send(value) }
    #expect(probe.values == [1])
    probe.request(.max(1))
    #expect(probe.values == [1, 3])
    probe.request(.max(1))
    outer.send(4)
    outer.send(completion: .finished)
    #expect(probe.values == [1, 3, 4] && probe.isFinished)
  }

  @Test func `finishes with the outer one when no inner one is left`() {
    let (outer, a) = (Outer(), Source())
    let probe = Probe()
    outer.switchToLatest().subscribe(probe)
    outer.send(a)
    a.send(completion: .finished)
    #expect(probe.completions == [])
    outer.send(completion: .finished)
    #expect(probe.isFinished)
  }

  @Test func `unmet demand goes over to the next one`() {
    let (outer, a, b) = (Outer(), Source(), Source())
    let probe = Probe(.max(3))
    outer.switchToLatest().subscribe(probe)
    outer.send(a)
    a.send(1)
    outer.send(b)
    for value in 2...5 { b.send(value) }
    #expect(probe.values == [1, 2, 3])
  }

  @Test func `failures of either end it`() {
    let (outer, a) = (Outer(), Source())
    var cancels = 0
    let probe = Probe()
    CountingCancels(outer) { cancels += 1 }.switchToLatest().subscribe(probe)
    outer.send(a)
    a.send(completion: .failure(TestFailure()))
    #expect(probe.completions == [.failure(TestFailure())] && cancels == 1)
  }

  @Test func `subscribing again from inside the first delivery does not block`() {
    let chain = CurrentValueSubject<CurrentValueSubject<Int, Never>, Never>(CurrentValueSubject(42))
      .map { $0 }.switchToLatest()
    var log: [Int] = []
    var tokens: [AnyCancellable] = []
    chain.sink { value in
      if tokens.isEmpty { chain.sink { log.append($0) }.store(in: &tokens) }
      log.append(value)
    }.store(in: &tokens)
    #expect(log == [42, 42])
  }

  @Test func `cancelled by prefix while delivering`() {
    let probe = Recorder<Int, Never>()
    Just(1).map { _ in Just(10) }.switchToLatest().prefix(1).subscribe(probe)
    #expect(probe.values == [10] && probe.isFinished)
  }

  @Test func `a switch leaves no finished inner publisher behind`() {
    final class Token {}
    let outer = PassthroughSubject<Int, Never>()
    var tokens: [() -> Token?] = []
    let cancellable = outer.map { _ -> Publishers.ReplaceError<Publishers.SetFailureType<Just<Token>, TestFailure>> in
      let token = Token()
      tokens.append { [weak token] in token }
      return Just(token).setFailureType(to: TestFailure.self).replaceError(with: token)
    }.switchToLatest().sink { _ in }
    for value in 0..<100 { outer.send(value) }
    #expect(tokens.count { $0() != nil } <= 1)
    cancellable.cancel()
    #expect(tokens.count { $0() != nil } == 0)
  }

  @Test func `the forms for differing failures`() {
    let inner = Recorder<Int, TestFailure>()
    Just(Fail<Int, TestFailure>(error: TestFailure())).switchToLatest().subscribe(inner)
    #expect(inner.completions == [.failure(TestFailure())])
    let outer = Recorder<Int, TestFailure>()
    Just(Just(1)).setFailureType(to: TestFailure.self).switchToLatest().subscribe(outer)
    #expect(outer.values == [1] && outer.isFinished)
  }
}

@Suite struct FlatteningRaceTests {
  @Test func `an inner failure against an inner completion: always the failure, once`() async throws {
    struct Scene {
      let a = PassthroughSubject<Int, TestFailure>()
      let b = PassthroughSubject<Int, TestFailure>()
      let probe = Recorder<[Int], TestFailure>()

      static func real() -> Scene {
        let scene = Scene()
        [scene.a, scene.b].publisher.setFailureType(to: TestFailure.self).flatMap { $0 }.map { [$0] }
          .subscribe(scene.probe)
        return scene
      }

      static func careless() -> Scene {
        let scene = Scene()
        CarelessCombination(combination: .merge, a: scene.a, b: scene.b).subscribe(scene.probe)
        return scene
      }
    }
    try await Race(
      .o4_02, make: Scene.real, first: { $0.a.send(completion: .finished) },
      second: { $0.b.send(completion: .failure(TestFailure())) },
      isRight: { $0.probe.completions == [.failure(TestFailure())] }
    ).verify(twin: Scene.careless)
  }

  @Test func `a superseded inner publisher is not heard after its successor`() async throws {
    try await Race(
      .c12, make: { SwitchScene(isCareless: false) },
      first: { scene in
        for value in stride(from: 1, to: 20, by: 2) { scene.inner.send(value) }
        scene.outer.send(completion: .finished)
      },
      second: { scene in
        scene.outer.send(scene.other)
        for value in stride(from: 0, to: 20, by: 2) { scene.other.send(value) }
        scene.other.send(completion: .finished)
      },
      isRight: { scene in
        let firstEven = scene.probe.values.firstIndex { $0 % 2 == 0 } ?? scene.probe.values.endIndex
        // The end of the outer publisher may come before the switch; then there is nothing to switch to.
        return scene.probe.values[firstEven...].allSatisfy { $0 % 2 == 0 } && scene.probe.completions.count <= 1
      }
    ).verify(twin: { SwitchScene(isCareless: true) })
  }

  @Test func `demand from another thread: every value once, in order`() async throws {
    func probing(_ source: some Publisher<Int, Never>) -> Recorder<Int, Never> {
      let probe = Recorder<Int, Never>(.none)
      source.subscribe(probe)
      return probe
    }
    try await Race(
      .c06, make: { probing((0..<10).publisher.flatMap(maxPublishers: .max(1)) { Just($0) }) },
      first: { probe in for _ in 0..<5 { probe.request(.max(1)) } },
      second: { probe in for _ in 0..<5 { probe.request(.max(1)) } },
      isRight: { $0.values == Array(0..<10) && $0.isFinished }
    ).verify(twin: { probing(CarelessSequence(count: 10)) })
  }
}

/// A publisher of publishers that has sent one, and a second one to be sent.
struct SwitchScene: Cancellable {
  let outer = PassthroughSubject<PassthroughSubject<Int, Never>, Never>()
  let inner = PassthroughSubject<Int, Never>()
  let other = PassthroughSubject<Int, Never>()
  let probe = Recorder<Int, Never>()

  init(isCareless: Bool) {
    if isCareless { CarelessSwitch(outer: outer).subscribe(probe) } else { outer.switchToLatest().subscribe(probe) }
    outer.send(inner)
  }

  func cancel() { probe.cancel() }
}
