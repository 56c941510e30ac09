internal import Reactive
internal import Synchronization

/// States that parties meet at, one after the other: what races and histories are made of.
///
/// Each party has a thread of its own and goes through the states in their order. At each they wait until all are there,
/// and go on at the same moment but for a pause that the seed decides.
final class Batch<State>: @unchecked Sendable {
  // Sendable: a state is touched by the parties of its round, whose business that is; the rest is constant or atomic.

  /// The states; to be looked at before and after a run.
  let states: [State]
  private let skew: Int
  private let seed: UInt64
  /// How often a party has come to a state.
  private let arrivals = Atomic<Int>(0)
  /// How often a party has found the others there, and is awake.
  private let starts = Atomic<Int>(0)

  /// Makes a batch.
  ///
  /// - Parameters:
  ///   - states: One for each round; about 512 make the threads cheap beside the rounds.
  ///   - skew: How many turns of a loop a pause may last.
  ///   - seed: Decides the pauses.
  init(_ states: [State], skew: Int, seed: UInt64) {
    self.states = states
    self.skew = skew
    self.seed = seed
  }

  /// Lets parties go through the states, once in the life of a batch.
  ///
  /// - Parameters:
  ///   - limit: How long to wait for them.
  ///   - parties: What each does with a state; by the pace it can pause again between two steps.
  /// - Returns: Whether all have come back; else the states are still theirs.
  func run(atMost limit: Duration, _ parties: [(State, inout Pace) -> Void]) -> Bool {
    let threads = parties.enumerated().map { index, act in
      TestThread { [self] in
        var pace = Pace(skew: skew, seed: seed &* UInt64(parties.count) &+ UInt64(index))
        for (round, state) in states.enumerated() {
          let everybody = (round + 1) * parties.count
          arrive(at: arrivals, untilThereAre: everybody, turns: 5000)
          // A party that has slept wakes up late. Without a second meeting it would begin late too, and the other one
          // would be the one to sleep in the next round.
          arrive(at: starts, untilThereAre: everybody, turns: 100_000)
          pace.pause()
          act(state, &pace)
        }
      }
    }
    let deadline = ContinuousClock.now + limit
    return threads.allSatisfy { $0.join(atMost: deadline - .now) }
  }

  /// Cancels the states that can be cancelled, after their verdict: a probe that keeps its subscription, as probes do,
  /// would else stay for ever.
  func letGo() {
    guard State.self is any Cancellable.Type else { return }
    for state in states { (state as? any Cancellable)?.cancel() }
  }

  /// Waits for the other parties.
  ///
  /// - Parameters:
  ///   - gate: Counts who has come.
  ///   - count: How many have to come.
  ///   - limit: How many turns of a loop to wait before sleeping: another party may have no core, and get this one.
  private func arrive(at gate: borrowing Atomic<Int>, untilThereAre count: Int, turns limit: Int) {
    gate.wrappingAdd(1, ordering: .acquiringAndReleasing)
    var turns = 0
    while gate.load(ordering: .acquiring) < count {
      turns += 1
      if turns % limit == 0 { TestThread.nap() }
    }
  }
}

/// The pauses of one party.
struct Pace {
  private var generator: SeededGenerator
  private let skew: Int

  init(skew: Int, seed: UInt64) {
    generator = SeededGenerator(seed: seed)
    self.skew = skew
  }

  /// Pauses for a number of turns, up to the skew.
  mutating func pause() {
    guard skew > 0 else { return }
    TestThread.spin(generator.next() % UInt64(skew + 1))
  }
}
