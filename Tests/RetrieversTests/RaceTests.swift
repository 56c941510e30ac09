import Foundation
import ReactiveTesting
import Retrievers
import Synchronization
import Testing

/// Two threads at a time, thousands of times: nobody ends stale, goes backwards, or is left out.
@Suite struct RaceTests {
  /// The result of a fetch: what was read, when the call that made the fetch came, and when the closure ended.
  ///
  /// When the closure begins would say nothing: a thread may be stopped just before, where nobody can see it.
  struct Reading: Defaultable, Sendable {
    var version = -1
    var call = 0
    var end = 0
    static var defaultValue: Reading { Reading() }
  }

  /// A retriever, or something faulty in its place.
  struct Machine {
    let retrieve: (@escaping () -> Reading) -> Void
    let update: () -> Void
    let updateOn: (PassthroughSubject<Void, Never>) -> Void
    let publisher: () -> AnyPublisher<Reading, Never>
    /// Makes what cancels a subscription of which the other parameter tells whether it is delivering.
    let cancelling: (AnyCancellable, _ isDelivering: @escaping () -> Bool) -> AnyCancellable

    static func real() -> Machine {
      let retriever = Retriever<Reading>()
      return Machine(
        retrieve: { retriever.toRetrieveDo($0) }, update: { retriever.triggerUpdate() },
        updateOn: { retriever.triggerUpdate(on: $0) }, publisher: { retriever.projectedValue },
        cancelling: { token, _ in token })
    }

    static func careless() -> Machine {
      let retriever = CarelessRetriever(initial: Reading())
      let tokens = Log<AnyCancellable>()
      return Machine(
        retrieve: { retriever.toRetrieveDo($0) }, update: { retriever.triggerUpdate() },
        updateOn: { trigger in tokens.append(trigger.sink { [weak retriever] in retriever?.triggerUpdate() }) },
        publisher: { retriever.projectedValue },
        // A cancel that meets a delivery is lost.
        cancelling: { token, isDelivering in
          tokens.append(token)
          return AnyCancellable { if !isDelivering() { token.cancel() } }
        })
    }
  }

  /// A retriever over a version number, and what one subscriber saw of it.
  final class Round: @unchecked Sendable {
    // Sendable: what is not atomic is touched as the retriever delivers, serially, and after the round.
    let version = Atomic(0)
    let clock = Atomic(0)
    var machine: Machine?
    var token: AnyCancellable?
    private(set) var seen: [Reading] = []
    let completions = Atomic(0)
    private let turnstile = Turnstile()
    private let isDelivering = Atomic(false)
    private let wasNested = Atomic(false)
    private let calls = Calls()

    init(_ machine: Machine, isSubscribed: Bool, then react: @escaping (Reading) -> Void = { _ in }) {
      self.machine = machine
      machine.retrieve { [unowned self] in
        let read = version.load(ordering: .sequentiallyConsistent)
        return Reading(
          version: read, call: calls.current.time, end: clock.add(1, ordering: .sequentiallyConsistent).newValue)
      }
      if isSubscribed { subscribe(then: react) }
    }

    func subscribe(then react: @escaping (Reading) -> Void = { _ in }) {
      call {
        guard let machine else { return }
        let sink = machine.publisher().sink(
          receiveCompletion: { [weak self] _ in self?.completions.add(1, ordering: .relaxed) },
          receiveValue: { [weak self] reading in self?.note(reading, react) })
        token = machine.cancelling(sink) { [weak self] in self?.isDelivering.load(ordering: .relaxed) == true }
      }
    }

    private func note(_ reading: Reading, _ react: (Reading) -> Void) {
      isDelivering.store(true, ordering: .relaxed)
      if turnstile.enter() {
        seen.append(reading)
        react(reading)
        turnstile.leave()
      } else {
        wasNested.store(true, ordering: .relaxed)
      }
      isDelivering.store(false, ordering: .relaxed)
    }

    func change() {
      version.add(1, ordering: .sequentiallyConsistent)
      update()
    }

    func update() {
      call { machine?.update() }
    }

    /// Notes when a call comes, for the fetches that it makes on this thread.
    private func call(_ body: () -> Void) {
      let current = calls.current
      let outer = current.time
      current.time = clock.add(1, ordering: .sequentiallyConsistent).newValue
      body()
      current.time = outer
    }

    /// What went wrong, when the last value has to be of this version.
    func faults(lastVersion: Int) -> [String] {
      token?.cancel()
      var faults: [String] = []
      if seen.isEmpty { faults.append("left out") }
      if seen.last?.version != lastVersion { faults.append("stale") }
      // A value whose fetch was over before anybody asked for the value before it.
      if zip(seen, seen.dropFirst()).contains(where: { $1.end < $0.call }) { faults.append("backwards") }
      if wasNested.load(ordering: .relaxed) { faults.append("nested") }
      return faults
    }
  }

  /// For each of the three threads of a round the time of the call that it is in.
  private final class Calls: @unchecked Sendable {
    // Sendable: each thread touches a call of its own.
    final class Call {
      var time = 0
    }

    private let calls = [Call(), Call(), Call()]
    private let maker = Calls.thread
    private let first = Atomic<UInt>(0)

    private static var thread: UInt { UInt(bitPattern: ObjectIdentifier(Thread.current)) }

    /// That of the calling thread.
    var current: Call {
      let thread = Self.thread
      if thread == maker { return calls[0] }
      let (_, first) = first.compareExchange(expected: 0, desired: thread, ordering: .relaxed)
      return first == 0 || first == thread ? calls[1] : calls[2]
    }
  }

  /// Runs a race whose verdict names faults.
  private func race<State>(
    _ rule: Rule, name: String = #function, make: @escaping (Machine) -> State,
    between first: @escaping (State) -> Void,
    and second: @escaping (State) -> Void, verdict: @escaping (State) -> [String]
  ) async throws {
    try await Race(
      name, make: { make(.real()) }, first: first, second: second,
      check: { state in verdict(state).map { Violation(rule, $0) } }
    ).verify(twin: { make(.careless()) })
  }

  @Test func `a subscription against an update`() async throws {
    try await race(.c10) {
      Round($0, isSubscribed: false)
    } between: { round in
      round.change()
    } and: { round in
      round.subscribe()
    } verdict: { round in
      round.faults(lastVersion: 1)
    }
  }

  @Test func `an update against two updates`() async throws {
    try await race(.c07) {
      Round($0, isSubscribed: true)
    } between: { round in
      round.change()
    } and: { round in
      round.change()
      round.change()
    } verdict: { round in
      round.faults(lastVersion: 3)
    }
  }

  @Test func `an update against an observer that updates`() async throws {
    try await race(.c08) { machine -> Round in
      let round = Round(machine, isSubscribed: false)
      round.subscribe { [unowned round] in if $0.version == 1 { round.change() } }
      return round
    } between: { round in
      round.change()
    } and: { round in
      round.machine?.update()
    } verdict: { round in
      // It changes the version again each time it sees the first change.
      round.faults(lastVersion: round.version.load(ordering: .relaxed))
    }
  }

  @Test func `two subscriptions against three updates`() async throws {
    try await race(.c10) {
      (round: Round($0, isSubscribed: false), other: Recorder<Reading>(.unlimited))
    } between: { state in
      state.round.machine?.publisher().subscribe(state.other)
      state.round.change()
    } and: { state in
      state.round.change()
      state.round.subscribe()
      state.round.change()
    } verdict: { state in
      state.round.faults(lastVersion: 3) + (state.other.values.last?.version == 3 ? [] : ["the other one is stale"])
    }
  }

  @Test(arguments: [Subscribers.Demand.max(1), .none])
  func `requests against an update`(initial: Subscribers.Demand) async throws {
    try await race(.c10) { machine -> (round: Round, recorder: Recorder<Reading>) in
      let state = (round: Round(machine, isSubscribed: false), recorder: Recorder<Reading>(initial))
      machine.publisher().subscribe(state.recorder)
      return state
    } between: { state in
      state.round.change()
    } and: { state in
      state.recorder.subscription?.request(.max(1))
      state.recorder.subscription?.request(.max(1))
    } verdict: { state in
      var faults = state.recorder.values.last?.version == 1 ? [] : ["stale"]
      if state.recorder.values.count > 3 { faults.append("more than was requested") }
      return faults
    }
  }

  @Test func `a cancel against an update`() async throws {
    try await race(.c13) {
      Round($0, isSubscribed: true) { _ in TestThread.linger() }
    } between: { round in
      round.change()
    } and: { round in
      round.token?.cancel()
    } verdict: { round in
      let count = round.seen.count
      round.change()
      return round.seen.count == count ? [] : ["a value after the cancel"]
    }
  }

  @Test func `the end against an update and a subscription`() async throws {
    struct Scene {
      let round: Round
      let trigger = PassthroughSubject<Void, Never>()
      let publisher: AnyPublisher<Reading, Never>
      let late = Recorder<Reading>(.max(1))

      init(_ machine: Machine) {
        round = Round(machine, isSubscribed: true)
        publisher = machine.publisher()
        machine.updateOn(trigger)
      }
    }
    try await race(.c17) {
      Scene($0)
    } between: { scene in
      scene.round.machine = nil
    } and: { scene in
      scene.trigger.send()
      scene.publisher.subscribe(scene.late)
    } verdict: { scene in
      var faults = scene.round.completions.load(ordering: .relaxed) == 1 ? [] : ["not finished"]
      if scene.late.completions != 1 { faults.append("late one not finished") }
      if scene.late.values.count > 1 { faults.append("more than was requested") }
      return faults
    }
  }

  @Test func `a new closure against updates`() async throws {
    let alive = Log<Int>()
    try await race(.c08) {
      Round($0, isSubscribed: true) { _ in TestThread.linger() }
    } between: { round in
      for _ in 0..<3 {
        alive.append(1)
        let witness = Witness { alive.append(-1) }
        round.machine?.retrieve { withExtendedLifetime(witness) { Reading(version: 7, end: .max) } }
      }
      round.machine?.update()
    } and: { round in
      for _ in 0..<3 { round.machine?.update() }
    } verdict: { round in
      round.machine?.update()
      let faults = round.faults(lastVersion: 7)
      round.machine = nil
      return faults
    }
    #expect(alive.all.reduce(0, +) == 0)
  }

  @Test func `four threads read, subscribe, cancel and update at once`() {
    let store = Guarded([0])
    let last = Log<[Int]>()
    let retriever = Retriever<[Int]>()
    retriever.toRetrieveDo { store.value }
    let token = retriever.projectedValue.sink { last.append($0) }
    let empty = Log<Int>()
    let parties = (0..<4).map { party in
      TestThread {
        for turn in 0..<2_000 {
          store.value = [party, turn]
          if retriever.wrappedValue.isEmpty { empty.append(turn) }
          let token = retriever.projectedValue.sink { if $0.isEmpty { empty.append(turn) } }
          if turn % 4 == party { retriever.triggerUpdate() }
          token.cancel()
        }
      }
    }
    for party in parties { #expect(party.join()) }
    #expect(empty.all.isEmpty)
    retriever.triggerUpdate()
    #expect(last.all.last == store.value)
    token.cancel()
  }
}
