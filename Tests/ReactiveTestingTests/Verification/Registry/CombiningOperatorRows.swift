import Reactive
import ReactiveTesting

/// A second source that has nothing to say.
private let nothing = Empty<Int, TestFailure>()

/// A second source that never ends.
private let silence = Empty<Int, TestFailure>(completeImmediately: false)

/// A second source with one value.
private var one: Record<Int, TestFailure> { Record(output: [0], completion: .finished) }

/// A second source with more values than anybody wants.
private let many = Publishers.Sequence<Range<Int>, TestFailure>(sequence: 0..<10_000)

/// Why nothing can wait inside the first value.
private let atOnce = "the first value comes while the subscription is made, when no other thread knows of it"

/// A second source that ends soon.
private var few: Record<Int, TestFailure> { Record(output: [1, 2, 3], completion: .finished) }

/// An inner source with one value, or with a failure.
private func fails(_ isFailure: Bool) -> Record<Int, TestFailure> {
  isFailure ? Record(output: [], completion: .failure(TestFailure())) : one
}

extension Registry {
  /// Operators with more sources than one.
  mutating func addCombiningOperators() {
    addMerging()
    addPairing()
    addEndings()
    addJoining()
    addFlattening()
    addSharing()
  }

  private mutating func addMerging() {
    add("merge, 2", .mayBuffer) { source, _ in source.merge(with: nothing) }
    add("merge, 3", .mayBuffer) { source, _ in source.merge(with: nothing, nothing) }
    add("merge, 4", .mayBuffer) { source, _ in source.merge(with: nothing, nothing, nothing) }
    add("merge, 5", .mayBuffer) { source, _ in source.merge(with: nothing, nothing, nothing, nothing) }
    add("merge, 6", .mayBuffer) { source, _ in source.merge(with: nothing, nothing, nothing, nothing, nothing) }
    add("merge, 7", .mayBuffer) { source, _ in
      source.merge(with: nothing, nothing, nothing, nothing, nothing, nothing)
    }
    add("merge, 8", .mayBuffer) { source, _ in
      source.merge(with: nothing, nothing, nothing, nothing, nothing, nothing, nothing)
    }
    add("merge, of values", [.mayBuffer, .addsValues], skipping: [.c06: atOnce, .c13: atOnce]) { source, _ in
      source.merge(with: one)
    }
    add("merge, many", .mayBuffer) { source, _ in
      Publishers.MergeMany([
        source.eraseToAnyPublisher(), nothing.eraseToAnyPublisher(), nothing.eraseToAnyPublisher(),
      ])
    }
  }

  private mutating func addPairing() {
    add("zip, 2", .passesDemand) { source, _ in source.zip(many) }
    add("zip, 2, the other way round", .passesDemand) { source, _ in many.zip(source) }
    add("zip, 2, with a closure", .passesDemand) { source, _ in source.zip(many) { $0 + $1 } }
    add("zip, 3", .passesDemand) { source, _ in source.zip(many, many) }
    add("zip, 4", .passesDemand) { source, _ in source.zip(many, many, many) }
    add("combineLatest, 2", .mayBuffer) { source, _ in source.combineLatest(one) }
    add("combineLatest, 2, the other way round", .mayBuffer) { source, _ in one.combineLatest(source) }
    add("combineLatest, 2, with a closure", .mayBuffer) { source, _ in source.combineLatest(one) { $0 + $1 } }
    add("combineLatest, 3", .mayBuffer) { source, _ in source.combineLatest(one, one) }
    add("combineLatest, 4", .mayBuffer) { source, _ in source.combineLatest(one, one, one) }
  }

  /// Operators that end because another source does something.
  private mutating func addEndings() {
    add("zip, with a short source", [.passesDemand, .endsEarly]) { source, _ in source.zip(few) }
    add("zip, with a short source, the other way round", [.passesDemand, .endsEarly]) { source, _ in few.zip(source) }
    add("zip, 3, with a short source", [.passesDemand, .endsEarly]) { source, _ in source.zip(many, few) }
    add("flatMap, that fails", [.mayBuffer, .endsEarly]) { source, _ in source.flatMap { fails($0 > 4) } }
    add("flatMap, one at a time, that fails", [.mayBuffer, .endsEarly]) { source, _ in
      source.flatMap(maxPublishers: .max(1)) { fails($0 > 4) }
    }
    add("switchToLatest, that fails", [.mayBuffer, .endsEarly]) { source, _ in
      source.map { fails($0 > 4) }.switchToLatest()
    }
  }

  private mutating func addJoining() {
    add("append, of nothing", .passesDemand) { source, _ in source.append(nothing) }
    add("append, of values", [.passesDemand, .addsValues]) { source, _ in source.append(1, 2) }
    add("prepend, of nothing", .passesDemand) { source, _ in source.prepend(nothing) }
    let later = "upstream is subscribed to only when the value before it is gone, which needs demand"
    let skipped: [Rule: String] = [
      .s2_09: later, .s2_10: later, .o4_02: later, .c19: later, .c06: atOnce, .c13: atOnce,
    ]
    add("prepend, of a value", .addsValues, skipping: skipped) { source, _ in source.prepend(0) }
    add("prefix(untilOutputFrom:)", .passesDemand) { source, _ in source.prefix(untilOutputFrom: silence) }
    add("drop(untilOutputFrom:)", .passesDemand) { source, _ in source.drop(untilOutputFrom: one) }
  }

  private mutating func addFlattening() {
    add("flatMap", .mayBuffer) { source, _ in source.flatMap { Just($0).setFailureType(to: TestFailure.self) } }
    add("flatMap, one at a time", .mayBuffer) { source, _ in
      source.flatMap(maxPublishers: .max(1)) { Just($0).setFailureType(to: TestFailure.self) }
    }
    add("flatMap, of nothing", [.mayBuffer, .givesNoValues]) { source, _ in source.flatMap { _ in nothing } }
    add("flatMap, of something later", .mayBuffer) { source, scheduler in
      source.flatMap { Just($0).setFailureType(to: TestFailure.self).delay(for: 1, scheduler: scheduler) }
    }
    add("switchToLatest, of something later", .mayBuffer) { source, scheduler in
      source.map { Just($0).setFailureType(to: TestFailure.self).delay(for: 0.5, scheduler: scheduler) }
        .switchToLatest()
    }
    add("switchToLatest", .mayBuffer) { source, _ in
      source.map { Just($0).setFailureType(to: TestFailure.self) }.switchToLatest()
    }
  }

  private mutating func addSharing() {
    add("share", .mayBuffer) { source, _ in source.share() }
    add("multicast", .mayBuffer, with: ["Publishers.Multicast"]) { source, _ in
      source.multicast { PassthroughSubject<Int, TestFailure>() }.autoconnect()
    }
    add("autoconnect", .mayBuffer, with: ["Publishers.Multicast"]) { source, _ in
      source.multicast(subject: PassthroughSubject<Int, TestFailure>()).autoconnect()
    }
    let skipped: [Rule: String] = [.c06: atOnce, .c13: atOnce]
    add("multicast, of the latest value", [.mayBuffer, .addsValues], skipping: skipped) { source, _ in
      source.multicast { CurrentValueSubject<Int, TestFailure>(0) }.autoconnect()
    }
    add("makeConnectable", [.mayBuffer, .recovers], with: ["Publishers.MakeConnectable"]) { source, _ in
      source.catch { _ in Empty<Int, Never>() }.makeConnectable().autoconnect()
    }
  }
}
