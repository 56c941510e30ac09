import Foundation
import Retrievers
import Synchronization
import Testing

/// Two threads at a time, thousands of times: nobody ends stale, goes backwards, or is left out.
@Suite(.serialized) struct RaceTests {
  #if REACTIVE_TSAN
    static let rounds = 6_000
  #else
    static let rounds = 21_000
  #endif

  /// The result of a fetch: what was read, when the call that made the fetch came, and when the closure ended.
  ///
  /// When the closure begins would say nothing: a thread may be stopped just before, where nobody can see it.
  struct Reading: Defaultable, Sendable {
    var version = -1
    var call = 0
    var end = 0
    static var defaultValue: Reading { Reading() }
  }

  /// A retriever over a version number, and what one subscriber saw of it.
  final class Round: @unchecked Sendable {
    // Sendable: what is not atomic is touched as the retriever delivers, serially, and after the round.
    let version = Atomic(0)
    let clock = Atomic(0)
    var retriever: Retriever<Reading>? = Retriever()
    var token: AnyCancellable?
    var seen: [Reading] = []
    var completions = 0
    private let isInside = Atomic(false)
    private var wasNested = false
    private let maker = pthread_self()
    private var callOfMaker = 0
    private var callOfOther = 0

    init(isSubscribed: Bool) {
      retriever?.toRetrieveDo { [unowned self] in
        let read = version.load(ordering: .sequentiallyConsistent)
        let call = isMaker ? callOfMaker : callOfOther
        return Reading(version: read, call: call, end: clock.add(1, ordering: .sequentiallyConsistent).newValue)
      }
      if isSubscribed { subscribe() }
    }

    func subscribe(then react: @escaping (Reading) -> Void = { _ in }) {
      call {
        token = retriever?.projectedValue.sink(
          receiveCompletion: { [unowned self] _ in completions += 1 },
          receiveValue: { [unowned self] reading in
            if isInside.exchange(true, ordering: .relaxed) { wasNested = true }
            seen.append(reading)
            react(reading)
            isInside.store(false, ordering: .relaxed)
          })
      }
    }

    func change() {
      version.add(1, ordering: .sequentiallyConsistent)
      call { retriever?.triggerUpdate() }
    }

    private var isMaker: Bool { pthread_equal(pthread_self(), maker) != 0 }

    /// Notes when a call comes, for the fetches that it makes on this thread.
    private func call(_ body: () -> Void) {
      let now = clock.add(1, ordering: .sequentiallyConsistent).newValue
      let outer = isMaker ? callOfMaker : callOfOther
      note(now)
      body()
      note(outer)
    }

    private func note(_ time: Int) {
      if isMaker { callOfMaker = time } else { callOfOther = time }
    }

    /// What went wrong, when the last value has to be of this version.
    func faults(lastVersion: Int) -> [String] {
      token?.cancel()
      var faults: [String] = []
      if seen.isEmpty { faults.append("left out") }
      if seen.last?.version != lastVersion { faults.append("stale") }
      // A value whose fetch was over before anybody asked for the value before it.
      if zip(seen, seen.dropFirst()).contains(where: { $1.end < $0.call }) { faults.append("backwards") }
      if wasNested { faults.append("nested") }
      return faults
    }
  }

  @Test func `a subscription against an update`() {
    let faults = race(rounds: Self.rounds) {
      Round(isSubscribed: false)
    } between: { round in
      round.change()
    } and: { round in
      round.subscribe()
    } verdict: { round in
      round.faults(lastVersion: 1)
    }
    #expect(faults == [:])
  }

  @Test func `an update against two updates`() {
    let faults = race(rounds: Self.rounds) {
      Round(isSubscribed: true)
    } between: { round in
      round.change()
    } and: { round in
      round.change()
      round.change()
    } verdict: { round in
      round.faults(lastVersion: 3)
    }
    #expect(faults == [:])
  }

  @Test func `an update against an observer that updates`() {
    let faults = race(rounds: Self.rounds) { () -> Round in
      let round = Round(isSubscribed: false)
      round.subscribe { [unowned round] in if $0.version == 1 { round.change() } }
      return round
    } between: { round in
      round.change()
    } and: { round in
      round.retriever?.triggerUpdate()
    } verdict: { round in
      // It changes the version again each time it sees the first change.
      round.faults(lastVersion: round.version.load(ordering: .relaxed))
    }
    #expect(faults == [:])
  }

  @Test func `two subscriptions against three updates`() {
    let faults = race(rounds: Self.rounds) {
      (round: Round(isSubscribed: false), other: Recorder<Reading>(.unlimited))
    } between: { state in
      state.round.retriever?.projectedValue.subscribe(state.other)
      state.round.change()
    } and: { state in
      state.round.change()
      state.round.subscribe()
      state.round.change()
    } verdict: { state in
      state.round.faults(lastVersion: 3) + (state.other.values.last?.version == 3 ? [] : ["the other one is stale"])
    }
    #expect(faults == [:])
  }

  @Test(arguments: [Subscribers.Demand.max(1), .none]) func `requests against an update`(initial: Subscribers.Demand) {
    let faults = race(rounds: Self.rounds) { () -> (round: Round, recorder: Recorder<Reading>) in
      let state = (round: Round(isSubscribed: false), recorder: Recorder<Reading>(initial))
      state.round.retriever?.projectedValue.subscribe(state.recorder)
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
    #expect(faults == [:])
  }

  @Test func `a cancel against an update`() {
    let faults = race(rounds: Self.rounds) {
      Round(isSubscribed: true)
    } between: { round in
      round.change()
    } and: { round in
      round.token?.cancel()
    } verdict: { round in
      let count = round.seen.count
      round.change()
      return round.seen.count == count ? [] : ["a value after the cancel"]
    }
    #expect(faults == [:])
  }

  @Test func `the end against an update and a subscription`() {
    struct Scene {
      let round = Round(isSubscribed: true)
      let trigger = PassthroughSubject<Void, Never>()
      let publisher: AnyPublisher<Reading, Never>
      let late = Recorder<Reading>(.max(1))

      init() {
        publisher = round.retriever!.projectedValue
        round.retriever?.triggerUpdate(on: trigger)
      }
    }
    let faults = race(rounds: Self.rounds) {
      Scene()
    } between: { scene in
      scene.round.retriever = nil
    } and: { scene in
      scene.trigger.send()
      scene.publisher.subscribe(scene.late)
    } verdict: { scene in
      var faults = scene.round.completions == 1 ? [] : ["not finished"]
      if scene.late.completions != 1 { faults.append("late one not finished") }
      if scene.late.values.count > 1 { faults.append("more than was requested") }
      return faults
    }
    #expect(faults == [:])
  }

  @Test func `a new closure against updates`() {
    let alive = Log<Int>()
    let faults = race(rounds: Self.rounds) {
      Round(isSubscribed: true)
    } between: { round in
      for _ in 0..<3 {
        alive.append(1)
        let witness = Witness { alive.append(-1) }
        round.retriever?.toRetrieveDo { withExtendedLifetime(witness) { Reading(version: 7, end: .max) } }
      }
    } and: { round in
      for _ in 0..<3 { round.retriever?.triggerUpdate() }
    } verdict: { round in
      round.retriever?.triggerUpdate()
      let faults = round.faults(lastVersion: 7)
      round.retriever = nil
      return faults
    }
    #expect(faults == [:])
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
      Party {
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
