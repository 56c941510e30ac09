import Foundation
import Synchronization

/// Two parties that meet at the same state at the same moment, many times over.
///
/// The calling thread is one party. States are made in batches, and verdicts come after a batch, so that nothing but
/// the meeting itself happens near it. Each party waits a random moment after the meeting, within a skew that is swept.
struct Race<State> {
  let make: () -> State
  let first: (State) -> Void
  let second: (State) -> Void

  /// Makes a scenario.
  ///
  /// - Parameters:
  ///   - make: Makes a state for the two to meet at.
  ///   - first: What the calling thread does with it.
  ///   - second: What the other thread does with it.
  init(make: @escaping () -> State, first: @escaping (State) -> Void, second: @escaping (State) -> Void) {
    self.make = make
    self.first = first
    self.second = second
  }

  /// Lets the two meet, and counts the states that are not as they should be.
  ///
  /// - Parameter isRight: The verdict on a state after both are done.
  func faults(rounds: Int = raceRounds, seed: UInt64 = 1, isRight: (State) -> Bool) -> Int {
    var faults = 0
    for skew in [0, 64, 512] as [UInt64] {
      var left = rounds
      var batchSeed = seed
      while left > 0 {
        let states = (0..<min(left, 512)).map { _ in make() }
        batch(states, skew: skew, seed: batchSeed)
        for state in states where !isRight(state) { faults += 1 }
        left -= states.count
        batchSeed &+= 1
      }
    }
    return faults
  }

  private func batch(_ states: [State], skew: UInt64, seed: UInt64) {
    let meeting = Meeting()
    let shared = Unprotected(states)
    let action = Unprotected(second)
    let done = DispatchSemaphore(value: 0)
    Thread.detachNewThread {
      Self.party(shared.value, meeting, skew: skew, seed: seed &* 2 &+ 1, action.value)
      done.signal()
    }
    Self.party(states, meeting, skew: skew, seed: seed &* 2, first)
    done.wait()
  }

  private static func party(
    _ states: [State], _ meeting: Meeting, skew: UInt64, seed: UInt64, _ action: (State) -> Void
  ) {
    var random = seed
    for (index, state) in states.enumerated() {
      meeting.arrive(at: index)
      if skew > 0 {
        random = random &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        for _ in 0..<(random >> 33) % skew { meeting.spin() }
      }
      action(state)
    }
  }
}

/// Where the parties wait for each other.
private final class Meeting: Sendable {
  private let arrivals = Atomic<Int>(0)

  func arrive(at index: Int) {
    arrivals.add(1, ordering: .acquiringAndReleasing)
    var turns = 0
    while arrivals.load(ordering: .acquiring) < (index + 1) * 2 {
      turns += 1
      // On a busy machine the other party may not be running at all.
      if turns % 200 == 0 { sched_yield() }
    }
  }

  func spin() {
    _ = arrivals.load(ordering: .relaxed)
  }
}

/// The rounds per scenario and skew; a nightly run raises them.
let raceRounds = ProcessInfo.processInfo.environment["REACTIVE_RACE_ROUNDS"].flatMap(Int.init) ?? 7_000

/// A list that several threads append to.
final class Log<Element>: @unchecked Sendable {
  private let lock = NSLock()
  private var elements: [Element] = []

  func append(_ element: Element) {
    lock.withLock { elements.append(element) }
  }

  var all: [Element] { lock.withLock { elements } }
}

/// Something that one thread says once and others may ask.
final class Flag: Sendable {
  private let value = Atomic<Bool>(false)

  var isSet: Bool { value.load(ordering: .sequentiallyConsistent) }

  func set() { value.store(true, ordering: .sequentiallyConsistent) }
}

/// Parks the thread that enters until the test lets it go.
final class Gate: @unchecked Sendable {
  private let reached = DispatchSemaphore(value: 0)
  private let opened = DispatchSemaphore(value: 0)

  /// Called by the thread that parks.
  func park() {
    reached.signal()
    opened.wait()
  }

  /// Waits until a thread has parked.
  ///
  /// - Returns: Whether one did before the deadline.
  func waitUntilParked(seconds: Double = 20) -> Bool {
    reached.wait(timeout: .now() + seconds) == .success
  }

  func open() {
    opened.signal()
  }
}

/// Runs a closure on another thread.
///
/// - Returns: Waits until it is done; false after a deadline.
func onOtherThread(_ body: @escaping () -> Void) -> (_ seconds: Double) -> Bool {
  let done = DispatchSemaphore(value: 0)
  let run = Unprotected(body)
  Thread.detachNewThread {
    run.value()
    done.signal()
  }
  return { done.wait(timeout: .now() + $0) == .success }
}
