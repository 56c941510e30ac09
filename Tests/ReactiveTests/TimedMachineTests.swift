import ReactiveTesting
import Testing

@testable import Reactive

/// Every order of a few inputs, without threads and without a scheduler.
@Suite struct TimedMachineTests {
  typealias Time = TestScheduler.SchedulerTimeType

  enum Input: CaseIterable {
    case value
    case requestOne
    case tick
    case longTick
    case finish
    case fail
  }

  struct Failing: Error, Equatable {}

  /// A machine with somebody who does what it says, and checks it.
  ///
  /// Time is counted in seconds.
  struct World<M: TimedMachine> where M.Input == Int, M.Failure == Failing {
    var machine: M
    var out = Outbox<M.Output, Failing, M.Time>()
    let time: (Int) -> M.Time
    let seconds: (M.Time) -> Int
    let repeats: Int?

    var now = 0
    var alarm: Int?
    var sent: [(value: Int, time: Int)] = []
    var demand = 0
    var asked = Subscribers.Demand.none
    var ending: (completion: Subscribers.Completion<Failing>, time: Int)?
    var delivered: [(output: M.Output, time: Int)] = []
    var end: (completion: Subscribers.Completion<Failing>, time: Int)?
    var hasExpired = false
    var faults: [String] = []

    init(_ machine: M, repeats: Int? = nil, time: @escaping (Int) -> M.Time, seconds: @escaping (M.Time) -> Int) {
      self.machine = machine
      self.repeats = repeats
      self.time = time
      self.seconds = seconds
      self.machine.started(at: time(0), &out)
      obey()
    }

    mutating func play(_ input: Input) {
      // The core lets the machine go with the end.
      guard end == nil else {
        now += input == .tick ? 1 : input == .longTick ? 3 : 0
        return
      }
      switch input {
      case .value:
        guard ending == nil, !hasExpired, asked > .none else { return }
        asked -= 1
        sent.append((sent.count + 1, now))
        machine.received(sent.count, at: time(now), &out)
      case .requestOne:
        demand += 1
        machine.requested(.max(1), at: time(now), &out)
      case .tick: pass(1)
      case .longTick: pass(3)
      case .finish, .fail:
        guard ending == nil, !hasExpired else { return }
        ending = (input == .finish ? .finished : .failure(Failing()), now)
        if let ending { machine.ended(ending.completion, at: time(now), &out) }
      }
      obey()
    }

    /// Lets time pass, alarms going off when they are due.
    mutating func pass(_ seconds: Int) {
      let target = now + seconds
      while let due = alarm, due <= target {
        now = max(now, due)
        alarm = repeats.map { due + $0 }
        machine.woke(at: time(now), &out)
        obey()
      }
      now = target
    }

    mutating func obey() {
      asked += out.demand
      switch out.alarm {
      case .keep: break
      case .set(let date): alarm = seconds(date)
      case .cancel: alarm = nil
      }
      (out.demand, out.alarm) = (.none, .keep)
      if out.isExpired {
        hasExpired = true
        out.isExpired = false
        out.ending = .finished
      }
      while let output = out.ready.popFirst() {
        if end != nil { faults.append("a value after the end") }
        demand -= 1
        if demand < 0 { faults.append("a value without demand") }
        delivered.append((output, now))
      }
      if let completion = out.ending {
        if end != nil { faults.append("two ends") }
        end = (completion, now)
        out.ending = nil
      }
      out.dropped = nil
    }

    /// Lets everything run out.
    mutating func settle() {
      for _ in 0..<8 { play(.requestOne) }
      for _ in 0..<20 { play(.tick) }
      if let ending {
        if end?.completion != ending.completion { faults.append("no end, or another one") }
        if alarm != nil { faults.append("an alarm is left") }
      }
    }

    var script: [String] { delivered.map { "\($0.output)@\($0.time)" } + (end.map { ["|@\($0.time)"] } ?? []) }
  }

  /// Plays all orders of up to six inputs.
  private func explore<M: TimedMachine>(
    _ start: World<M>, expected: (World<M>) -> [String]?
  ) -> (worlds: Int, faults: [String]) where M.Input == Int, M.Failure == Failing {
    var worlds = 0
    var faults: [String] = []
    func explore(_ world: World<M>, _ path: [Input]) {
      var settled = world
      settled.settle()
      if let expected = expected(settled), expected != settled.script {
        settled.faults.append("expected \(expected), got \(settled.script)")
      }
      if !settled.faults.isEmpty, faults.count < 5 { faults.append("\(path): \(settled.faults)") }
      worlds += 1
      guard path.count < 6 else { return }
      for input in Input.allCases {
        var next = world
        next.play(input)
        explore(next, path + [input])
      }
    }
    explore(start, [])
    return (worlds, faults)
  }

  private func world<M: TimedMachine>(_ machine: M, repeats: Int? = nil) -> World<M>
  where M.Input == Int, M.Failure == Failing, M.Time == Time {
    World(
      machine, repeats: repeats, time: { Time(.seconds($0)) }, seconds: { $0.elapsed.magnitude / 1_000_000_000 })
  }

  private let worlds = (0...6).reduce(0) { sum, length in sum + (0..<length).reduce(1) { product, _ in product * 6 } }

  @Test func `a hop delivers everything when it comes`() {
    let result = explore(World(HopMachine<Int, Failing>(), time: { _ in }, seconds: { 0 })) { world in
      world.sent.map { "\($0.value)@\($0.time)" } + (world.ending.map { ["|@\($0.time)"] } ?? [])
    }
    #expect(result == (worlds, []))
  }

  @Test func `a delay delivers everything later by the same time`() {
    let result = explore(world(DelayMachine<Int, Failing, Time>(2))) { world in
      world.sent.map { "\($0.value)@\($0.time + 2)" } + (world.ending.map { ["|@\($0.time + 2)"] } ?? [])
    }
    #expect(result == (worlds, []))
  }

  @Test func `a debounce delivers what nothing follows in time`() {
    var start = world(DebounceMachine<Int, Failing, Time>(2))
    for _ in 0..<6 { start.play(.requestOne) }
    let result = explore(start) { world in
      let values = world.sent.indices.filter { index in
        let due = world.sent[index].time + 2
        let isLast = index + 1 == world.sent.count
        // In one moment, the alarm comes before what is played then.
        return isLast ? world.ending.map { due <= $0.time } ?? true : due <= world.sent[index + 1].time
      }
      return values.map { "\(world.sent[$0].value)@\(world.sent[$0].time + 2)" }
        + (world.ending.map { ["|@\($0.time)"] } ?? [])
    }
    #expect(result == (worlds, []))
  }

  @Test(arguments: [true, false])
  func `a throttle delivers one value in each interval`(latest: Bool) {
    var start = world(ThrottleMachine<Int, Failing, Time>(2, latest: latest))
    for _ in 0..<6 { start.play(.requestOne) }
    let result = explore(start) { world in
      var script: [String] = []
      var last: Int?
      var rest = world.sent[...]
      while let first = rest.popFirst() {
        guard let free = last.map({ $0 + 2 }), free > first.time else {
          last = first.time
          script.append("\(first.value)@\(first.time)")
          continue
        }
        var chosen = first.value
        while let next = rest.first, next.time < free {
          if latest { chosen = next.value }
          rest.removeFirst()
        }
        last = free
        script.append("\(chosen)@\(free)")
      }
      guard let ending = world.ending else { return script }
      let time = Swift.max(ending.time, world.delivered.last?.time ?? 0)
      return script + ["|@\(time)"]
    }
    #expect(result == (worlds, []))
  }

  @Test func `a timeout ends when nothing has come for too long`() {
    var start = world(TimeoutMachine<Int, Failing, Time>(3))
    for _ in 0..<6 { start.play(.requestOne) }
    let result = explore(start) { world in
      let over = (world.sent.last?.time ?? 0) + 3
      let gaps = zip([0] + world.sent.map(\.time), world.sent.map(\.time)).allSatisfy { $1 < $0 + 3 }
      guard gaps else { return ["a value after the time"] }
      return world.sent.map { "\($0.value)@\($0.time)" } + ["|@\(world.ending?.time ?? over)"]
    }
    #expect(result == (worlds, []))
  }

  @Test(arguments: [nil, 2])
  func `groups hold every value once and in order, and a failure drops at most the last`(count: Int?) {
    let result = explore(world(GroupMachine<Int, Failing, Time>(2, count: count), repeats: 2)) { world in
      let values = world.delivered.flatMap(\.output)
      let isWhole = values == world.sent.map(\.value)
      let isPrefix = values == Array(world.sent.map(\.value).prefix(values.count))
      let failed = world.ending?.completion == .failure(Failing())
      let fits = world.delivered.allSatisfy { !$0.output.isEmpty && $0.output.count <= count ?? .max }
      return fits && (isWhole || failed && isPrefix) ? nil : ["groups that are not right"]
    }
    #expect(result == (worlds, []))
  }
}
