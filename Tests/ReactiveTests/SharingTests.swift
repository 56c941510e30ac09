import Reactive
import ReactiveTesting
import Testing

@Suite struct SharingTests {
  typealias Source = PassthroughSubject<Int, TestFailure>
  typealias Probe = Recorder<Int, TestFailure>

  @Test func `share runs upstream once for all, and again only after all have cancelled`() {
    let source = Source()
    var (starts, cancels) = (0, 0)
    let shared = Deferred { () -> CountingCancels<Source> in
      starts += 1
      return CountingCancels(source) { cancels += 1 }
    }.share()
    let (a, b) = (Probe(), Probe())
    shared.subscribe(a)
    shared.subscribe(b)
    source.send(1)
    #expect(a.values == [1] && b.values == [1] && starts == 1)
    a.cancel()
    a.cancel()
    source.send(2)
    #expect(b.values == [1, 2] && cancels == 0)
    b.cancel()
    #expect(cancels == 1)
    let c = Probe()
    shared.subscribe(c)
    source.send(3)
    #expect(c.values == [3] && starts == 2)
  }

  @Test func `a second subscriber of a finished share gets only the completion`() {
    var starts = 0
    let shared = Deferred { () -> Publishers.Sequence<[Int], Never> in
      starts += 1
      return [1, 2, 3].publisher
    }.share()
    let (a, b) = (Recorder<Int, Never>(), Recorder<Int, Never>())
    shared.subscribe(a)
    shared.subscribe(b)
    #expect(a.values == [1, 2, 3] && a.isFinished)
    #expect(b.values == [] && b.isFinished && starts == 1)
  }

  @Test func `a first subscriber that cancels while connecting leaves nothing connected`() {
    var cancels = 0
    let source = Source()
    let shared = CountingCancels(source) { cancels += 1 }.share()
    let probe = AnySubscriber<Int, TestFailure>(receiveSubscription: { $0.cancel() })
    shared.subscribe(probe)
    let late = Probe()
    shared.subscribe(late)
    source.send(1)
    #expect(late.values == [1] && cancels == 0)
    late.cancel()
    #expect(cancels == 1)
  }

  @Test func `a subscriber that subscribes again while connecting does not connect twice`() {
    var starts = 0
    let inner = Recorder<Int, Never>()
    var shared: Publishers.Share<Deferred<Publishers.Sequence<[Int], Never>>>?
    let publisher = Deferred { () -> Publishers.Sequence<[Int], Never> in
      starts += 1
      return [1, 2].publisher
    }.share()
    shared = publisher
    let outer = Recorder<Int, Never> { value, _ in
      if value == 1 { shared?.subscribe(inner) }
      return .none
    }
    publisher.subscribe(outer)
    #expect(starts == 1 && outer.values == [1, 2] && inner.values == [2])
    shared = nil
  }

  @Test func `multicast holds back until connected, and connects once at a time`() {
    var starts = 0
    let source = Source()
    let multicast = Deferred { () -> Source in
      starts += 1
      return source
    }.multicast { PassthroughSubject() }
    let probe = Probe()
    multicast.subscribe(probe)
    source.send(1)
    let connection = multicast.connect()
    let again = multicast.connect()
    #expect(starts == 1)
    source.send(2)
    connection.cancel()
    source.send(3)
    let second = multicast.connect()
    source.send(4)
    #expect(probe.values == [2, 4] && starts == 2)
    withExtendedLifetime((again, second)) {}
  }

  @Test func `a subject of one's own is used`() {
    let subject = CurrentValueSubject<Int, TestFailure>(0)
    let multicast = Source().multicast(subject: subject)
    let probe = Probe()
    multicast.subscribe(probe)
    #expect(probe.values == [0])
    #expect(probe.subscription.map { String(describing: $0) } == "Multicast")
  }

  @Test func `makeConnectable holds back until connected`() {
    let connectable = Just(1).makeConnectable()
    let probe = Recorder<Int, Never>()
    connectable.subscribe(probe)
    #expect(probe.values == [])
    let connection = connectable.connect()
    #expect(probe.values == [1] && probe.isFinished)
    connection.cancel()
  }

  @Test func `everything may be released in any order`() {
    weak var releasedSource: Source?
    weak var releasedSubject: PassthroughSubject<Int, TestFailure>?
    do {
      var source: Source? = Source()
      var subject: PassthroughSubject<Int, TestFailure>? = PassthroughSubject()
      releasedSource = source
      releasedSubject = subject
      var connection: (any Cancellable)?
      if let source, let subject { connection = source.multicast(subject: subject).connect() }
      source = nil
      subject = nil
      connection = nil
      withExtendedLifetime((source, subject, connection)) {}
    }
    #expect(releasedSource == nil && releasedSubject == nil)
  }

  @Test func `a shared publisher goes with its last subscriber`() {
    weak var released: Source?
    do {
      let source = Source()
      released = source
      let token = source.share().sink(receiveCompletion: { _ in }, receiveValue: { _ in })
      source.send(1)
      token.cancel()
    }
    #expect(released == nil)
  }
}

@Suite(.serialized) struct SharingRaceTests {
  final class State {
    let source = PassthroughSubject<Int, Never>()
    let starts = Log<Int>()
    let cancels = Log<Int>()
    let a = Recorder<Int, Never>()
    let b = Recorder<Int, Never>()
    lazy var shared = Deferred { [starts, cancels, source] in
      starts.append(1)
      return CountingCancels(source) { cancels.append(1) }
    }.share().eraseToAnyPublisher()

    init() { _ = shared }
  }

  @Test func `two first subscribers connect once`() {
    let race = Race(
      make: { State() }, first: { $0.shared.subscribe($0.a) }, second: { $0.shared.subscribe($0.b) })
    let faults = race.faults { state in
      state.source.send(1)
      return state.starts.all.count == 1 && state.a.values == [1] && state.b.values == [1]
    }
    #expect(faults == 0)
  }

  @Test func `two last cancels disconnect once`() {
    let race = Race(
      make: {
        let state = State()
        state.shared.subscribe(state.a)
        state.shared.subscribe(state.b)
        return state
      },
      first: { (state: State) in
        state.a.cancel()
        state.b.cancel()
      },
      second: { state in
        state.b.cancel()
        state.a.cancel()
      })
    let faults = race.faults { $0.cancels.all.count == 1 && $0.starts.all.count == 1 }
    #expect(faults == 0)
  }

  @Test func `a last cancel against a new subscriber leaves it connected`() {
    let race = Race(
      make: {
        let state = State()
        state.shared.subscribe(state.a)
        return state
      },
      first: { (state: State) in state.a.cancel() },
      second: { state in state.shared.subscribe(state.b) })
    let faults = race.faults { state in
      state.source.send(1)
      return state.b.values == [1] && state.starts.all.count == state.cancels.all.count + 1
    }
    #expect(faults == 0)
  }
}
