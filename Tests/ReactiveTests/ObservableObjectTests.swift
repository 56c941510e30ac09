import Foundation
import Reactive
import ReactiveTesting
import Testing

private class Base: ObservableObject {
  @Published var first = 0
  let constant = "a"
}

private class Middle: Base {
  var unpublished = 0
}

private final class Derived: Middle {
  @Published private var hidden = 0
  @Published var second: String?

  func changeHidden() { hidden += 1 }
}

private final class Plain: ObservableObject {
  var number = 0 {
    willSet { objectWillChange.send() }
  }
}

private final class WithOwnPublisher: ObservableObject {
  @Published var number = 0
  let objectWillChange = ObservableObjectPublisher()
}

private final class WithSubject: ObservableObject {
  @Published var number = 0
  let objectWillChange = PassthroughSubject<String, Never>()
}

@MainActor private final class Isolated: ObservableObject {
  @Published var names: [String] = []
  private var bag = Set<AnyCancellable>()
  private(set) var changes = 0

  init() {
    objectWillChange.sink { self.changes += 1 }.store(in: &bag)
  }

  func end() { bag = [] }
}

private struct Weak<Object: AnyObject> {
  weak var object: Object?
}

@Suite struct ObservableObjectTests {
  @Test func `each change of a published property is announced once, those of superclasses and private ones too`() {
    let object = Derived()
    var changes = 0
    let token = object.objectWillChange.sink { changes += 1 }
    object.first = 1
    #expect(changes == 1)
    object.second = "b"
    #expect(changes == 2)
    object.changeHidden()
    #expect(changes == 3)
    object.unpublished = 1
    #expect(changes == 3)
    token.cancel()
    object.first = 2
    #expect(changes == 3)
  }

  @Test func `the publisher is the same each time, seen as a superclass too`() {
    let object = Derived()
    let publisher = object.objectWillChange
    object.first = 1
    #expect(object.objectWillChange === publisher)
    #expect((object as Base).objectWillChange === publisher)
    #expect(Derived().objectWillChange !== publisher)
  }

  @Test func `a class without published properties has a publisher, the same each time`() {
    let plain = Plain()
    let identifier = ObjectIdentifier(plain.objectWillChange)
    var before: [Int] = []
    let token = plain.objectWillChange.sink { before.append(plain.number) }
    plain.number = 1
    plain.number = 2
    #expect(before == [0, 1])
    #expect(ObjectIdentifier(plain.objectWillChange) == identifier)
    token.cancel()
  }

  @Test func `a subscriber that keeps no subscription is still told`() {
    let plain = Plain()
    var changes = 0
    plain.objectWillChange.subscribe(
      AnySubscriber(
        receiveSubscription: { $0.request(.unlimited) },
        receiveValue: {
          changes += 1
          return .none
        }))
    plain.number = 1
    #expect(changes == 1)
  }

  @Test func `a class with a publisher of its own sends it by itself`() {
    let (own, subject) = (WithOwnPublisher(), WithSubject())
    var changes: [String] = []
    let tokens = [
      own.objectWillChange.sink { changes.append("own") }, subject.objectWillChange.sink { changes.append($0) },
    ]
    own.number = 1
    subject.number = 1
    #expect(changes == [])
    own.objectWillChange.send()
    subject.objectWillChange.send("subject")
    #expect(changes == ["own", "subject"])
    withExtendedLifetime(tokens) {}
  }

  @Test func `the publisher counts demand, has no memory and never ends`() {
    let publisher = ObservableObjectPublisher()
    let probe = Recorder<Void, Never>(.none)
    publisher.subscribe(probe)
    publisher.send()
    #expect(probe.values.count == 0)
    probe.request(.max(2))
    for _ in 0..<3 { publisher.send() }
    #expect(probe.values.count == 2 && probe.completions.isEmpty)
    #expect(probe.subscription.map { String(describing: $0) } == "ObservableObjectPublisher")
  }

  @Test func `a signal sent inside a delivery does not nest`() {
    let publisher = ObservableObjectPublisher()
    var log: [String] = []
    let token = publisher.sink {
      let isFirst = log.isEmpty
      log.append("began")
      if isFirst { publisher.send() }
      log.append("ended")
    }
    publisher.send()
    #expect(log == ["began", "ended", "began", "ended"])
    token.cancel()
  }

  @Test func `a class on the main actor needs nothing special`() async {
    await MainActor.run {
      let object = Isolated()
      object.names.append("a")
      #expect(object.changes == 1)
      object.end()
    }
  }

  @Test func `the publisher does not keep the object, and goes with its properties`() {
    weak var publisher: ObservableObjectPublisher?
    weak var weakly: Derived?
    do {
      let object = Derived()
      weakly = object
      publisher = object.objectWillChange
      object.objectWillChange.sink {}.cancel()
      #expect(publisher != nil)
    }
    #expect(weakly == nil && publisher == nil)
  }

  @Test func `a new object at the address of an old one has a publisher of its own`() {
    var old = Set<ObjectIdentifier>()
    var reused = 0
    var changes = 0
    var kept: [ObservableObjectPublisher] = []
    var tokens: [AnyCancellable] = []
    for _ in 0..<200 {
      // With and without published properties; the publisher outlives the object.
      let plain = Plain()
      let derived = Derived()
      for (identifier, publisher) in [
        (ObjectIdentifier(plain), plain.objectWillChange), (ObjectIdentifier(derived), derived.objectWillChange),
      ] {
        if !old.insert(identifier).inserted { reused += 1 }
        #expect(!kept.contains { $0 === publisher })
        kept.append(publisher)
        tokens.append(publisher.sink { changes += 1 })
      }
      changes = 0
      plain.number = 1
      derived.first = 1
      #expect(changes == 2)
    }
    #expect(reused > 0)
  }

  @Test func `what is kept for dead objects stays bounded`() {
    var publishers: [Weak<ObservableObjectPublisher>] = []
    for _ in 0..<5_000 { publishers.append(Weak(object: Plain().objectWillChange)) }
    #expect(publishers.filter { $0.object != nil }.count < 500)
  }

  @Test func `properties that a custom mirror hides are not found, others are`() {
    final class Custom: Base, CustomReflectable {
      @Published var shown = 0
      @Published var hidden = 0
      var customMirror: Mirror { Mirror(self, children: ["shown": _shown], ancestorRepresentation: .generated) }
    }
    let object = Custom()
    var changes = 0
    let token = object.objectWillChange.sink { changes += 1 }
    object.shown = 1
    object.first = 1
    #expect(changes == 2)
    object.hidden = 1
    #expect(changes == 2)
    token.cancel()
  }
}

@Suite struct ObservableObjectRaceTests {
  /// An object, or something faulty in its place.
  private struct Scene {
    let publisher: () -> ObservableObjectPublisher
    let change: () -> Void
    let publishers = Log<ObservableObjectPublisher>()
    let changes = Log<Int>()
    let tokens = Log<AnyCancellable>()

    init(_ object: Derived) {
      publisher = { object.objectWillChange }
      change = { object.first += 1 }
    }

    init(_ object: Plain) {
      publisher = { object.objectWillChange }
      change = { object.number += 1 }
    }

    init(_ lazy: CarelessLazy<ObservableObjectPublisher>) {
      publisher = { lazy.value }
      change = { lazy.value.send() }
    }

    init(_ object: Int, in table: CarelessTable) {
      publisher = { table.publisher(of: object) }
      change = { table.publisher(of: object).send() }
    }

    static func careless() -> Scene { Scene(CarelessLazy { ObservableObjectPublisher() }) }
  }

  @Test(arguments: [true, false])
  func `the first use by two threads: one publisher for both`(plainly: Bool) async throws {
    func meet(_ scene: Scene) { scene.publishers.append(scene.publisher()) }
    try await Race(
      .c06, make: { plainly ? Scene(Plain()) : Scene(Derived()) }, first: meet, second: meet,
      isRight: { $0.publishers.all.count == 2 && $0.publishers.all[0] === $0.publishers.all[1] }
    ).verify(twin: Scene.careless)
  }

  @Test func `the first use against changes: one that begins afterwards is announced`() async throws {
    try await Race(
      .c10, make: { Scene(Derived()) },
      first: { scene in
        // Kept until the verdict: the other thread may be the one that delivers.
        scene.tokens.append(scene.publisher().sink { scene.changes.append(1) })
        scene.change()
      },
      second: { scene in
        _ = scene.publisher()
        scene.change()
      },
      isRight: { !$0.changes.all.isEmpty }
    ).verify(twin: Scene.careless)
  }

  @Test func `objects that come and go on two threads: each has its own publisher`() async throws {
    struct Churn: CustomStringConvertible {
      let make: () -> [Scene]
      let faults = Log<[Int]>()

      func run() {
        for _ in 0..<4 {
          let objects = make()
          for object in objects { object.tokens.append(object.publisher().sink { object.changes.append(1) }) }
          for object in objects.reversed() { object.change() }
          let changes = objects.map(\.changes.all.count)
          if changes != [1, 1] { faults.append(changes) }
        }
      }

      var description: String { "changes \(faults) of two objects" }
    }
    try await Race(
      .c10, make: { Churn { [Scene(Plain()), Scene(Derived())] } }, first: { $0.run() }, second: { $0.run() },
      isRight: { $0.faults.all.isEmpty }
    ).verify(twin: {
      let (table, count) = (CarelessTable(), Guarded(0))
      return Churn {
        let first = count.update { count in
          count += 2
          return count
        }
        return [Scene(first, in: table), Scene(first + 1, in: table)]
      }
    })
  }
}
