import ReactiveTesting
import Testing

@testable import Reactive

/// The two subjects, for what they have in common.
enum SubjectKind: CaseIterable {
  case passthrough
  case currentValue

  /// Makes a subject and how to use it; a current-value subject starts with 0.
  func make() -> AnySubject {
    switch self {
    case .passthrough: AnySubject(PassthroughSubject<Int, TestFailure>())
    case .currentValue: AnySubject(CurrentValueSubject<Int, TestFailure>(0))
    }
  }

  /// What a subscriber with demand gets before anything is sent.
  var first: [Int] { self == .passthrough ? [] : [0] }
}

struct AnySubject {
  let object: AnyObject
  let publisher: AnyPublisher<Int, TestFailure>
  let send: (Int) -> Void
  let end: (Subscribers.Completion<TestFailure>) -> Void
  let feed: (any Subscription) -> Void

  init<S: Subject>(_ subject: S) where S.Output == Int, S.Failure == TestFailure {
    object = subject
    publisher = subject.eraseToAnyPublisher()
    send = { subject.send($0) }
    end = { subject.send(completion: $0) }
    feed = { subject.send(subscription: $0) }
  }
}

@Suite struct SubjectTests {
  typealias Probe = Recorder<Int, TestFailure>

  @Test(arguments: SubjectKind.allCases)
  func `a send inside a delivery is queued, and every subscriber sees the same order`(kind: SubjectKind) {
    let subject = kind.make()
    let first = Probe { value, _ in
      if (1..<5).contains(value) { subject.send(value + 1) }
      return .none
    }
    let second = Probe()
    subject.publisher.subscribe(first)
    subject.publisher.subscribe(second)
    subject.send(1)
    #expect(first.values == kind.first + [1, 2, 3, 4, 5])
    #expect(second.values == kind.first + [1, 2, 3, 4, 5])
  }

  @Test(arguments: SubjectKind.allCases)
  func `subscribers are served in the order they came, also after some have left`(kind: SubjectKind) {
    let subject = kind.make()
    var served: [Int] = []
    let probes = (0..<40).map { index in
      Probe { value, _ in
        if value == 1 { served.append(index) }
        return .none
      }
    }
    for probe in probes { subject.publisher.subscribe(probe) }
    for index in stride(from: 0, to: 40, by: 3) { probes[index].cancel() }
    for index in 0..<25 { probes[index].cancel() }
    subject.publisher.subscribe(probes[0])
    subject.send(1)
    #expect(served == (25..<40).filter { $0 % 3 != 0 } + [0])
  }

  @Test(arguments: SubjectKind.allCases)
  func `a value needs demand, counted with what receive returns`(kind: SubjectKind) {
    let subject = kind.make()
    let probe = Probe(.none) { value, _ in value == 2 ? .max(1) : .none }
    subject.publisher.subscribe(probe)
    subject.send(1)
    #expect(probe.values == [])
    probe.request(.max(1))
    subject.send(2)
    subject.send(3)
    subject.send(4)
    #expect(probe.values == (kind == .passthrough ? [2, 3] : [1]))
  }

  @Test(arguments: SubjectKind.allCases)
  func `requesting nothing is not a request`(kind: SubjectKind) {
    let subject = kind.make()
    let probe = Probe(.none)
    subject.publisher.subscribe(probe)
    probe.request(.none)
    subject.send(1)
    #expect(probe.values == [])
    probe.request(.unlimited)
    probe.request(.max(3))
    subject.send(2)
    subject.send(3)
    #expect(probe.values.suffix(2) == [2, 3])
  }

  @Test(arguments: SubjectKind.allCases)
  func `the completion needs no demand, comes once, and ends everything`(kind: SubjectKind) {
    let subject = kind.make()
    let probe = Probe(.none)
    subject.publisher.subscribe(probe)
    subject.end(.failure(TestFailure()))
    subject.end(.finished)
    subject.send(1)
    probe.request(.unlimited)
    #expect(probe.values == [])
    #expect(probe.completions == [.failure(TestFailure())])
    let late = Probe()
    subject.publisher.subscribe(late)
    #expect(late.subscriptions == 1 && late.values == [] && late.completions == [.failure(TestFailure())])
  }

  @Test(arguments: SubjectKind.allCases)
  func `a completion sent inside a delivery comes after the values sent before it`(kind: SubjectKind) {
    let subject = kind.make()
    let first = Probe { value, _ in
      if value == 1 {
        subject.send(2)
        subject.end(.finished)
        subject.send(3)
      }
      return .none
    }
    let second = Probe()
    subject.publisher.subscribe(first)
    subject.publisher.subscribe(second)
    subject.send(1)
    #expect(first.values == kind.first + [1, 2] && first.isFinished)
    #expect(second.values == kind.first + [1, 2] && second.isFinished)
  }

  @Test(arguments: SubjectKind.allCases)
  func `cancelling oneself or a later subscriber inside a delivery is immediate`(kind: SubjectKind) {
    let subject = kind.make()
    let later = Probe()
    let first = Probe { value, probe in
      guard value == 1 else { return .none }
      later.cancel()
      probe.cancel()
      subject.send(2)
      subject.end(.finished)
      return .none
    }
    subject.publisher.subscribe(first)
    subject.publisher.subscribe(later)
    subject.send(1)
    #expect(first.values == kind.first + [1] && first.completions == [])
    #expect(later.values == kind.first && later.completions == [])
  }

  @Test(arguments: SubjectKind.allCases)
  func `cancelling a later subscriber inside the completion spares it the completion`(kind: SubjectKind) {
    let subject = kind.make()
    let later = Probe()
    let first = AnySubscriber<Int, TestFailure>(receiveCompletion: { _ in later.cancel() })
    subject.publisher.subscribe(first)
    subject.publisher.subscribe(later)
    subject.end(.finished)
    #expect(later.completions == [])
  }

  @Test(arguments: SubjectKind.allCases)
  func `a newcomer inside a delivery joins after the value being delivered`(kind: SubjectKind) {
    let subject = kind.make()
    let newcomer = Probe()
    let first = Probe { value, _ in
      if value == 1 { subject.publisher.subscribe(newcomer) }
      return .none
    }
    subject.publisher.subscribe(first)
    subject.send(1)
    subject.send(2)
    #expect(newcomer.values == (kind == .passthrough ? [2] : [1, 2]))
  }

  @Test(arguments: SubjectKind.allCases)
  func `a value queued before a newcomer joins is not delivered to it twice or late`(kind: SubjectKind) {
    let subject = kind.make()
    let newcomer = Probe()
    let first = Probe { value, _ in
      if value == 1 {
        subject.send(2)
        subject.publisher.subscribe(newcomer)
        subject.send(3)
      }
      return .none
    }
    subject.publisher.subscribe(first)
    subject.send(1)
    #expect(newcomer.values == (kind == .passthrough ? [3] : [2, 3]))
  }

  @Test(arguments: SubjectKind.allCases)
  func `a cancel lets go of the subscriber though the subscription is kept`(kind: SubjectKind) {
    let subject = kind.make()
    var subscription: (any Subscription)?
    weak var released: Probe?
    do {
      let probe = Probe()
      released = probe
      subject.publisher.subscribe(probe)
      subscription = probe.subscription
    }
    #expect(released != nil)
    subscription?.cancel()
    subscription?.cancel()
    #expect(released == nil)
  }

  @Test(arguments: SubjectKind.allCases)
  func `the completion lets go of the subscriber though the subscription is kept`(kind: SubjectKind) {
    let subject = kind.make()
    var subscription: (any Subscription)?
    weak var released: Probe?
    do {
      let probe = Probe()
      released = probe
      subject.publisher.subscribe(probe)
      subscription = probe.subscription
    }
    subject.end(.finished)
    #expect(released == nil)
    subscription?.request(.unlimited)
  }

  @Test(arguments: SubjectKind.allCases)
  func `a subject with subscribers that never cancel is released`(kind: SubjectKind) {
    weak var released: AnyObject?
    weak var releasedProbe: Sleeper?
    do {
      let subject = kind.make()
      released = subject.object
      let probe = Sleeper()
      releasedProbe = probe
      subject.publisher.subscribe(probe)
      subject.send(1)
    }
    #expect(released == nil && releasedProbe == nil)
  }

  /// A subscriber that drops its subscription.
  final class Sleeper: Subscriber {
    func receive(subscription: any Subscription) { subscription.request(.unlimited) }
    func receive(_ input: Int) -> Subscribers.Demand { .none }
    func receive(completion: Subscribers.Completion<TestFailure>) {}
  }

  @Test(arguments: SubjectKind.allCases)
  func `an upstream is asked when it should be, and cancelled when the subject goes`(kind: SubjectKind) {
    let upstream = RecordingSubscription()
    do {
      let subject = kind.make()
      subject.feed(upstream)
      #expect(upstream.requests == (kind == .passthrough ? [] : [.unlimited]))
      let probe = Probe(.none)
      subject.publisher.subscribe(probe)
      probe.request(.max(1))
      #expect(upstream.requests == [.unlimited])
      let second = RecordingSubscription()
      subject.feed(second)
      #expect(second.requests == [.unlimited])
      probe.cancel()
      #expect(upstream.cancels == 0)
    }
    #expect(upstream.cancels == 1)
  }

  @Test(arguments: SubjectKind.allCases)
  func `an upstream that comes after the end is cancelled`(kind: SubjectKind) {
    let subject = kind.make()
    subject.end(.finished)
    let upstream = RecordingSubscription()
    subject.feed(upstream)
    #expect(upstream.cancels == 1 && upstream.requests == [])
  }

  @Test(arguments: SubjectKind.allCases)
  func `a subject fed by a publisher passes its values and its end on`(kind: SubjectKind) {
    let subject = PassthroughSubject<Int, Never>()
    let memory = CurrentValueSubject<Int, Never>(0)
    let probe = Recorder<Int, Never>()
    let source = PassthroughSubject<Int, Never>()
    let token: AnyCancellable
    switch kind {
    case .passthrough:
      subject.subscribe(probe)
      token = source.subscribe(subject)
    case .currentValue:
      memory.subscribe(probe)
      token = source.subscribe(memory)
    }
    source.send(1)
    source.send(completion: .finished)
    #expect(probe.values == kind.first + [1] && probe.isFinished)
    token.cancel()
  }

  @Test func `feeding a subject again and again leaves nothing behind`() {
    let (source, subject) = (PassthroughSubject<Int, Never>(), PassthroughSubject<Int, Never>())
    let token = subject.sink { _ in }
    for _ in 0..<1_000 {
      source.subscribe(subject).cancel()
      Empty<Int, Never>(completeImmediately: false).subscribe(subject).cancel()
    }
    #expect(subject.hub.upstreams.count < 20)
    token.cancel()
  }

  @Test func `the same subscriber twice gets everything twice`() {
    let subject = PassthroughSubject<Int, Never>()
    var values: [Int] = []
    var ends = 0
    let subscriber = AnySubscriber<Int, Never>(
      receiveSubscription: { $0.request(.unlimited) },
      receiveValue: {
        values.append($0)
        return .none
      },
      receiveCompletion: { _ in ends += 1 })
    subject.subscribe(subscriber)
    subject.subscribe(subscriber)
    subject.send(1)
    subject.send(2)
    subject.send(completion: .finished)
    #expect(values == [1, 1, 2, 2] && ends == 2)
  }

  @Test func `subscriptions describe themselves as in Combine`() {
    for (kind, name) in [(SubjectKind.passthrough, "PassthroughSubject"), (.currentValue, "CurrentValueSubject")] {
      let probe = Probe(.none)
      kind.make().publisher.subscribe(probe)
      #expect(probe.subscription.map { String(describing: $0) } == name)
    }
  }
}

@Suite struct CurrentValueSubjectTests {
  @Test func `a subscriber without demand gets the latest value at its next request`() {
    let subject = CurrentValueSubject<Int, Never>(0)
    let recorder = Recorder<Int, Never>(.none)
    subject.subscribe(recorder)
    subject.send(1)
    subject.send(2)
    #expect(recorder.values == [])
    recorder.request(.max(1))
    #expect(recorder.values == [2])
    subject.send(3)
    subject.send(4)
    recorder.request(.max(2))
    #expect(recorder.values == [2, 4])
    subject.send(5)
    #expect(recorder.values == [2, 4, 5])
    recorder.cancel()
  }

  @Test func `the first value comes inside the request that a subscriber makes when it gets the subscription`() {
    let subject = CurrentValueSubject<Int, Never>(7)
    var events: [String] = []
    let subscriber = AnySubscriber<Int, Never>(
      receiveSubscription: {
        $0.request(.unlimited)
        events.append("requested")
      },
      receiveValue: {
        events.append("value \($0)")
        return .none
      })
    subject.subscribe(subscriber)
    #expect(events == ["value 7", "requested"])
  }

  @Test func `what is sent while joining comes once, in order, without nesting`() {
    let subject = CurrentValueSubject<Int, Never>(0)
    var values: [Int] = []
    var depth = 0
    let subscriber = AnySubscriber<Int, Never>(
      receiveSubscription: {
        $0.request(.unlimited)
        subject.send(10)
      },
      receiveValue: { value in
        depth += 1
        #expect(depth == 1)
        values.append(value)
        if value == 0 {
          subject.send(1)
          subject.send(2)
        }
        depth -= 1
        return .none
      })
    subject.subscribe(subscriber)
    subject.send(11)
    #expect(values == [0, 1, 2, 10, 11])
  }

  @Test func `the value is up to date before a queued delivery`() {
    let subject = CurrentValueSubject<Int, Never>(0)
    var seen: [Int] = []
    let token = subject.sink { value in
      if value == 1 {
        subject.send(2)
        seen.append(subject.value)
      }
    }
    subject.send(1)
    #expect(seen == [2])
    token.cancel()
  }

  @Test func `after the end the value stays and setting it does nothing`() {
    let subject = CurrentValueSubject<Int, Never>(0)
    subject.value = 1
    subject.send(completion: .finished)
    subject.value = 2
    subject.send(3)
    #expect(subject.value == 1)
  }

  @Test func `changing the value in place may be observed by a reader`() {
    let subject = CurrentValueSubject<[Int], Never>([1])
    var seen: [[Int]] = []
    let token = subject.sink { _ in seen.append(subject.value) }
    subject.value.append(2)
    #expect(seen == [[1], [1, 2]])
    token.cancel()
  }

  @Test func `a value that is replaced is released outside the lock`() {
    final class Payload {
      var onRelease: () -> Void = {}
      deinit { onRelease() }
    }
    let subject = CurrentValueSubject<Payload, Never>(Payload())
    var count = 0
    subject.value.onRelease = {
      _ = subject.value
      count += 1
    }
    subject.send(Payload())
    #expect(count == 1)
  }
}

/// A subscription that writes down what is asked of it.
final class RecordingSubscription: Subscription {
  private(set) var requests: [Subscribers.Demand] = []
  private(set) var cancels = 0

  func request(_ demand: Subscribers.Demand) { requests.append(demand) }
  func cancel() { cancels += 1 }
}
