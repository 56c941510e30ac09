import Reactive
import ReactiveTesting
import Testing

@Suite struct SinkTests {
  typealias Source = PassthroughSubject<Int, TestFailure>

  final class Token {}

  @Test func `the completion releases the closures though the cancellable is kept`() {
    let source = Source()
    weak var released: Token?
    let cancellable: AnyCancellable
    do {
      let token = Token()
      released = token
      cancellable = source.sink(
        receiveCompletion: { _ in withExtendedLifetime(token) {} },
        receiveValue: { _ in withExtendedLifetime(token) {} })
    }
    source.send(1)
    #expect(released != nil)
    source.send(completion: .finished)
    #expect(released == nil)
    cancellable.cancel()
  }

  @Test func `a cancel releases the closures though the cancellable is kept`() {
    let source = Source()
    weak var released: Token?
    let cancellable: AnyCancellable
    do {
      let token = Token()
      released = token
      cancellable = source.map { $0 }.sink(
        receiveCompletion: { _ in }, receiveValue: { _ in withExtendedLifetime(token) {} })
    }
    cancellable.cancel()
    #expect(released == nil)
  }

  @Test func `dropping the cancellable ends it`() {
    let source = Source()
    var values: [Int] = []
    var cancellable: AnyCancellable? = source.sink(receiveCompletion: { _ in }, receiveValue: { values.append($0) })
    source.send(1)
    withExtendedLifetime(cancellable) {}
    cancellable = nil
    source.send(2)
    #expect(values == [1])
  }

  @Test func `a second subscription is cancelled and the first kept`() {
    let sink = Subscribers.Sink<Int, TestFailure>(receiveCompletion: { _ in }, receiveValue: { _ in })
    let (first, second) = (RecordingSubscription(), RecordingSubscription())
    sink.receive(subscription: first)
    sink.receive(subscription: second)
    #expect(first.requests == [.unlimited] && first.cancels == 0)
    #expect(second.requests == [] && second.cancels == 1)
    sink.cancel()
    sink.cancel()
    #expect(first.cancels == 1)
  }

  @Test func `signals before the subscription and after the end are dropped`() {
    var events: [String] = []
    let sink = Subscribers.Sink<Int, TestFailure>(
      receiveCompletion: { _ in events.append("end") }, receiveValue: { events.append("\($0)") })
    #expect(sink.receive(1) == .none)
    sink.receive(subscription: RecordingSubscription())
    #expect(sink.receive(2) == .none)
    sink.receive(completion: .finished)
    sink.receive(completion: .finished)
    #expect(sink.receive(3) == .none)
    #expect(events == ["2", "end"])
    #expect(sink.description == "Sink")
  }

  @Test func `a cancel before the subscription cancels the one that arrives`() {
    let sink = Subscribers.Sink<Int, TestFailure>(receiveCompletion: { _ in }, receiveValue: { _ in })
    sink.cancel()
    let late = RecordingSubscription()
    sink.receive(subscription: late)
    #expect(late.cancels == 1 && late.requests == [])
  }

  @Test func `the end of a sink of one's own releases its closures`() {
    weak var released: Token?
    let sink: Subscribers.Sink<Int, TestFailure>
    do {
      let token = Token()
      released = token
      sink = Subscribers.Sink(
        receiveCompletion: { _ in }, receiveValue: { _ in withExtendedLifetime(token) {} })
    }
    let source = Source()
    source.subscribe(sink)
    #expect(released != nil)
    source.send(completion: .finished)
    #expect(released == nil)
  }
}

@Suite struct AssignTests {
  final class Model {
    var value = 0
    var bag = Set<AnyCancellable>()
  }

  @Test func `assigns, and lets go of the object at the end`() {
    let source = PassthroughSubject<Int, Never>()
    weak var released: Model?
    do {
      let model = Model()
      released = model
      source.assign(to: \.value, on: model).store(in: &model.bag)
      source.send(7)
      #expect(model.value == 7)
    }
    #expect(released != nil)
    source.send(completion: .finished)
    #expect(released == nil)
  }

  @Test func `a cancel lets go of the object`() {
    let source = PassthroughSubject<Int, Never>()
    weak var released: Model?
    let token: AnyCancellable
    do {
      let model = Model()
      released = model
      token = source.assign(to: \.value, on: model)
    }
    token.cancel()
    #expect(released == nil)
  }

  @Test func `refuses a second subscription and describes itself`() {
    let assign = Subscribers.Assign<Model, Int>(object: Model(), keyPath: \.value)
    #expect(assign.receive(1) == .none && assign.object?.value == 0)
    let (first, second) = (RecordingSubscription(), RecordingSubscription())
    assign.receive(subscription: first)
    assign.receive(subscription: second)
    #expect(first.requests == [.unlimited] && second.cancels == 1)
    #expect(assign.receive(3) == .none && assign.object?.value == 3)
    #expect(assign.description == "Assign Model.")
    assign.cancel()
    #expect(first.cancels == 1 && assign.object == nil)
  }
}

@Suite struct AnyCancellableTests {
  @Test func `cancels once, by hand or when released`() {
    var count = 0
    var token: AnyCancellable? = AnyCancellable { count += 1 }
    token?.cancel()
    token?.cancel()
    token = nil
    #expect(count == 1)
    token = AnyCancellable { count += 1 }
    withExtendedLifetime(token) {}
    token = nil
    #expect(count == 2)
  }

  @Test func `a handler may cancel again and change the collection it is stored in`() {
    final class Box {
      var token: AnyCancellable?
      var set = Set<AnyCancellable>()
    }
    let box = Box()
    var count = 0
    let token = AnyCancellable {
      count += 1
      box.token?.cancel()
      box.set.removeAll()
    }
    box.token = token
    token.store(in: &box.set)
    token.cancel()
    #expect(count == 1 && box.set.isEmpty)
    box.token = nil
  }

  @Test func `is stored as itself, and wrapped when its type is hidden`() {
    let token = AnyCancellable {}
    var (set, array) = (Set<AnyCancellable>(), [AnyCancellable]())
    token.store(in: &set)
    token.store(in: &array)
    #expect(set == [token] && array == [token])
    let hidden: any Cancellable = token
    hidden.store(in: &array)
    #expect(array.count == 2 && array[1] != token)
  }
}

@Suite struct ErasureTests {
  @Test func `an erased publisher keeps order, demand and descriptions`() {
    let probe = Recorder<Int, Never>(.max(2))
    let erased = [1, 2, 3].publisher.map { $0 * 2 }.eraseToAnyPublisher()
    erased.eraseToAnyPublisher().subscribe(probe)
    #expect(probe.values == [2, 4])
    #expect(String(describing: erased) == "AnyPublisher")
    probe.request(.max(1))
    #expect(probe.values == [2, 4, 6] && probe.isFinished)
  }

  @Test func `an erased subscriber keeps its identity`() {
    let recorder = Recorder<Int, Never>()
    let erased = AnySubscriber(recorder)
    #expect(erased.combineIdentifier == recorder.combineIdentifier)
    #expect(AnySubscriber(erased).combineIdentifier == recorder.combineIdentifier)
    let anonymous = AnySubscriber<Int, Never>()
    #expect(anonymous.description == "Anonymous AnySubscriber" && anonymous.receive(1) == .none)
    #expect(anonymous.combineIdentifier != AnySubscriber<Int, Never>().combineIdentifier)
  }

  @Test func `a subscriber made of a subject feeds it`() {
    let subject = PassthroughSubject<Int, Never>()
    let probe = Recorder<Int, Never>()
    subject.subscribe(probe)
    [1, 2].publisher.subscribe(AnySubscriber(subject))
    #expect(probe.values == [1, 2] && probe.isFinished)
  }
}

@Suite(.serialized) struct SubscriberRaceTests {
  @Test func `cancelling from two threads runs the handler once`() {
    let race = Race(
      make: {
        let log = Log<Int>()
        return (log, AnyCancellable { log.append(1) })
      },
      first: { (state: (Log<Int>, AnyCancellable)) in state.1.cancel() },
      second: { state in state.1.cancel() })
    let faults = race.faults { $0.0.all.count == 1 }
    #expect(faults == 0)
  }

  @Test func `merge, zip and combineLatest under two senders deliver one at a time, and cancel at any moment`() {
    final class State {
      let a = PassthroughSubject<Int, Never>()
      let b = PassthroughSubject<Int, Never>()
      let merged = Recorder<Int, Never>()
      let zipped = Recorder<[Int], Never>()
      let latest = Recorder<[Int], Never>()
      let cancelled = Recorder<Int, Never>()

      init() {
        a.merge(with: b).subscribe(merged)
        a.zip(b) { [$0, $1] }.subscribe(zipped)
        a.combineLatest(b) { [$0, $1] }.subscribe(latest)
        a.merge(with: b).subscribe(cancelled)
      }
    }
    let race = Race(
      make: { State() },
      first: { (state: State) in
        for value in 1...3 { state.a.send(value) }
        state.a.send(completion: .finished)
      },
      second: { state in
        for value in 11...13 { state.b.send(value) }
        state.cancelled.cancel()
        state.b.send(completion: .finished)
      })
    let faults = race.faults { state in
      state.merged.values.filter { $0 < 10 } == [1, 2, 3] && state.merged.values.filter { $0 > 10 } == [11, 12, 13]
        && state.merged.isFinished && state.zipped.values == [[1, 11], [2, 12], [3, 13]] && state.zipped.isFinished
        && state.latest.values.last == [3, 13] && state.latest.isFinished
        && state.cancelled.values.count <= 6 && state.cancelled.completions.isEmpty
    }
    #expect(faults == 0)
  }
}
