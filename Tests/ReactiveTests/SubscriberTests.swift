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

@Suite struct SubscriberRaceTests {
  @Test func `cancelling from two threads runs the handler once`() async throws {
    typealias Cancelling = (log: Log<Int>, cancel: () -> Void)
    try await Race<Cancelling>(
      .c14,
      make: {
        let log = Log<Int>()
        let token = AnyCancellable { log.append(1) }
        return (log, { token.cancel() })
      },
      first: { $0.cancel() }, second: { $0.cancel() }, isRight: { $0.log.all.count == 1 }
    ).verify(twin: {
      let (log, latch) = (Log<Int>(), CarelessLatch())
      return (log, { if latch.claim() { log.append(1) } })
    })
  }

  @Test func `an upstream that is cancelled from two threads is told once`() async throws {
    typealias Cancelling = (source: ManualPublisher<Int, Never>, cancel: () -> Void)
    try await Race<Cancelling>(
      .c14,
      make: {
        let (source, probe) = (ManualPublisher<Int, Never>(), Recorder<Int, Never>())
        source.map { $0 }.subscribe(probe)
        return (source, { probe.cancel() })
      },
      first: { $0.cancel() }, second: { $0.cancel() }, isRight: { $0.source.cancels == 1 }
    ).verify(twin: {
      let (source, probe, latch) = (ManualPublisher<Int, Never>(), Recorder<Int, Never>(), CarelessLatch())
      source.subscribe(probe)
      return (source, { if latch.claim() { probe.cancel() } })
    })
  }

  private struct Scene: Cancellable {
    let a = PassthroughSubject<Int, Never>()
    let b = PassthroughSubject<Int, Never>()
    let probe = Recorder<[Int], Never>()

    init(_ combination: Combination, isCareless: Bool) {
      if isCareless {
        CarelessCombination(combination: combination, a: a, b: b).subscribe(probe)
      } else {
        combination.apply(a, b).subscribe(probe)
      }
    }

    func cancel() { probe.cancel() }
  }

  @Test(arguments: Combination.allCases)
  func `two senders are combined one value at a time, and nothing is lost`(combination: Combination) async throws {
    try await Race(
      .c01, make: { Scene(combination, isCareless: false) },
      first: { scene in
        for value in 1...3 { scene.a.send(value) }
        scene.a.send(completion: .finished)
      },
      second: { scene in
        for value in 11...13 { scene.b.send(value) }
        scene.b.send(completion: .finished)
      },
      isRight: { scene in
        let values = scene.probe.values
        let isComplete =
          switch combination {
          case .merge:
            values.filter { $0[0] < 10 } == [[1], [2], [3]] && values.filter { $0[0] > 10 } == [[11], [12], [13]]
          case .zip: values == [[1, 11], [2, 12], [3, 13]]
          case .combineLatest: values.last == [3, 13]
          }
        return isComplete && scene.probe.isFinished
      }
    ).verify(twin: { Scene(combination, isCareless: true) })
  }

  // A zip may have ended before the cancel: one side is over, and so are the pairs.
  @Test(arguments: [Combination.merge, .combineLatest])
  func `a combination that is cancelled under two senders does not end`(combination: Combination) async throws {
    try await Race(
      .c13, make: { Scene(combination, isCareless: false) },
      first: { scene in
        for value in 1...3 { scene.a.send(value) }
        scene.a.send(completion: .finished)
      },
      second: { scene in
        for value in 11...13 { scene.b.send(value) }
        scene.probe.cancel()
        scene.b.send(completion: .finished)
      },
      isRight: { $0.probe.completions.isEmpty }
    ).verify(twin: { Scene(combination, isCareless: true) })
  }
}
