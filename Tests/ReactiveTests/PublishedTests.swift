import Foundation
import Reactive
import ReactiveTesting
import Testing

private final class Model: ObservableObject {
  @Published var number = 0
  @Published var list = [1]
  @Published var token: Token?
}

/// Something whose end can be seen, and can run code.
private final class Token {
  let atEnd: () -> Void

  init(atEnd: @escaping () -> Void = {}) {
    self.atEnd = atEnd
  }

  deinit {
    atEnd()
  }
}

@Suite struct PublishedTests {
  @Test func `a subscriber gets the value at its first request, then each assignment, also of an equal value`() {
    let model = Model()
    model.number = 5
    let probe = Recorder<Int, Never>(.none)
    model.$number.subscribe(probe)
    #expect(probe.values == [])
    probe.request(.unlimited)
    model.number = 6
    model.number = 6
    #expect(probe.values == [5, 6, 6])
    #expect(probe.subscription.map { String(describing: $0) } == "PublishedSubject")
  }

  @Test func `a subscriber without demand gets the latest value later`() {
    let model = Model()
    let probe = Recorder<Int, Never>(.max(1))
    model.$number.subscribe(probe)
    for value in 1...3 { model.number = value }
    probe.request(.none)
    #expect(probe.values == [0])
    probe.request(.max(1))
    #expect(probe.values == [0, 3])
  }

  @Test func `the object is told first, then the subscribers, and then the property changes`() {
    let model = Model()
    var log: [String] = []
    let tokens = [
      model.$number.sink { log.append("value \($0), property \(model.number)") },
      model.objectWillChange.sink { log.append("will change, property \(model.number)") },
    ]
    model.number = 1
    #expect(log == ["value 0, property 0", "will change, property 0", "value 1, property 0"])
    #expect(model.number == 1)
    withExtendedLifetime(tokens) {}
  }

  @Test func `a change in place is one assignment, during which the property can be read`() {
    let model = Model()
    var pairs: [[[Int]]] = []
    let token = model.$list.sink { pairs.append([$0, model.list]) }
    model.list.append(2)
    model.number += 1
    #expect(pairs == [[[1], [1]], [[1, 2], [1]]])
    #expect(model.list == [1, 2] && model.number == 1)
    token.cancel()
  }

  @Test func `an assignment inside a subscriber comes after the one that runs, for everybody, and stays`() {
    let model = Model()
    var seen: [Int] = []
    let first = model.$number.sink { value in
      if value == 1 {
        model.number = 2
        seen.append(model.number)
      }
    }
    let probe = Recorder<Int, Never>()
    model.$number.subscribe(probe)
    model.number = 1
    #expect(probe.values == [0, 1, 2])
    #expect(seen == [0])
    #expect(model.number == 2)
    first.cancel()
  }

  @Test func `each of several assignments inside a subscriber tells the object before the property changes`() {
    let model = Model()
    var before: [Int] = []
    let tokens = [
      model.objectWillChange.sink { before.append(model.number) },
      model.$number.sink { if 1...2 ~= $0 { model.number = $0 + 1 } },
    ]
    model.number = 1
    #expect(before == [0, 1, 2])
    #expect(model.number == 3)
    withExtendedLifetime(tokens) {}
  }

  @Test func `an assignment made when the object is told comes after the one that was announced`() {
    let model = Model()
    let token = model.objectWillChange.sink { if model.number == 0 { model.number = 7 } }
    let probe = Recorder<Int, Never>()
    model.$number.subscribe(probe)
    model.number = 1
    #expect(probe.values == [0, 1, 7])
    #expect(model.number == 7)
    token.cancel()
  }

  @Test func `a million assignments inside a subscriber need no stack`() {
    let model = Model()
    let token = model.$number.sink { if 1..<1_000_000 ~= $0 { model.number = $0 + 1 } }
    model.number = 1
    #expect(model.number == 1_000_000)
    token.cancel()
  }

  @Test func `who subscribes inside a delivery gets that value once`() {
    let model = Model()
    let late = Recorder<Int, Never>()
    let token = model.$number.sink { if $0 == 1 { model.$number.subscribe(late) } }
    model.number = 1
    model.number = 2
    #expect(late.values == [1, 2])
    token.cancel()
  }

  @Test func `nothing comes after a cancel inside a delivery`() {
    let model = Model()
    let probe = Recorder<Int, Never> { value, probe in
      if value == 1 { probe.cancel() }
      return .none
    }
    model.$number.subscribe(probe)
    for value in 1...3 { model.number = value }
    #expect(probe.values == [0, 1] && model.number == 3)
  }

  @Test func `the publisher keeps the value alive, not the object, and never completes`() {
    weak var weakly: Model?
    let probe = Recorder<Int, Never>()
    do {
      let model = Model()
      weakly = model
      model.number = 3
      model.$number.subscribe(probe)
    }
    #expect(weakly == nil)
    #expect(probe.values == [3] && probe.completions.isEmpty)
  }

  @Test func `a wrapper can be made with an initial value, and replaced`() {
    final class Made {
      @Published var number: Int
      init() { _number = Published(initialValue: 4) }
    }
    #expect(Made().number == 4)
  }

  @Test func `a value that is replaced is released, with no lock held`() {
    let model = Model()
    weak var weakly: Token?
    var ends = 0
    do {
      let token = Token { [unowned model] in
        ends += 1
        _ = model.token
        model.number += 1
      }
      weakly = token
      model.token = token
    }
    #expect(weakly != nil)
    model.token = nil
    #expect(weakly == nil && ends == 1 && model.number == 1)
  }

  @Test func `a value is freed with its object, in whatever order the fields go`() {
    final class First {
      @Published var token = Token()
      var bag = Set<AnyCancellable>()
      init() { $token.sink { [weak self] _ in _ = self }.store(in: &bag) }
    }
    final class Second {
      var bag = Set<AnyCancellable>()
      @Published var token = Token()
      init() { $token.sink { [weak self] _ in _ = self }.store(in: &bag) }
    }
    weak var first: Token?
    weak var second: Token?
    do {
      let objects = (First(), Second())
      (first, second) = (objects.0.token, objects.1.token)
      #expect(first != nil && second != nil)
    }
    #expect(first == nil && second == nil)
  }
}

@Suite struct PublishedAssignTests {
  @Test func `each value is assigned as by hand, and the end changes nothing`() {
    let model = Model()
    var changes = 0
    let token = model.objectWillChange.sink { changes += 1 }
    let probe = Recorder<Int, Never>()
    model.$number.subscribe(probe)
    [1, 2, 3].publisher.assign(to: &model.$number)
    #expect(probe.values == [0, 1, 2, 3] && probe.completions.isEmpty)
    #expect(model.number == 3 && changes == 3)
    model.number = 4
    #expect(probe.values == [0, 1, 2, 3, 4])
    token.cancel()
  }

  @Test func `subscribers can read the property and assign while a publisher is being assigned`() {
    let model = Model()
    var read: [Int] = []
    let token = model.$number.sink { _ in
      read.append(model.number)
      model.$list.sink { _ in }.cancel()
    }
    [1, 2].publisher.assign(to: &model.$number)
    #expect(read == [0, 0, 1])
    token.cancel()
  }

  @Test func `several publishers can feed one property`() {
    let model = Model()
    let (first, second) = (PassthroughSubject<Int, Never>(), PassthroughSubject<Int, Never>())
    first.assign(to: &model.$number)
    second.assign(to: &model.$number)
    let probe = Recorder<Int, Never>()
    model.$number.subscribe(probe)
    first.send(1)
    second.send(2)
    first.send(completion: .finished)
    second.send(3)
    #expect(probe.values == [0, 1, 2, 3])
  }

  @Test func `the object is not kept alive, and its end cancels the subscription`() {
    let source = ManualPublisher<Int, Never>()
    weak var weakly: Model?
    do {
      let model = Model()
      weakly = model
      source.assign(to: &model.$number)
      source.send(1)
      #expect(model.number == 1 && source.demand == .unlimited && source.cancels == 0)
    }
    #expect(weakly == nil && source.cancels == 1)
    source.send(2)
  }

  @Test func `a subscription that comes after the property has gone, or second, is cancelled`() {
    let late = ManualPublisher<Int, Never>(subscribes: false)
    do {
      let model = Model()
      late.assign(to: &model.$number)
    }
    late.subscribeLate()
    #expect(late.cancels == 1 && late.demand == .none)
    let twice = ManualPublisher<Int, Never>()
    let model = Model()
    twice.assign(to: &model.$number)
    twice.subscribeLate()
    #expect(twice.cancels == 1)
    twice.send(1)
    #expect(model.number == 1)
  }

  @Test func `a feed that has ended is let go of`() {
    final class Source: Publisher {
      typealias Output = Int
      typealias Failure = Never
      weak var slot: AnyObject?

      func receive<S: Subscriber>(subscriber: S) where S.Input == Int, S.Failure == Never {
        slot = Mirror(reflecting: subscriber).descendant("slot").map { $0 as AnyObject }
        subscriber.receive(subscription: Subscriptions.empty)
        #expect(slot != nil)
        subscriber.receive(completion: .finished)
      }
    }
    let (source, model) = (Source(), Model())
    source.assign(to: &model.$number)
    #expect(source.slot == nil)
  }

  @Test func `setting the projection changes nothing`() {
    let (model, other) = (Model(), Model())
    other.number = 9
    model.$number = other.$number
    #expect(model.number == 0)
    other.number = 10
    #expect(model.number == 0)
  }
}

@Suite struct PublishedGateRaceTests {
  @Test func `an assignment does not wait for one that another thread delivers`() throws {
    let model = Unprotected(Model())
    let gate = Gate()
    let seen = Log<Int>()
    let token = model.value.$number.sink { value in
      if value == 1 { gate.pass() }
      seen.append(value)
    }
    let assigning = TestThread { model.value.number = 1 }
    try gate.waitUntilParked()
    model.value.number = 2
    #expect(model.value.number == 0)
    #expect(seen.all == [0])
    gate.open()
    #expect(assigning.join())
    #expect(seen.all == [0, 1, 2] && model.value.number == 2)
    token.cancel()
  }
}

/// A published property, or something faulty in its place.
private struct Property {
  let read: () -> Int
  let assign: (Int) -> Void
  let subscribe: (Recorder<Int, Never>) -> Void
  let announcements: AnyPublisher<Void, Never>
  let feed: (PassthroughSubject<Int, Never>) -> Void

  static func published() -> Property {
    let model = Model()
    return Property(
      read: { model.number }, assign: { model.number = $0 }, subscribe: { model.$number.subscribe($0) },
      announcements: model.objectWillChange.map { _ in }.eraseToAnyPublisher(),
      feed: { $0.assign(to: &model.$number) })
  }

  static func careless() -> Property {
    let subject = CarelessSubject<Int, Never>(latest: 0)
    return Property(
      read: { subject.value ?? 0 }, assign: { subject.send($0) }, subscribe: { subject.subscribe($0) },
      announcements: subject.dropFirst().map { _ in }.eraseToAnyPublisher(),
      feed: { $0.append(Empty(completeImmediately: false)).subscribe(AnySubscriber(subject)) })
  }
}

@Suite struct PublishedRaceTests {
  private final class Scene: Cancellable, CustomStringConvertible {
    let property: Property
    let source = PassthroughSubject<Int, Never>()
    let first = Recorder<Int, Never>()
    let second = Recorder<Int, Never>()
    let changes = Log<Int>()
    private let token: AnyCancellable

    init(_ property: Property, isSubscribed: Bool = true, isFed: Bool = false) {
      self.property = property
      token = property.announcements.sink { [changes] in changes.append(1) }
      if isFed { property.feed(source) }
      guard isSubscribed else { return }
      property.subscribe(first)
      property.subscribe(second)
    }

    func cancel() {
      first.cancel()
      second.cancel()
    }

    var description: String { "\(first), \(second), \(changes.all.count) changes, now \(property.read())" }
  }

  @Test func `two assigning threads: one order for all, nothing lost, and the last one stays`() async throws {
    try await Race(
      .c07, make: { Scene(.published()) },
      first: { scene in
        scene.property.assign(1)
        scene.property.assign(2)
      },
      second: { scene in
        scene.property.assign(3)
        scene.property.assign(4)
      },
      isRight: { scene in
        let values = scene.first.values
        return values == scene.second.values && scene.changes.all.count == 4
          && values.filter { 1...2 ~= $0 } == [1, 2] && values.filter { $0 > 2 } == [3, 4]
          && scene.property.read() == values.last
      }
    ).verify(twin: { Scene(.careless()) })
  }

  @Test func `reading against assigning: values that were assigned, in order`() async throws {
    typealias Scene = (read: () -> [Int], append: (Int) -> Void, seen: Log<[Int]>)
    try await Race<Scene>(
      .c09,
      make: {
        let model = Model()
        return (read: { model.list }, append: { model.list.append($0) }, seen: Log())
      },
      first: { scene in
        for _ in 0..<4 { scene.seen.append(scene.read()) }
      },
      second: { scene in
        for value in 2...4 { scene.append(value) }
      },
      isRight: { scene in
        scene.seen.all.allSatisfy { [1, 2, 3, 4].starts(with: $0) && !$0.isEmpty }
          && zip(scene.seen.all, scene.seen.all.dropFirst()).allSatisfy { $0.count <= $1.count }
          && scene.read() == [1, 2, 3, 4]
      }
    ).verify(twin: {
      let list = CarelessList()
      return (read: { list.value }, append: { list.append($0) }, seen: Log())
    })
  }

  @Test func `subscribing against assigning: the current value, then every later one, once`() async throws {
    try await Race(
      .c10, make: { Scene(.published(), isSubscribed: false) },
      first: { $0.property.subscribe($0.first) },
      second: { scene in
        for value in 1...3 { scene.property.assign(value) }
      },
      isRight: { $0.first.values == Array(($0.first.values.first ?? 9)...3) }
    ).verify(twin: { Scene(.careless(), isSubscribed: false) })
  }

  @Test func `a feed against assignments: all are published, and the last one stays`() async throws {
    try await Race(
      .c08, make: { Scene(.published(), isFed: true) },
      first: { scene in
        scene.source.send(1)
        scene.source.send(completion: .finished)
      },
      second: { $0.property.assign(2) },
      isRight: { $0.first.values.sorted() == [0, 1, 2] && $0.property.read() == $0.first.values.last }
    ).verify(twin: { Scene(.careless(), isFed: true) })
  }

  @Test func `the end of the object against a feed: at most one cancel`() async throws {
    final class Owner: CustomStringConvertible {
      let source = ManualPublisher<Int, Never>()
      let atEnd: () -> Void

      init(_ attach: (ManualPublisher<Int, Never>) -> () -> Void) {
        atEnd = attach(source)
      }

      var description: String { "\(source.cancels) cancels" }
    }
    try await Race(
      .c14,
      make: {
        Owner { source in
          let model = Unprotected<Model?>(Model())
          if let model = model.value { source.assign(to: &model.$number) }
          return { model.value = nil }
        }
      },
      first: { $0.atEnd() },
      second: { owner in
        owner.source.send(1)
        owner.source.send(completion: .finished)
      },
      isRight: { $0.source.cancels <= 1 }
    ).verify(twin: {
      Owner { source in
        let feed = CarelessFeed()
        source.subscribe(feed)
        return { feed.orphan() }
      }
    })
  }
}
