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

@Suite(.serialized) struct FlatteningRaceTests {
  @Test func `an inner failure against an inner completion: always the failure, once`() {
    final class State {
      let (a, b) = (PassthroughSubject<Int, TestFailure>(), PassthroughSubject<Int, TestFailure>())
      let probe = Recorder<Int, TestFailure>()

      init() {
        [a, b].publisher.setFailureType(to: TestFailure.self).flatMap { $0 }.subscribe(probe)
      }
    }
    let race = Race(
      make: { State() },
      first: { (state: State) in state.a.send(completion: .finished) },
      second: { state in state.b.send(completion: .failure(TestFailure())) })
    #expect(race.faults { $0.probe.completions == [.failure(TestFailure())] } == 0)
  }

  @Test func `a superseded inner publisher is not heard after its successor`() {
    final class State {
      let outer = PassthroughSubject<PassthroughSubject<Int, Never>, Never>()
      let (odd, even) = (PassthroughSubject<Int, Never>(), PassthroughSubject<Int, Never>())
      let probe = Recorder<Int, Never>()

      init() {
        outer.switchToLatest().subscribe(probe)
        outer.send(odd)
      }
    }
    let race = Race(
      make: { State() },
      first: { (state: State) in
        for value in stride(from: 1, to: 20, by: 2) { state.odd.send(value) }
        state.outer.send(completion: .finished)
      },
      second: { state in
        state.outer.send(state.even)
        for value in stride(from: 0, to: 20, by: 2) { state.even.send(value) }
        state.even.send(completion: .finished)
      })
    let faults = race.faults { state in
      let firstEven = state.probe.values.firstIndex { $0 % 2 == 0 } ?? state.probe.values.endIndex
      // The end of the outer publisher may come before the switch; then there is nothing to switch to.
      return state.probe.values[firstEven...].allSatisfy { $0 % 2 == 0 } && state.probe.completions.count <= 1
    }
    #expect(faults == 0)
  }

  @Test func `demand from another thread: every value once, in order`() {
    let race = Race(
      make: {
        let probe = Recorder<Int, Never>(.none)
        (0..<10).publisher.flatMap(maxPublishers: .max(1)) { Just($0) }.subscribe(probe)
        return probe
      },
      first: { (probe: Recorder<Int, Never>) in for _ in 0..<5 { probe.request(.max(1)) } },
      second: { probe in for _ in 0..<5 { probe.request(.max(1)) } })
    #expect(race.faults { $0.values == Array(0..<10) && $0.isFinished } == 0)
  }
}
