import Reactive
import ReactiveTesting
import Testing

@Suite struct MergingTests {
  typealias Source = PassthroughSubject<Int, TestFailure>
  typealias Probe = Recorder<Int, TestFailure>

  @Test func `values come as they are sent, and the end with the last source`() {
    let (a, b) = (Source(), Source())
    let probe = Probe()
    a.merge(with: b).subscribe(probe)
    a.send(1)
    b.send(2)
    a.send(completion: .finished)
    b.send(3)
    #expect(probe.values == [1, 2, 3] && probe.completions == [])
    b.send(completion: .finished)
    #expect(probe.isFinished)
  }

  @Test func `a failure ends at once and cancels the others`() {
    let (a, b) = (Source(), Source())
    var cancelled = 0
    let probe = Probe()
    a.merge(with: CountingCancels(b) { cancelled += 1 }).subscribe(probe)
    a.send(completion: .failure(TestFailure()))
    b.send(1)
    #expect(probe.values == [] && probe.completions == [.failure(TestFailure())] && cancelled == 1)
  }

  @Test func `a bounded subscriber gets everything from two long sources`() {
    let probe = Recorder<Int, Never>(.max(1)) { _, _ in .max(1) }
    (1...1000).publisher.merge(with: (1...1000).publisher).subscribe(probe)
    #expect(probe.values.count == 2_000 && probe.isFinished)
    #expect(probe.values.reduce(0, +) == 1_001_000)
  }

  @Test func `without demand each source is asked for one value, which waits`() {
    let probe = Recorder<Int, Never>(.none)
    [1, 2].publisher.merge(with: [3, 4].publisher).subscribe(probe)
    #expect(probe.values == [])
    probe.request(.max(2))
    #expect(probe.values == [1, 3])
    probe.request(.max(1))
    probe.request(.max(1))
    #expect(probe.values.sorted() == [1, 2, 3, 4] && probe.isFinished)
  }

  @Test func `unlimited demand that comes later lets everything flow`() {
    let probe = Recorder<Int, Never>(.max(1))
    [1, 2, 3].publisher.merge(with: [4, 5, 6].publisher).subscribe(probe)
    #expect(probe.values == [1])
    probe.request(.unlimited)
    #expect(probe.values.sorted() == [1, 2, 3, 4, 5, 6] && probe.isFinished)
  }

  @Test func `a value sent inside a delivery waits its turn`() {
    let (a, b) = (Source(), Source())
    let probe = Probe { value, _ in
      if value == 1 {
        b.send(2)
        a.send(3)
      }
      return .none
    }
    a.merge(with: b).subscribe(probe)
    a.send(1)
    #expect(probe.values == [1, 2, 3])
  }

  @Test func `a cancel inside a delivery stops both sources`() {
    let (a, b) = (Source(), Source())
    let probe = Probe { _, probe in
      probe.cancel()
      return .none
    }
    a.merge(with: b).subscribe(probe)
    a.send(1)
    a.send(2)
    b.send(3)
    a.send(completion: .finished)
    b.send(completion: .finished)
    #expect(probe.values == [1] && probe.completions == [])
  }

  @Test func `a cancel releases the subscriber though the subscription is kept`() {
    let (a, b) = (Source(), Source())
    weak var released: Probe?
    var subscription: (any Subscription)?
    do {
      let probe = Probe()
      released = probe
      a.merge(with: b).subscribe(probe)
      subscription = probe.subscription
    }
    subscription?.cancel()
    #expect(released == nil)
    withExtendedLifetime((a, b)) {}
  }

  @Test func `eight sources, many sources and none`() {
    let sources = (0..<8).map { _ in PassthroughSubject<Int, Never>() }
    let probe = Recorder<Int, Never>()
    sources[0].merge(
      with: sources[1], sources[2], sources[3], sources[4], sources[5], sources[6], sources[7]
    ).subscribe(probe)
    for (index, source) in sources.enumerated() { source.send(index) }
    #expect(probe.values == Array(0..<8))

    let many = Recorder<Int, Never>()
    Publishers.MergeMany(sources).subscribe(many)
    for (index, source) in sources.enumerated() { source.send(index) }
    for source in sources { source.send(completion: .finished) }
    #expect(many.values == Array(0..<8) && many.isFinished && probe.isFinished)

    let none = Recorder<Int, Never>(.none)
    Publishers.MergeMany([Just<Int>]()).subscribe(none)
    #expect(none.isFinished)
  }

  @Test func `merging a merge makes it wider`() {
    let a = Just(1)
    let merged: Publishers.Merge4<Just<Int>, Just<Int>, Just<Int>, Just<Int>> = a.merge(with: Just(2), Just(3)).merge(
      with: Just(4))
    let probe = Recorder<Int, Never>()
    merged.subscribe(probe)
    #expect(probe.values == [1, 2, 3, 4] && probe.isFinished)
    #expect(Publishers.MergeMany(a).merge(with: Just(5)) == Publishers.MergeMany(a, Just(5)))
  }
}

@Suite struct CombiningLatestTests {
  typealias Source = PassthroughSubject<Int, TestFailure>

  struct Pair: Equatable {
    let a: Int
    let b: Int
  }

  func pairs(_ a: some Publisher<Int, TestFailure>, _ b: some Publisher<Int, TestFailure>)
    -> AnyPublisher<Pair, TestFailure>
  {
    a.combineLatest(b) { Pair(a: $0, b: $1) }.eraseToAnyPublisher()
  }

  @Test func `publishes once every source has a value, then at each new one`() {
    let (a, b) = (Source(), Source())
    let probe = Recorder<Pair, TestFailure>()
    pairs(a, b).subscribe(probe)
    a.send(1)
    a.send(2)
    b.send(10)
    a.send(3)
    b.send(11)
    #expect(probe.values == [Pair(a: 2, b: 10), Pair(a: 3, b: 10), Pair(a: 3, b: 11)])
  }

  @Test func `synchronous sources are taken in turn`() {
    let first = Recorder<[Int], Never>()
    [1, 2].publisher.combineLatest(Just(7)) { [$0, $1] }.subscribe(first)
    #expect(first.values == [[2, 7]] && first.isFinished)
    let second = Recorder<[Int], Never>()
    Just(1).combineLatest([7, 8].publisher) { [$0, $1] }.subscribe(second)
    #expect(second.values == [[1, 7], [1, 8]] && second.isFinished)
  }

  @Test func `finishes when all have, and repeats nothing then`() {
    let (a, b) = (Source(), Source())
    let probe = Recorder<Pair, TestFailure>()
    pairs(a, b).subscribe(probe)
    a.send(1)
    b.send(2)
    a.send(completion: .finished)
    b.send(3)
    #expect(probe.completions == [])
    b.send(completion: .finished)
    #expect(probe.values == [Pair(a: 1, b: 2), Pair(a: 1, b: 3)] && probe.isFinished)
  }

  @Test(arguments: [true, false])
  func `a source that ends without a value ends everything, in either order`(firstEnds: Bool) {
    let (a, b) = (Source(), Source())
    let probe = Recorder<Pair, TestFailure>()
    pairs(a, b).subscribe(probe)
    let (ending, other) = firstEnds ? (a, b) : (b, a)
    other.send(1)
    ending.send(completion: .finished)
    other.send(2)
    other.send(completion: .finished)
    #expect(probe.values == [] && probe.isFinished)
  }

  @Test func `without demand only the newest combination waits`() {
    let (a, b) = (Source(), Source())
    let probe = Recorder<Pair, TestFailure>(.max(1))
    pairs(a, b).subscribe(probe)
    a.send(1)
    b.send(2)
    #expect(probe.values == [Pair(a: 1, b: 2)])
    let (c, d) = (CurrentValueSubject<Int, TestFailure>(1), CurrentValueSubject<Int, TestFailure>(2))
    let late = Recorder<Pair, TestFailure>(.max(2))
    pairs(c, d).subscribe(late)
    c.send(3)
    c.send(4)
    d.send(5)
    late.request(.max(1))
    #expect(late.values.last == Pair(a: 4, b: 5))
  }

  @Test func `demand returned by the subscriber reaches every source`() {
    let probe = Recorder<[Int], Never>(.max(1)) { _, _ in .max(1) }
    (1...50).publisher.combineLatest((1...50).publisher) { [$0, $1] }.subscribe(probe)
    #expect(probe.values.last == [50, 50] && probe.isFinished)
  }

  @Test func `feeding the result back ends at the larger value`() {
    let (a, b) = (CurrentValueSubject<Int, Never>(1), CurrentValueSubject<Int, Never>(0))
    var previous: Int?
    let token = a.combineLatest(b).map { max($0, $1) }.sink { value in
      guard value != previous else { return }
      previous = value
      b.send(value)
    }
    a.send(3)
    #expect(b.value == 3)
    token.cancel()
  }

  @Test func `three and four sources`() {
    let three = Recorder<[Int], Never>()
    Just(1).combineLatest(Just(2), Just(3)) { [$0, $1, $2] }.subscribe(three)
    #expect(three.values == [[1, 2, 3]] && three.isFinished)
    let four = Recorder<[Int], Never>()
    Just(1).combineLatest(Just(2), Just(3), [4, 5].publisher) { [$0, $1, $2, $3] }.subscribe(four)
    #expect(four.values == [[1, 2, 3, 4], [1, 2, 3, 5]] && four.isFinished)
  }

  @Test func `a value that is replaced is released without the lock`() {
    final class Payload {
      var onRelease: () -> Void = {}
      deinit { onRelease() }
    }
    let (a, b) = (PassthroughSubject<Payload, Never>(), PassthroughSubject<Int, Never>())
    var count = 0
    let token = a.combineLatest(b).sink { _ in }
    do {
      let payload = Payload()
      payload.onRelease = {
        b.send(1)
        count += 1
      }
      a.send(payload)
    }
    b.send(0)
    a.send(Payload())
    #expect(count == 1)
    token.cancel()
  }
}

@Suite struct ZippingTests {
  typealias Source = PassthroughSubject<Int, TestFailure>

  @Test func `pairs first with first, and ends when one is used up`() {
    let (a, b) = (Source(), Source())
    var cancelled = 0
    let probe = Recorder<[Int], TestFailure>()
    a.zip(CountingCancels(b) { cancelled += 1 }) { [$0, $1] }.subscribe(probe)
    a.send(1)
    a.send(2)
    b.send(10)
    a.send(completion: .finished)
    #expect(probe.values == [[1, 10]] && probe.completions == [])
    b.send(20)
    #expect(probe.values == [[1, 10], [2, 20]] && probe.isFinished && cancelled == 1)
    b.send(completion: .failure(TestFailure()))
    #expect(probe.completions.count == 1)
  }

  @Test func `never a pair beyond the demand, and returned demand counts for both`() {
    let limited = Recorder<[Int], Never>(.max(2))
    (1...5).publisher.zip((11...15).publisher) { [$0, $1] }.subscribe(limited)
    #expect(limited.values == [[1, 11], [2, 12]] && limited.completions.isEmpty)
    limited.request(.max(1))
    #expect(limited.values.count == 3)
    let oneByOne = Recorder<[Int], Never>(.max(1)) { _, _ in .max(1) }
    (1...500).publisher.zip((1...500).publisher) { [$0, $1] }.subscribe(oneByOne)
    #expect(oneByOne.values.count == 500 && oneByOne.isFinished)
  }

  @Test func `an empty source ends it after the subscription`() {
    var events: [String] = []
    let subscriber = AnySubscriber<(Int, Int), Never>(
      receiveSubscription: { _ in events.append("subscription") },
      receiveCompletion: { _ in events.append("end") })
    Empty<Int, Never>().zip(Just(1)).subscribe(subscriber)
    #expect(events == ["subscription", "end"])
  }

  @Test func `three and four sources`() {
    let three = Recorder<[Int], Never>()
    [1, 2].publisher.zip([3, 4].publisher, [5, 6].publisher) { [$0, $1, $2] }.subscribe(three)
    #expect(three.values == [[1, 3, 5], [2, 4, 6]] && three.isFinished)
    let four = Recorder<[Int], Never>()
    Just(1).zip(Just(2), Just(3), Just(4)) { [$0, $1, $2, $3] }.subscribe(four)
    #expect(four.values == [[1, 2, 3, 4]] && four.isFinished)
  }
}

/// Passes everything on and tells when it is cancelled.
struct CountingCancels<Upstream: Publisher>: Publisher {
  typealias Output = Upstream.Output
  typealias Failure = Upstream.Failure

  let upstream: Upstream
  let onCancel: () -> Void

  init(_ upstream: Upstream, onCancel: @escaping () -> Void) {
    self.upstream = upstream
    self.onCancel = onCancel
  }

  func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
    upstream.subscribe(
      AnySubscriber<Output, Failure>(
        receiveSubscription: { subscriber.receive(subscription: Observed($0, onCancel)) },
        receiveValue: { subscriber.receive($0) },
        receiveCompletion: { subscriber.receive(completion: $0) }))
  }

  private final class Observed: Subscription {
    let upstream: any Subscription
    let onCancel: () -> Void

    init(_ upstream: any Subscription, _ onCancel: @escaping () -> Void) {
      self.upstream = upstream
      self.onCancel = onCancel
    }

    func request(_ demand: Subscribers.Demand) { upstream.request(demand) }

    func cancel() {
      onCancel()
      upstream.cancel()
    }
  }
}
