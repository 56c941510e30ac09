import Reactive
import ReactiveTesting
import Testing

@Suite struct RecoveringTests {
  typealias Source = PassthroughSubject<Int, TestFailure>

  @Test func `catch carries unmet demand to the replacement`() {
    let source = Source()
    let probe = Recorder<Int, Never>(.max(3))
    source.catch { _ in (10...20).publisher }.subscribe(probe)
    source.send(1)
    source.send(completion: .failure(TestFailure()))
    #expect(probe.values == [1, 10, 11] && probe.completions.isEmpty)
    probe.request(.max(1))
    #expect(probe.values == [1, 10, 11, 12])
    probe.request(.unlimited)
    #expect(probe.values.count == 12 && probe.isFinished)
  }

  @Test func `a completion passes, and values beyond the demand do not`() {
    let source = Overflowing()
    let probe = Recorder<Int, Never>(.max(1))
    source.catch { _ in Just(9) }.subscribe(probe)
    source.send(1)
    source.send(2)
    #expect(probe.values == [1])
    source.end(.finished)
    source.end(.failure(TestFailure()))
    source.send(3)
    #expect(probe.values == [1] && probe.isFinished)
  }

  @Test func `a cancel between the failure and the replacement cancels the replacement`() {
    let source = Source()
    var cancels = 0
    let late = Late()
    let probe = Recorder<Int, TestFailure>()
    source.catch { _ in late }.subscribe(probe)
    source.send(completion: .failure(TestFailure()))
    probe.cancel()
    late.arrive(RecordingCancel { cancels += 1 })
    #expect(cancels == 1)
    #expect(probe.values == [] && probe.completions == [])
  }

  @Test func `a send from the handler is ignored`() {
    let source = Source()
    let probe = Recorder<Int, TestFailure>()
    source.catch { _ -> Empty<Int, TestFailure> in
      source.send(0)
      return Empty()
    }.subscribe(probe)
    source.send(5)
    source.send(completion: .failure(TestFailure()))
    #expect(probe.values == [5] && probe.isFinished)
  }

  @Test func `tryCatch fails with what the handler throws, or goes on`() {
    struct Other: Error {}
    let thrown = Recorder<Int, any Error>()
    Fail<Int, TestFailure>(error: TestFailure()).tryCatch { _ -> Just<Int> in throw Other() }.subscribe(thrown)
    guard case .failure(let error) = thrown.completions.first else {
      Issue.record("no failure")
      return
    }
    #expect(error is Other && thrown.completions.count == 1)
    let going = Recorder<Int, any Error>()
    Fail<Int, TestFailure>(error: TestFailure()).tryCatch { _ in Just(1) }.subscribe(going)
    #expect(going.values == [1] && going.completions.count == 1)
  }

  @Test func `replaceError waits for demand, and passes a completion`() {
    let waiting = Recorder<Int, Never>(.none)
    Fail<Int, TestFailure>(error: TestFailure()).replaceError(with: 9).subscribe(waiting)
    #expect(waiting.values == [] && waiting.completions.isEmpty)
    waiting.request(.unlimited)
    #expect(waiting.values == [9] && waiting.isFinished)
    let source = Source()
    let passing = Recorder<Int, Never>()
    source.replaceError(with: 9).subscribe(passing)
    source.send(1)
    source.send(completion: .finished)
    #expect(passing.values == [1] && passing.isFinished)
  }

  @Test func `a push-style upstream that ignores demand neither traps nor overflows`() {
    let source = Overflowing()
    let probe = Recorder<Int, Never>(.none)
    source.replaceError(with: 9).subscribe(probe)
    source.send(1)
    source.end(.failure(TestFailure()))
    #expect(probe.values == [])
    probe.request(.unlimited)
    #expect(probe.values == [9] && probe.isFinished)
  }

  @Test func `a cancel releases the subscriber though the subscription is kept`() {
    let source = Source()
    weak var released: Recorder<Int, Never>?
    var subscription: (any Subscription)?
    do {
      let probe = Recorder<Int, Never>()
      released = probe
      source.replaceError(with: 9).subscribe(probe)
      subscription = probe.subscription
    }
    subscription?.cancel()
    #expect(released == nil)
  }

  /// Sends whatever the test says, whatever was requested.
  final class Overflowing: Publisher {
    typealias Output = Int
    typealias Failure = TestFailure
    private var subscriber: AnySubscriber<Int, TestFailure>?

    func receive<S: Subscriber>(subscriber: S) where S.Input == Int, S.Failure == TestFailure {
      self.subscriber = AnySubscriber(subscriber)
      subscriber.receive(subscription: Subscriptions.empty)
    }

    func send(_ value: Int) { _ = subscriber?.receive(value) }
    func end(_ completion: Subscribers.Completion<TestFailure>) { subscriber?.receive(completion: completion) }
  }

  /// Hands out its subscription when the test says.
  final class Late: Publisher {
    typealias Output = Int
    typealias Failure = TestFailure
    private var subscriber: AnySubscriber<Int, TestFailure>?

    func receive<S: Subscriber>(subscriber: S) where S.Input == Int, S.Failure == TestFailure {
      self.subscriber = AnySubscriber(subscriber)
    }

    func arrive(_ subscription: any Subscription) { subscriber?.receive(subscription: subscription) }
  }

  final class RecordingCancel: Subscription {
    let onCancel: () -> Void

    init(_ onCancel: @escaping () -> Void) {
      self.onCancel = onCancel
    }

    func request(_ demand: Subscribers.Demand) {}
    func cancel() { onCancel() }
  }
}
