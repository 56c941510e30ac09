import Reactive
import ReactiveTesting
import Testing

@Suite struct OriginTests {
  @Test func `Just delivers at the first request, then finishes`() {
    let probe = Recorder<Int, Never>(.none)
    Just(1).subscribe(probe)
    probe.request(.none)
    #expect(probe.values == [] && probe.completions.isEmpty)
    #expect(probe.subscription.map { String(describing: $0) } == "Just")
    probe.request(.max(1))
    probe.request(.max(1))
    #expect(probe.values == [1] && probe.isFinished)
  }

  @Test func `a cancel before the request, or inside the value, ends it silently`() {
    let before = Recorder<Int, Never>(.none)
    Just(1).subscribe(before)
    before.cancel()
    before.request(.unlimited)
    #expect(before.values == [] && before.completions.isEmpty)
    let inside = Recorder<Int, Never> { _, probe in
      probe.cancel()
      return .none
    }
    Just(1).subscribe(inside)
    #expect(inside.values == [1] && inside.completions.isEmpty)
    let last = Recorder<Int, Never> { value, probe in
      if value == 3 { probe.cancel() }
      return .none
    }
    [1, 2, 3].publisher.subscribe(last)
    #expect(last.values == [1, 2, 3] && last.completions.isEmpty)
  }

  @Test func `Empty and Fail end without demand, unless cancelled at once`() {
    let empty = Recorder<Int, TestFailure>(.none)
    Empty<Int, TestFailure>().subscribe(empty)
    #expect(empty.subscriptions == 1 && empty.isFinished)
    let never = Recorder<Int, TestFailure>()
    Empty<Int, TestFailure>(completeImmediately: false).subscribe(never)
    #expect(never.subscriptions == 1 && never.completions == [])
    let failed = Recorder<Int, TestFailure>(.none)
    Fail<Int, TestFailure>(error: TestFailure()).subscribe(failed)
    #expect(failed.completions == [.failure(TestFailure())])
    var ends = 0
    let refusing = AnySubscriber<Int, TestFailure>(
      receiveSubscription: { $0.cancel() }, receiveCompletion: { _ in ends += 1 })
    Empty<Int, TestFailure>().subscribe(refusing)
    Fail<Int, TestFailure>(error: TestFailure()).subscribe(refusing)
    Publishers.Sequence<[Int], TestFailure>(sequence: []).subscribe(refusing)
    #expect(ends == 0)
  }

  @Test func `Deferred makes a publisher for each subscriber`() {
    var made = 0
    let deferred = Deferred { () -> Just<Int> in
      made += 1
      return Just(made)
    }
    let (a, b) = (Recorder<Int, Never>(), Recorder<Int, Never>())
    deferred.subscribe(a)
    deferred.subscribe(b)
    #expect(a.values == [1] && b.values == [2])
  }

  @Test func `a sequence delivers as many as are requested, however the demand is split`() {
    var random = SeededGenerator(seed: 3)
    for count in 0..<40 {
      let probe = Recorder<Int, Never>(.none) { _, _ in .max(Int.random(in: 0...1, using: &random)) }
      (0..<count).publisher.subscribe(probe)
      while probe.completions.isEmpty { probe.request(.max(Int.random(in: 0...3, using: &random))) }
      #expect(probe.values == Array(0..<count) && probe.isFinished)
    }
  }

  @Test func `the completion follows the last element without further demand`() {
    let probe = Recorder<Int, Never>(.max(2))
    [1, 2].publisher.subscribe(probe)
    #expect(probe.values == [1, 2] && probe.isFinished)
  }

  @Test func `an iterator is asked once for each element and once for the end`() {
    final class Counting: Sequence, IteratorProtocol {
      var calls = 0
      func next() -> Int? {
        calls += 1
        return calls <= 6 ? calls : nil
      }
    }
    let sequence = Counting()
    let probe = Recorder<Int, Never>()
    sequence.publisher.subscribe(probe)
    #expect(probe.values == Array(1...6) && sequence.calls == 7)
  }

  @Test func `requests inside a delivery add demand and do not repeat elements`() {
    let probe = Recorder<Int, Never> { _, probe in
      probe.request(.max(1))
      return .none
    }
    (1...5).publisher.subscribe(probe)
    #expect(probe.values == [1, 2, 3, 4, 5] && probe.isFinished)
  }

  @Test func `an endless sequence goes no further than the demand`() {
    let probe = Recorder<Int, Never>(.max(3))
    (0...).publisher.subscribe(probe)
    #expect(probe.values == [0, 1, 2])
    probe.cancel()
  }

  @Test func `a sequence describes itself while it is active`() {
    let probe = Recorder<Int, Never>(.max(1))
    [1, 2].publisher.subscribe(probe)
    #expect(probe.subscription.map { String(describing: $0) } == "[1, 2]")
    probe.cancel()
    #expect(probe.subscription.map { String(describing: $0) } == "Sequence")
  }

  @Test func `a cancel lets go of subscriber and elements though the subscription is kept`() {
    final class Element {}
    weak var element: Element?
    weak var probe: Recorder<Element, Never>?
    var subscription: (any Subscription)?
    do {
      let elements = [Element(), Element()]
      element = elements[1]
      let recorder = Recorder<Element, Never>(.max(1))
      probe = recorder
      elements.publisher.subscribe(recorder)
      subscription = recorder.subscription
    }
    #expect(element != nil && probe != nil)
    subscription?.cancel()
    #expect(element == nil && probe == nil)
  }
}

@Suite struct FutureTests {
  typealias Promise = Future<Int, TestFailure>.Promise

  @Test func `runs at once, once, and keeps its result`() {
    var runs = 0
    let future = Future<Int, TestFailure> { promise in
      runs += 1
      promise(.success(runs))
      promise(.success(99))
    }
    let (a, b) = (Recorder<Int, TestFailure>(), Recorder<Int, TestFailure>(.none))
    #expect(runs == 1)
    future.subscribe(a)
    future.subscribe(b)
    #expect(a.values == [1] && a.isFinished && b.values == [] && b.completions == [])
    b.request(.max(1))
    #expect(b.values == [1] && b.isFinished)
  }

  @Test func `who waits gets the value when there is demand, a failure without`() {
    var promise: Promise?
    let future = Future<Int, TestFailure> { promise = $0 }
    let (waiting, asking) = (Recorder<Int, TestFailure>(.none), Recorder<Int, TestFailure>())
    future.subscribe(waiting)
    future.subscribe(asking)
    promise?(.success(7))
    #expect(asking.values == [7] && asking.isFinished && waiting.values == [])
    waiting.request(.unlimited)
    #expect(waiting.values == [7] && waiting.isFinished)
    var fail: Promise?
    let failing = Future<Int, TestFailure> { fail = $0 }
    let probe = Recorder<Int, TestFailure>(.none)
    failing.subscribe(probe)
    fail?(.failure(TestFailure()))
    #expect(probe.completions == [.failure(TestFailure())])
  }

  @Test func `a cancel ends one subscription and lets go of it`() {
    var promise: Promise?
    let future = Future<Int, TestFailure> { promise = $0 }
    weak var released: Recorder<Int, TestFailure>?
    var subscription: (any Subscription)?
    let other = Recorder<Int, TestFailure>()
    do {
      let probe = Recorder<Int, TestFailure>()
      released = probe
      future.subscribe(probe)
      future.subscribe(other)
      subscription = probe.subscription
    }
    subscription?.cancel()
    #expect(released == nil)
    promise?(.success(1))
    #expect(other.values == [1])
  }

  @Test func `a promise that goes uncalled lets go of everybody`() {
    weak var released: Recorder<Int, TestFailure>?
    do {
      let future = Future<Int, TestFailure> { _ in }
      let probe = Recorder<Int, TestFailure>()
      released = probe
      future.subscribe(probe)
    }
    #expect(released == nil)
  }

  @Test func `the result is delivered though the future is gone`() {
    let probe = Recorder<Int, TestFailure>(.none)
    Future<Int, TestFailure> { $0(.success(1)) }.subscribe(probe)
    probe.request(.max(1))
    #expect(probe.values == [1] && probe.isFinished)
  }
}

@Suite(.serialized) struct OriginRaceTests {
  @Test func `request against cancel: the value and the end, or nothing`() {
    let race = Race(
      make: {
        let probe = Recorder<Int, Never>(.none)
        Just(1).subscribe(probe)
        return probe
      },
      first: { (probe: Recorder<Int, Never>) in probe.request(.unlimited) },
      second: { probe in probe.cancel() })
    let faults = race.faults {
      ($0.values == [1] && $0.completions.count <= 1) || ($0.values == [] && $0.completions.isEmpty)
    }
    #expect(faults == 0)
  }

  @Test func `requests from two threads: every element once, in order`() {
    let race = Race(
      make: {
        let probe = Recorder<Int, Never>(.none)
        (0..<20).publisher.subscribe(probe)
        return probe
      },
      first: { (probe: Recorder<Int, Never>) in for _ in 0..<10 { probe.request(.max(1)) } },
      second: { probe in for _ in 0..<10 { probe.request(.max(1)) } })
    let faults = race.faults { $0.values == Array(0..<20) && $0.isFinished }
    #expect(faults == 0)
  }

  @Test func `a promise against a subscriber and its request: the value once`() {
    final class State {
      var promise: Future<Int, Never>.Promise?
      var future: Future<Int, Never>?
      let probe = Recorder<Int, Never>(.none)

      init() {
        future = Future { self.promise = $0 }
      }
    }
    let race = Race(
      make: { State() },
      first: { (state: State) in state.promise?(.success(1)) },
      second: { state in
        state.future?.subscribe(state.probe)
        state.probe.request(.max(1))
      })
    let faults = race.faults { state in
      defer { state.promise = nil }
      return state.probe.values == [1] && state.probe.isFinished
    }
    #expect(faults == 0)
  }
}
