internal import Reactive

/// Holds a thread inside a signal until it is opened: the order of two threads is then no matter of luck.
///
/// `TestSubscriber.park(at:)` makes one for a signal. In a closure of the test's own, `pass()` is where threads park.
public final class Gate: Sendable {
  private enum Phase {
    case armed
    case occupied
    case open
  }

  private let phase = WaitableState(Phase.armed)

  /// Makes a gate that is shut.
  public init() {}

  /// Waits until a thread is parked inside the signal.
  ///
  /// - Parameter limit: How long; after that the gate opens, so that nobody stays parked.
  /// - Throws: `TimedOut` when nobody came in time.
  public func waitUntilParked(atMost limit: Duration = .seconds(10)) throws {
    guard !phase.wait(atMost: limit, until: { $0 == .occupied }) else { return }
    open()
    throw TimedOut(waitingFor: "a thread to park", limit: limit)
  }

  /// Lets the parked thread go on, and everybody who comes later pass.
  public func open() {
    phase.withLock { $0 = .open }
  }

  /// Parks the calling thread until the gate is opened; does nothing once it has been.
  public func pass() {
    let isOpen = phase.withLock { phase in
      if phase != .open { phase = .occupied }
      return phase == .open
    }
    if !isOpen { _ = phase.wait(atMost: nil) { $0 == .open } }
  }
}

/// Chooses a signal to a subscriber.
public enum SignalSelector: Hashable, Sendable {
  /// The subscription.
  case subscription
  /// A value: the first is 1.
  case value(Int)
  /// The completion.
  case completion
}

/// Something did not happen in time.
public struct TimedOut: Error, Hashable, Sendable, CustomStringConvertible {
  /// What was waited for.
  public let waitingFor: String
  /// How long it was waited for.
  public let limit: Duration

  /// What was waited for, and how long.
  public var description: String { "waited \(limit) for \(waitingFor)" }
}

/// An error for tests; all are equal unless they are named.
public struct TestFailure: Error, Hashable, Sendable, CustomStringConvertible {
  /// What tells it from others.
  public let name: String

  /// Makes an error.
  ///
  /// - Parameter name: What tells it from others.
  public init(_ name: String = "") {
    self.name = name
  }

  /// `TestFailure` and the name.
  public var description: String { name.isEmpty ? "TestFailure" : "TestFailure(\(name))" }
}
