import Foundation
import Reactive
import ReactiveTesting
import Testing

@Suite struct SubjectGateRaceTests {
  @Test(arguments: SubjectKind.allCases)
  func `a send from another thread does not wait for a delivery that runs`(kind: SubjectKind) throws {
    let subject = Unprotected(kind.make())
    let gate = Gate()
    let seen = Log<Int>()
    let token = subject.value.publisher.sink(
      receiveCompletion: { _ in },
      receiveValue: { value in
        if value == 1 { gate.pass() }
        seen.append(value)
      })
    let sender = TestThread { subject.value.send(1) }
    try gate.waitUntilParked()
    subject.value.send(2)
    #expect(seen.all == kind.first)
    gate.open()
    #expect(sender.join())
    #expect(seen.all == kind.first + [1, 2])
    token.cancel()
  }

  @Test(arguments: SubjectKind.allCases)
  func `a cancel from another thread does not wait, and nothing follows the delivery that runs`(kind: SubjectKind)
    throws
  {
    let subject = Unprotected(kind.make())
    let gate = Gate()
    let seen = Log<Int>()
    let token = subject.value.publisher.sink(
      receiveCompletion: { _ in seen.append(-1) },
      receiveValue: { value in
        seen.append(value)
        if value == 1 { gate.pass() }
      })
    let sender = TestThread {
      subject.value.send(1)
      subject.value.send(2)
      subject.value.end(.finished)
    }
    try gate.waitUntilParked()
    token.cancel()
    gate.open()
    #expect(sender.join())
    #expect(seen.all == kind.first + [1])
  }

  @Test(arguments: SubjectKind.allCases)
  func `nothing from another thread starts before the subscription has been taken`(kind: SubjectKind) throws {
    let subject = Unprotected(kind.make())
    let gate = Gate()
    let log = Log<String>()
    let subscriber = Unprotected(
      AnySubscriber<Int, TestFailure>(
        receiveSubscription: {
          $0.request(.unlimited)
          gate.pass()
          log.append("subscribed")
        },
        receiveValue: {
          log.append("value \($0)")
          return .none
        },
        receiveCompletion: { _ in log.append("end") }))
    let subscribing = TestThread { subject.value.publisher.subscribe(subscriber.value) }
    try gate.waitUntilParked()
    subject.value.send(1)
    subject.value.end(.finished)
    #expect(log.all == kind.first.map { "value \($0)" })
    gate.open()
    #expect(subscribing.join())
    // A passthrough subject joins its subscribers after that call; one with a memory owes what came meanwhile.
    #expect(log.all == (kind == .passthrough ? ["subscribed", "end"] : ["value 0", "subscribed", "value 1", "end"]))
  }

  @Test func `a request from another thread while joining does not deliver there`() throws {
    let subject = Unprotected(CurrentValueSubject<Int, Never>(7))
    let gate = Gate()
    let threads = Log<Bool>()
    let joining = Unprotected<(any Subscription)?>(nil)
    let subscriber = Unprotected(
      AnySubscriber<Int, Never>(
        receiveSubscription: {
          joining.value = $0
          gate.pass()
        },
        receiveValue: { _ in
          threads.append(Thread.isMainThread)
          return .none
        }))
    let subscribing = TestThread { subject.value.subscribe(subscriber.value) }
    try gate.waitUntilParked()
    joining.value?.request(.max(1))
    #expect(threads.all == [])
    gate.open()
    #expect(subscribing.join())
    #expect(threads.all.count == 1)
  }
}

/// The rules about threads, in races; the twin is a careless subject of the same kind.
@Suite struct SubjectRaceTests {
  private struct Scene: Cancellable {
    let subject: AnySubject
    let first: Recorder<Int, TestFailure>
    let second: Recorder<Int, TestFailure>

    /// Makes a subject and two probes.
    ///
    /// - Parameter demand: What the probes request; nil when they are not to be attached yet.
    init(_ subject: AnySubject, _ demand: Subscribers.Demand? = .unlimited) {
      self.subject = subject
      first = Recorder(demand ?? .unlimited)
      second = Recorder(demand ?? .unlimited)
      guard demand != nil else { return }
      subject.publisher.subscribe(first)
      subject.publisher.subscribe(second)
    }

    func cancel() {
      first.cancel()
      second.cancel()
    }
  }

  @Test(arguments: SubjectKind.allCases)
  func `two senders: both subscribers see one order, and lose nothing`(kind: SubjectKind) async throws {
    try await Race(
      .c07, make: { Scene(kind.make()) },
      first: { scene in
        scene.subject.send(1)
        scene.subject.send(2)
      },
      second: { scene in
        scene.subject.send(3)
        scene.subject.send(4)
      },
      isRight: { scene in
        let values = Array(scene.first.values.dropFirst(kind.first.count))
        return scene.first.values == scene.second.values
          && values.filter { $0 < 3 } == [1, 2] && values.filter { $0 > 2 } == [3, 4]
      }
    ).verify(twin: { Scene(kind.careless()) })
  }

  @Test(arguments: SubjectKind.allCases)
  func `send against completion: nothing after the end, one end`(kind: SubjectKind) async throws {
    try await Race(
      .c17, make: { Scene(kind.make()) },
      first: { scene in
        scene.subject.send(1)
        scene.subject.send(2)
      },
      second: { scene in
        scene.subject.end(.finished)
        scene.subject.end(.failure(TestFailure()))
      },
      isRight: { scene in
        scene.first.completions == [.finished] && scene.second.completions == [.finished]
          && scene.first.values == scene.second.values
          && (kind.first + [1, 2]).starts(with: scene.first.values)
      }
    ).verify(twin: { Scene(kind.careless()) })
  }

  @Test func `the last value delivered is the current one`() async throws {
    struct Scene: Cancellable {
      let subject: RememberingSubject
      let probe = Recorder<Int, TestFailure>()

      init(_ subject: RememberingSubject) {
        self.subject = subject
        subject.publisher.subscribe(probe)
      }

      func cancel() { probe.cancel() }
    }
    try await Race(
      .c09, make: { Scene(RememberingSubject(CurrentValueSubject(0), read: \.value)) },
      first: { $0.subject.send(1) }, second: { $0.subject.send(2) },
      isRight: { $0.probe.values.last == $0.subject.read() && $0.probe.values.count == 3 }
    ).verify(twin: { Scene(RememberingSubject(CarelessSubject(latest: 0), read: { $0.value ?? 0 })) })
  }

  @Test func `subscribing against sends: the current value, then every later one, once`() async throws {
    try await Race(
      .c10, make: { Scene(SubjectKind.currentValue.make(), nil) },
      first: { $0.subject.publisher.subscribe($0.first) },
      second: { scene in for value in 1...3 { scene.subject.send(value) } },
      isRight: { scene in
        let values = scene.first.values
        return !values.isEmpty && values == Array((values.first ?? 0)...3)
      }
    ).verify(twin: { Scene(SubjectKind.currentValue.careless(), nil) })
  }

  @Test func `subscribing to a passthrough subject against sends: a suffix, without gaps`() async throws {
    try await Race(
      .c10, make: { Scene(SubjectKind.passthrough.make(), nil) },
      first: { scene in
        scene.subject.publisher.subscribe(scene.first)
        scene.subject.send(100)
      },
      second: { scene in for value in 1...3 { scene.subject.send(value) } },
      isRight: { scene in
        let values = scene.first.values.filter { $0 != 100 }
        return [1, 2, 3].suffix(values.count) == values[...] && scene.first.values.contains(100)
      }
    ).verify(twin: { Scene(SubjectKind.passthrough.careless(), nil) })
  }

  @Test(arguments: [Subscribers.Demand.max(1), .max(2), .unlimited])
  func `the first request against sends: no value twice, none older than one seen`(demand: Subscribers.Demand)
    async throws
  {
    try await Race(
      .c10, make: { Scene(SubjectKind.currentValue.make(), Subscribers.Demand.none) },
      first: { $0.first.request(demand) },
      second: { scene in for value in 1...3 { scene.subject.send(value) } },
      isRight: { scene in
        let values = scene.first.values
        return !values.isEmpty && zip(values, values.dropFirst()).allSatisfy { $0 < $1 }
          && values.count <= demand.max ?? .max
          && (!(demand == .unlimited) || values == Array((values.first ?? 0)...3))
      }
    ).verify(twin: { Scene(SubjectKind.currentValue.careless(), Subscribers.Demand.none) })
  }

  @Test(arguments: SubjectKind.allCases)
  func `demand for one against two senders: never two values`(kind: SubjectKind) async throws {
    let demand = Subscribers.Demand.max(kind.first.count + 1)
    try await Race(
      .c03, make: { Scene(kind.make(), demand) }, first: { $0.subject.send(1) }, second: { $0.subject.send(2) },
      isRight: { $0.first.values.count == kind.first.count + 1 }
    ).verify(twin: { Scene(kind.careless(), demand) })
  }

  /// Something that can be cancelled, and what came after that.
  private final class Cancelling: CustomStringConvertible {
    let subject: AnySubject
    let cancelled = Flag()
    let late = Log<Int>()
    private var token: AnyCancellable?

    init(_ subject: AnySubject, _ sink: (AnySubject, @escaping (Int) -> Void) -> AnyCancellable?) {
      self.subject = subject
      token = sink(subject) { [cancelled, late] value in
        if cancelled.isSet { late.append(value) }
      }
    }

    func cancel() {
      token?.cancel()
      cancelled.set()
    }

    var description: String { "late: \(late)" }
  }

  @Test(arguments: SubjectKind.allCases)
  func `cancel against sends: at most one value begins after it has returned`(kind: SubjectKind) async throws {
    try await Race(
      .c13,
      make: {
        Cancelling(kind.make()) { $0.publisher.sink(receiveCompletion: { _ in }, receiveValue: $1) }
      },
      first: { $0.cancel() },
      second: { scene in for value in 1...4 { scene.subject.send(value) } },
      isRight: { $0.late.all.count <= 1 }
    ).verify(twin: {
      // A sink would hide that its subject does not stop.
      Cancelling(kind.careless()) { subject, receive in
        let probe = Recorder<Int, TestFailure> { value, _ in
          receive(value)
          return .none
        }
        subject.publisher.subscribe(probe)
        return AnyCancellable { probe.cancel() }
      }
    })
  }

  @Test(arguments: SubjectKind.allCases)
  func `subscribing against completion: a subscription first, then one end`(kind: SubjectKind) async throws {
    try await Race(
      .c02, make: { (subject: kind.make(), log: Log<String>()) },
      first: { scene in
        scene.subject.publisher.subscribe(
          AnySubscriber<Int, TestFailure>(
            receiveSubscription: { _ in
              scene.log.append("began")
              TestThread.linger()
              scene.log.append("subscribed")
            },
            receiveCompletion: { _ in scene.log.append("end") }))
      },
      second: { $0.subject.end(.finished) },
      isRight: { $0.log.all == ["began", "subscribed", "end"] }
    ).verify(twin: { (subject: kind.careless(), log: Log<String>()) })
  }
}

extension SubjectKind {
  /// Makes a subject of the same kind that knows no order.
  fileprivate func careless() -> AnySubject {
    AnySubject(CarelessSubject<Int, TestFailure>(latest: first.first))
  }
}

/// A subject whose value can be read.
private struct RememberingSubject {
  let publisher: AnyPublisher<Int, TestFailure>
  let send: (Int) -> Void
  let read: () -> Int

  init<S: Subject>(_ subject: S, read: @escaping (S) -> Int) where S.Output == Int, S.Failure == TestFailure {
    publisher = subject.eraseToAnyPublisher()
    send = { subject.send($0) }
    self.read = { read(subject) }
  }
}
