import Foundation
import Synchronization

/// Runs a closure on a thread of its own.
final class Party: Sendable {
  private let finished = DispatchSemaphore(value: 0)

  init(_ body: @escaping () -> Void) {
    // The test decides what the threads share: that is what it is about.
    nonisolated(unsafe) let body = body
    let finished = finished
    let thread = Thread {
      body()
      finished.signal()
    }
    thread.stackSize = 1 << 20
    thread.start()
  }

  /// Waits for the closure to return.
  ///
  /// - Returns: Whether it did within the time that means a deadlock.
  func join() -> Bool {
    finished.wait(timeout: .now() + 60) == .success
  }
}

/// A place where one thread waits until another one lets it go on.
final class Gate: Sendable {
  private let arrived = DispatchSemaphore(value: 0)
  private let opened = DispatchSemaphore(value: 0)

  /// Waits here until the gate opens.
  func pass() {
    arrived.signal()
    opened.wait()
  }

  /// Waits until somebody waits here.
  func waitForArrival() -> Bool {
    arrived.wait(timeout: .now() + 60) == .success
  }

  func open() {
    opened.signal()
  }
}

/// A value behind a lock that ThreadSanitizer understands.
final class Guarded<Value: Sendable>: @unchecked Sendable {
  private let lock = NSLock()
  private var guarded: Value

  init(_ value: Value) {
    guarded = value
  }

  var value: Value {
    get { lock.withLock { guarded } }
    set { lock.withLock { guarded = newValue } }
  }

  func update(_ body: (inout Value) -> Void) {
    lock.withLock { body(&guarded) }
  }
}

/// A list several threads append to.
final class Log<Element: Sendable>: Sendable {
  private let elements = Guarded<[Element]>([])

  func append(_ element: Element) {
    elements.update { $0.append(element) }
  }

  var all: [Element] { elements.value }
}

/// Lets two threads, the calling one and another, do something to each of many states at the same moment.
///
/// The states are made in batches, the two meet at each of them, and the verdicts come after the batch. Each waits a
/// random while first, of up to nothing, 64 or 512 turns: no single skew brings all collisions about.
///
/// - Parameter verdict: Names the faults of a state after both are done with it.
/// - Returns: How often each fault occurred.
func race<State>(
  rounds: Int, _ make: () -> State, between first: @escaping (State) -> Void, and second: @escaping (State) -> Void,
  verdict: (State) -> [String]
) -> [String: Int] {
  var faults: [String: Int] = [:]
  for skew in [UInt64(1), 64, 512] {
    var left = rounds / 3
    while left > 0 {
      let states = (0..<min(left, 512)).map { _ in make() }
      let meeting = Meeting()
      func run(_ body: (State) -> Void, seed: UInt64) {
        var random = seed
        for (round, state) in states.enumerated() {
          random = random &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
          meeting.meet(round + 1)
          meeting.idle((random >> 33) % skew)
          body(state)
        }
      }
      let other = Party { run(second, seed: UInt64(left) &+ 1_000_000) }
      run(first, seed: UInt64(left))
      guard other.join() else { return ["the other thread hangs": 1] }
      for fault in states.flatMap(verdict) { faults[fault, default: 0] += 1 }
      left -= states.count
    }
  }
  return faults
}

private final class Meeting: Sendable {
  private let arrivals = Atomic(0)

  func meet(_ round: Int) {
    arrivals.add(1, ordering: .acquiringAndReleasing)
    var spins = 0
    while arrivals.load(ordering: .acquiring) < 2 * round {
      spins += 1
      if spins % 1_000 == 0 { sched_yield() }
    }
  }

  func idle(_ turns: UInt64) {
    for _ in 0..<turns { _ = arrivals.load(ordering: .relaxed) }
  }
}
