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
  private let arrivals = Atomic<Int>(0)

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
          arrive(untilThereAre: (round + 1) * parties.count)
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

  private func arrive(untilThereAre count: Int) {
    arrivals.wrappingAdd(1, ordering: .acquiringAndReleasing)
    var turns = 0
    while arrivals.load(ordering: .acquiring) < count {
      turns += 1
      // Another party may have no core: then spinning only keeps it from getting one.
      if turns % 200 == 0 { TestThread.yield() }
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
    var turns = generator.next() % UInt64(skew + 1)
    while turns > 0 { turns = Self.down(turns) }
  }

  @inline(never)
  private static func down(_ turns: UInt64) -> UInt64 { turns - 1 }
}
