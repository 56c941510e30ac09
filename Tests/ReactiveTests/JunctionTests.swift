import ReactiveTesting
import Testing

@testable import Reactive

/// Every order of a few inputs, without threads: what two cores never hit is enumerated here.
@Suite struct JunctionTests {
  enum Input: CaseIterable {
    case value
    case requestOne
    case allowOne
    case requestAll
    case delivered
    case deliveredWantingOne
    case finish
    case fail
    case cancel
  }

  struct Failing: Error, Equatable {}

  /// A junction with somebody who does what it says, and checks it.
  struct World {
    var junction: Junction<Int, Failing, Int>
    let conflates: Bool
    var sent = 0
    var delivered: [Int] = []
    var ends: [Subscribers.Completion<Failing>] = []
    var allowed = 0
    var isUnlimited = false
    var isBusy = false
    var isCancelled = false
    var accepted: [Int] = []
    var ending: Subscribers.Completion<Failing>?
    var faults: [String] = []

    init(conflates: Bool) {
      self.conflates = conflates
      junction = Junction(conflates: conflates)
    }

    mutating func play(_ input: Input) {
      switch input {
      case .value:
        sent += 1
        let isWelcome = ending == nil && !isCancelled
        if isWelcome { accepted.append(sent) }
        var dropped: Int?
        if junction.offer(sent, from: 0, dropped: &dropped) { deliver(sent) }
        if isWelcome, dropped != nil, !conflates { faults.append("a value dropped") }
        if !isWelcome, dropped != sent { faults.append("a refused value kept") }
      case .requestOne:
        allowed += 1
        perform(junction.request(.max(1)))
      case .allowOne:
        allowed += 1
        junction.allow(.max(1))
      case .requestAll:
        isUnlimited = true
        perform(junction.request(.unlimited))
      case .delivered, .deliveredWantingOne:
        guard isBusy else { return }
        isBusy = false
        if input == .deliveredWantingOne { allowed += 1 }
        perform(junction.next(input == .delivered ? .none : .max(1)))
      case .finish:
        if ending == nil, !isCancelled { ending = .finished }
        perform(junction.end(.finished))
      case .fail:
        if ending == nil, !isCancelled { ending = .failure(Failing()) }
        perform(junction.end(.failure(Failing())))
      case .cancel:
        isCancelled = true
        junction.isOver = true
      }
    }

    mutating func perform(_ effect: Junction<Int, Failing, Int>.Effect) {
      switch effect {
      case .rest: break
      case .deliver(let value, _): deliver(value)
      case .end(let completion):
        if isBusy { faults.append("an end while a value is on its way") }
        if isCancelled { faults.append("an end after a cancel") }
        if completion != ending { faults.append("another end than the first") }
        ends.append(completion)
      }
    }

    mutating func deliver(_ value: Int) {
      if isBusy { faults.append("two values at a time") }
      if isCancelled { faults.append("a value after a cancel") }
      if !ends.isEmpty { faults.append("a value after the end") }
      if !isUnlimited, allowed <= delivered.count { faults.append("a value without demand") }
      isBusy = true
      delivered.append(value)
    }

    /// Lets everything run out, and says what is wrong.
    mutating func settle() -> [String] {
      play(.requestAll)
      while isBusy { play(.delivered) }
      if ends.count > 1 { faults.append("two ends") }
      if !isCancelled, ending != nil, ends.isEmpty { faults.append("no end") }
      let isOrdered = zip(delivered, delivered.dropFirst()).allSatisfy { $0 < $1 }
      if !isOrdered { faults.append("out of order") }
      let mayLose = isCancelled || ending == .failure(Failing()) || conflates
      if !mayLose, delivered != accepted { faults.append("lost \(accepted) against \(delivered)") }
      if conflates, !isCancelled, ending != .failure(Failing()), delivered.last != accepted.last {
        faults.append("the newest value is missing")
      }
      return faults
    }
  }

  @Test(arguments: [false, true])
  func `no order of six inputs breaks a rule`(conflates: Bool) {
    var worlds = 0
    var faults: [String] = []
    func explore(_ world: World, _ path: [Input]) {
      var settled = world
      let found = settled.settle()
      if !found.isEmpty, faults.count < 5 { faults.append("\(path): \(found)") }
      worlds += 1
      guard path.count < 6 else { return }
      for input in Input.allCases {
        var next = world
        next.play(input)
        explore(next, path + [input])
      }
    }
    explore(World(conflates: conflates), [])
    #expect(faults == [])
    #expect(worlds == (0...6).reduce(0) { sum, length in sum + (0..<length).reduce(1) { product, _ in product * 9 } })
  }
}

@Suite struct RingTests {
  @Test func `a ring behaves like an array`() {
    var ring = Ring<Int>()
    var array: [Int] = []
    var random = SeededGenerator(seed: 7)
    for step in 0..<5_000 {
      switch Int.random(in: 0..<5, using: &random) {
      case 0, 1, 2:
        ring.append(step)
        array.append(step)
      case 3:
        #expect(ring.popFirst() == (array.isEmpty ? nil : array.removeFirst()))
      default:
        #expect(ring.removeLast() == array.popLast())
      }
      #expect(ring.count == array.count && ring.isEmpty == array.isEmpty)
    }
    while let value = ring.popFirst() { #expect(value == array.removeFirst()) }
    #expect(array == [])
  }
}
