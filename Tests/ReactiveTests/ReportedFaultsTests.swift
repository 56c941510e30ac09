import Dispatch
import Foundation
import Reactive
import ReactiveTesting
import Testing

/// Situations in which reactive libraries have failed their users.
@Suite struct ReportedFaultsTests {
  typealias Source = PassthroughSubject<Int, TestFailure>

  @Test func `a send from a sink's own delivery passes an operator with memory`() {
    let source = PassthroughSubject<Int, Never>()
    var log: [Int] = []
    let token = source.removeDuplicates().sink {
      log.append($0)
      if $0 == 1 { source.send(2) }
    }
    source.send(1)
    #expect(log == [1, 2])
    token.cancel()
  }

  @Test func `a source that sends while it registers is cancelled once by first`() {
    var cancels = 0
    var registered = false
    let source = Unruly<Int, Never> { subscriber in
      subscriber.receive(
        subscription: UnrulySubscription(
          onRequest: { _ in
            registered = true
            _ = subscriber.receive(7)
          },
          onCancel: {
            cancels += 1
            registered = false
          }))
    }
    let probe = Recorder<Int, Never>()
    source.first().subscribe(probe)
    #expect(probe.values == [7] && probe.isFinished)
    #expect(cancels == 1 && !registered)
  }

  @Test func `a token that is stored after the end holds nothing`() {
    var tokens: [Int: AnyCancellable] = [:]
    weak var trace: Witness?
    do {
      let witness = Witness()
      trace = witness
      tokens[1] = Empty<Int, Never>().sink(
        receiveCompletion: { _ in
          withExtendedLifetime(witness) {}
          tokens[1] = nil
        }, receiveValue: { _ in })
    }
    #expect(tokens[1] != nil && trace == nil)
  }

  @Test func `many sources lose nothing when one value is requested at a time`() {
    let probe = Recorder<Int, Never>(.max(1)) { _, _ in .max(1) }
    Publishers.MergeMany((1...1_000).publisher, (1...1_000).publisher).subscribe(probe)
    #expect(probe.values.count == 2_000 && probe.isFinished)
  }

  @Test func `one at a time keeps the order of publishers that hop and others that do not`() {
    let scheduler = QueueScheduler()
    for _ in 0..<200 {
      let done = DispatchSemaphore(value: 0)
      let result = Log<[Int]>()
      let token = (1...20).publisher
        .flatMap(maxPublishers: .max(1)) { value in
          value % 5 == 0
            ? Just(value).receive(on: scheduler).eraseToAnyPublisher() : Just(value).eraseToAnyPublisher()
        }
        .collect()
        .sink {
          result.append($0)
          done.signal()
        }
      #expect(done.wait(timeout: .now() + 20) == .success)
      #expect(result.all == [Array(1...20)])
      token.cancel()
    }
  }

  @Test func `the largest count of a timed group reserves no memory`() {
    let clock = TestScheduler()
    let probe = Recorder<[Int], Never>()
    [1, 2, 3].publisher.collect(.byTimeOrCount(clock, 1, Int.max)).subscribe(probe)
    clock.advance(by: 2)
    #expect(probe.values == [[1, 2, 3]] && probe.isFinished)
  }

  @Test func `nothing of the source follows the substitute for its failure`() {
    func refuseTwo(_ value: Int) throws -> Int {
      if value == 2 { throw TestFailure() }
      return value
    }
    let caught = Recorder<Int, Never>()
    [1, 2, 3].publisher.tryMap(refuseTwo).catch { _ in Just(100) }.subscribe(caught)
    #expect(caught.values == [1, 100] && caught.isFinished)
    let replaced = Recorder<Int, Never>()
    [1, 2, 3].publisher.tryMap(refuseTwo).replaceError(with: 100).subscribe(replaced)
    #expect(replaced.values == [1, 100] && replaced.isFinished)
  }

  @Test func `a failure that comes after combined sources have ended is not delivered`() {
    let (a, b) = (ManualPublisher<Int, TestFailure>(), ManualPublisher<Int, TestFailure>())
    let probe = Recorder<Int, TestFailure>()
    a.combineLatest(b, +).subscribe(probe)
    a.send(1)
    b.send(2)
    a.send(completion: .finished)
    b.send(completion: .finished)
    a.send(completion: .failure(TestFailure()))
    b.send(completion: .failure(TestFailure()))
    #expect(probe.values == [3] && probe.isFinished)
  }

  @Test func `a sink that is attached twice takes each value once`() {
    let source = PassthroughSubject<Int, Never>()
    var (values, ends) = ([Int](), 0)
    let sink = Subscribers.Sink<Int, Never>(
      receiveCompletion: { _ in ends += 1 }, receiveValue: { values.append($0) })
    source.subscribe(sink)
    source.subscribe(sink)
    source.send(1)
    source.send(2)
    source.send(completion: .finished)
    #expect(values == [1, 2] && ends == 1)
  }

  @Test func `the closure of a deferred publisher does not live as long as the subscription`() {
    let source = PassthroughSubject<Int, Never>()
    weak var trace: Witness?
    let token: AnyCancellable
    do {
      let witness = Witness()
      trace = witness
      token = Deferred {
        withExtendedLifetime(witness) {}
        return source
      }.sink { _ in }
    }
    #expect(trace == nil)
    token.cancel()
  }

  @Test func `a current value remembers what was sent before anybody subscribed`() {
    let source = CurrentValueSubject<Int, Never>(0)
    source.send(2)
    let probe = Recorder<Int, Never>()
    source.subscribe(probe)
    #expect(probe.values == [2] && source.value == 2)
  }

  @Test func `inside a delivery the current value is the one delivered`() {
    let source = CurrentValueSubject<Int, Never>(0)
    var pairs: [[Int]] = []
    let token = source.sink { pairs.append([$0, source.value]) }
    source.send(1)
    source.value = 2
    #expect(pairs == [[0, 0], [1, 1], [2, 2]])
    token.cancel()
  }

  @Test func `a future that is made anew for each subscriber runs for each`() {
    var runs = 0
    let deferred = Deferred {
      Future<Int, Never> { promise in
        runs += 1
        promise(.success(runs))
      }
    }
    #expect(runs == 0)
    let (a, b) = (Recorder<Int, Never>(), Recorder<Int, Never>())
    deferred.subscribe(a)
    deferred.subscribe(b)
    #expect(runs == 2 && a.values == [1] && b.values == [2])
  }

  @Test(arguments: [true, false]) func `an owner that listens to itself is released, whatever order its fields go in`(
    subjectFirst: Bool
  ) {
    final class SubjectFirst {
      let subject = CurrentValueSubject<Witness?, Never>(nil)
      var bag: Set<AnyCancellable> = []
    }
    final class BagFirst {
      var bag: Set<AnyCancellable> = []
      let subject = CurrentValueSubject<Witness?, Never>(nil)
    }
    weak var trace: Witness?
    do {
      let witness = Witness()
      trace = witness
      if subjectFirst {
        let owner = SubjectFirst()
        owner.subject.sink { [weak owner] _ in _ = owner?.bag }.store(in: &owner.bag)
        owner.subject.send(witness)
      } else {
        let owner = BagFirst()
        owner.subject.sink { [weak owner] _ in _ = owner?.bag }.store(in: &owner.bag)
        owner.subject.send(witness)
      }
    }
    #expect(trace == nil)
  }

  @Test func `a chain that ends with its first value lets go of a publisher subscribed to elsewhere`() async {
    let scheduler = QueueScheduler()
    weak var trace: Witness?
    let values = Log<Void>()
    let token: AnyCancellable
    do {
      let witness = Witness()
      trace = witness
      token = Just(witness).map { Just($0).subscribe(on: scheduler) }
        .flatMap(maxPublishers: .max(1)) { $0 }
        .prefix(1)
        .sink { _ in values.append(()) }
    }
    #expect(await eventually { trace == nil && values.all.count == 1 })
    token.cancel()
  }

  @Test @MainActor func `a sink made on the main actor takes values from another thread`() {
    let source = PassthroughSubject<Int, Never>()
    var seen: [Int] = []
    let token = source.map { $0 + 1 }.sink { seen.append($0) }
    #expect(TestThread { source.send(1) }.join())
    #expect(seen == [2])
    token.cancel()
  }
}

@Suite(.timeLimit(.minutes(5))) struct ReportedAsyncFaultsTests {
  @Test func `a buffer keeps a burst for a loop that comes later`() async {
    let source = PassthroughSubject<Int, Never>()
    var iterator = source.buffer(size: 1_000, prefetch: .byRequest, whenFull: .dropOldest).values
      .makeAsyncIterator()
    for value in 0..<100 { source.send(value) }
    source.send(completion: .finished)
    var values: [Int] = []
    while let value = await iterator.next() { values.append(value) }
    #expect(values == Array(0..<100))
  }

  @Test func `cancelling a task that waits for the latest publisher cancels both publishers`() async {
    let outer = ManualPublisher<ManualPublisher<Int, Never>, Never>()
    let inner = ManualPublisher<Int, Never>()
    let isOver = Log<Void>()
    let loop = Task {
      for await _ in outer.switchToLatest().values {}
      isOver.append(())
    }
    #expect(await eventually { !outer.requests.isEmpty })
    outer.send(inner)
    #expect(await eventually { !inner.requests.isEmpty })
    loop.cancel()
    #expect(await eventually { isOver.all.count == 1 })
    #expect(outer.cancels == 1 && inner.cancels == 1)
  }
}

@Suite struct CancelReachesUpstreamTests {
  typealias Source = PassthroughSubject<Int, TestFailure>

  /// What an operator is applied to; it counts its cancels.
  private let cancels = Log<Void>()

  private var source: AnyPublisher<Int, TestFailure> {
    Source().handleEvents(receiveCancel: { [cancels] in cancels.append(()) }).eraseToAnyPublisher()
  }

  /// Cancels what an operator makes of a source.
  private func check<P: Publisher>(_ chain: P, place: SourceLocation = #_sourceLocation) {
    let before = cancels.all.count
    let token = chain.sink(receiveCompletion: { _ in }, receiveValue: { _ in })
    #expect(cancels.all.count == before, sourceLocation: place)
    token.cancel()
    #expect(cancels.all.count == before + 1, sourceLocation: place)
  }

  @Test func `through operators that map, filter and take`() {
    check(source.map { $0 })
    check(source.map(\.description))
    check(source.tryMap { $0 })
    check(source.mapError { $0 })
    check(source.map { Optional($0) }.replaceNil(with: 0))
    check(source.scan(0, +))
    check(source.tryScan(0) { $0 + $1 })
    check(source.assertNoFailure().setFailureType(to: TestFailure.self))
    check(source.filter { $0 > 0 })
    check(source.tryFilter { $0 > 0 })
    check(source.compactMap { $0 })
    check(source.tryCompactMap { $0 })
    check(source.removeDuplicates())
    check(source.tryRemoveDuplicates { $0 == $1 })
    check(source.dropFirst())
    check(source.drop { $0 > 0 })
    check(source.tryDrop { $0 > 0 })
    check(source.prefix(2))
    check(source.prefix { $0 > 0 })
    check(source.tryPrefix { $0 > 0 })
    check(source.output(at: 1))
    check(source.output(in: 1...2))
    check(source.first())
    check(source.first { $0 > 0 })
    check(source.tryFirst { $0 > 0 })
  }

  @Test func `through operators that reduce`() {
    check(source.collect())
    check(source.collect(2))
    check(source.ignoreOutput())
    check(source.count())
    check(source.reduce(0, +))
    check(source.tryReduce(0) { $0 + $1 })
    check(source.min())
    check(source.max())
    check(source.tryMin { $0 < $1 })
    check(source.tryMax { $0 < $1 })
    check(source.contains(1))
    check(source.contains { $0 > 0 })
    check(source.tryContains { $0 > 0 })
    check(source.allSatisfy { $0 > 0 })
    check(source.tryAllSatisfy { $0 > 0 })
    check(source.last())
    check(source.last { $0 > 0 })
    check(source.tryLast { $0 > 0 })
    check(source.replaceEmpty(with: 0))
  }

  @Test func `through operators with further publishers`() {
    let never = Source()
    check(source.drop(untilOutputFrom: never))
    check(never.drop(untilOutputFrom: source))
    check(source.prefix(untilOutputFrom: never))
    check(never.prefix(untilOutputFrom: source))
    check(source.append(1))
    check(source.prepend(1))
    check(source.merge(with: never))
    check(never.merge(with: never, source))
    check(Publishers.MergeMany([never.eraseToAnyPublisher(), source]))
    check(source.zip(never))
    check(never.zip(never, source))
    check(source.combineLatest(never))
    check(never.combineLatest(never, source))
    check(source.flatMap { _ in never })
    check(Just(source).setFailureType(to: TestFailure.self).append(Empty(completeImmediately: false)).flatMap { $0 })
    check(source.map { _ in never }.switchToLatest())
    check(Just(source).setFailureType(to: TestFailure.self).switchToLatest())
    check(source.catch { _ in never })
    check(Fail<Int, TestFailure>(error: TestFailure()).catch { _ in source })
    check(source.tryCatch { _ in never })
    check(source.replaceError(with: 0))
    check(source.retry(3))
  }

  @Test func `through operators that share, keep, watch and wait`() {
    let clock = TestScheduler()
    check(source.share())
    check(source.multicast { Source() }.autoconnect())
    check(source.assertNoFailure().makeConnectable().autoconnect())
    check(source.buffer(size: 2, prefetch: .keepFull, whenFull: .dropNewest))
    check(source.buffer(size: 2, prefetch: .byRequest, whenFull: .dropNewest))
    check(source.handleEvents())
    check(source.breakpoint())
    check(source.print(to: Discarding()))
    check(source.strict())
    check(source.receive(on: clock))
    check(source.subscribe(on: ImmediateScheduler.shared))
    check(source.delay(for: 1, scheduler: clock))
    check(source.debounce(for: 1, scheduler: clock))
    check(source.throttle(for: 1, scheduler: clock, latest: true))
    check(source.timeout(1, scheduler: clock))
    check(source.collect(.byTime(clock, 1)))
    check(source.collect(.byTimeOrCount(clock, 1, 2)))
    check(source.measureInterval(using: clock))
    #expect(clock.pending.isEmpty)
  }

  private struct Discarding: TextOutputStream {
    func write(_ string: String) {}
  }
}

@Suite struct ReportedFaultsRaceTests {
  @Test func `the end of the outer publisher against that of the latest: one end`() async throws {
    try await Race(
      .c17, make: { SwitchScene(isCareless: false) }, first: { $0.outer.send(completion: .finished) },
      second: { scene in
        scene.inner.send(1)
        scene.inner.send(completion: .finished)
      },
      isRight: { $0.probe.values == [1] && $0.probe.isFinished }
    ).verify(twin: { SwitchScene(isCareless: true) })
  }

  /// A chain that must not hold a lock while it calls out; `stuck` is set by a twin that does.
  private final class Chain: CustomStringConvertible {
    let source = PassthroughSubject<Int, Never>()
    let probe = Recorder<Int, Never>()
    let stuck = Flag()
    private(set) lazy var publisher = apply(self)
    private let apply: (Chain) -> AnyPublisher<Int, Never>

    init(_ apply: @escaping (Chain) -> AnyPublisher<Int, Never>) {
      self.apply = apply
      _ = publisher
    }

    static func holding() -> Chain { Chain { $0.source.embracing($0.stuck) } }

    func subscribed() -> Chain {
      publisher.subscribe(probe)
      return self
    }

    var description: String { stuck.isSet ? "one waits for the other" : "\(probe)" }
  }

  @Test func `a zip of one shared source with itself does not wait for a sender`() async throws {
    try await Race(
      .c16,
      make: {
        Chain {
          let shared = $0.source.share()
          return shared.prefix(1).zip(shared.prefix(1), +).eraseToAnyPublisher()
        }
      },
      first: { chain in for value in 0..<4 { chain.source.send(value) } },
      second: { chain in
        chain.publisher.subscribe(chain.probe)
        chain.probe.cancel()
      },
      isRight: { !$0.stuck.isSet && $0.probe.values.count <= 1 && $0.probe.completions.count <= 1 }
    ).verify(twin: { Chain.holding() })
  }

  @Test func `an end on its way through a queue does not wait for a cancel`() async throws {
    var environment = VerificationEnvironment.current
    // Each verdict waits for the queue.
    environment.rounds = min(environment.rounds, 2_000)
    let scheduler = QueueScheduler()
    try await Race(
      .c16, environment: environment,
      make: {
        Chain { $0.source.flatMap { Just($0) }.receive(on: scheduler).eraseToAnyPublisher() }.subscribed()
      },
      first: { $0.source.send(completion: .finished) }, second: { $0.probe.cancel() },
      isRight: { chain in
        scheduler.queue.sync {}
        return !chain.stuck.isSet && chain.probe.values.isEmpty && chain.probe.completions.count <= 1
      }
    ).verify(twin: { Chain.holding().subscribed() })
  }
}
