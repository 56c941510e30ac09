public import Reactive

/// When something happens while a script is played: in which step, and at which virtual time.
public struct FuzzMoment: Hashable, Comparable, Sendable {
  /// The step; -1 before the first.
  public let step: Int
  /// The virtual time.
  public let time: TestScheduler.SchedulerTimeType

  /// Before the first step, when the chain is subscribed to.
  public static let start = FuzzMoment(step: -1, time: .init(0))

  /// Whether the left one is earlier.
  public static func < (lhs: FuzzMoment, rhs: FuzzMoment) -> Bool {
    lhs.step == rhs.step ? lhs.time < rhs.time : lhs.step < rhs.step
  }
}

/// What a publisher sends.
public enum FuzzEvent: Hashable, Sendable {
  /// A value.
  case value(Int)
  /// The end.
  case end(Subscribers.Completion<TestFailure>)
}

/// All that one subscription to a publisher gives, in its order, as a model sees it: as early as it can be known.
public struct FuzzTrace: Sendable {
  /// The events, with their moments; an end is the last.
  public private(set) var events: [(moment: FuzzMoment, event: FuzzEvent)] = []
  /// Whether there was an end.
  public private(set) var hasEnded = false
  /// The moment of what is sent next.
  public internal(set) var now: FuzzMoment

  /// Nothing so far.
  ///
  /// - Parameter moment: The moment of what is sent first.
  public init(at moment: FuzzMoment) {
    now = moment
  }

  /// Adds a value, unless there was an end.
  ///
  /// - Parameter value: The value.
  public mutating func send(_ value: Int) {
    add(.value(value), at: now)
  }

  /// Adds some values, unless there was an end.
  ///
  /// - Parameter values: The values.
  public mutating func send(_ values: [Int]) {
    for value in values { send(value) }
  }

  /// Adds a normal end, unless there was an end.
  public mutating func finish() {
    end(.finished)
  }

  /// Adds a failure, unless there was an end.
  ///
  /// - Parameter failure: The error.
  public mutating func fail(_ failure: TestFailure) {
    end(.failure(failure))
  }

  /// Adds an end, unless there was one.
  ///
  /// - Parameter completion: How.
  public mutating func end(_ completion: Subscribers.Completion<TestFailure>) {
    add(.end(completion), at: now)
  }

  /// Adds an event, unless there was an end.
  ///
  /// - Parameter event: The event.
  public mutating func add(_ event: FuzzEvent) {
    add(event, at: now)
  }

  /// Adds events with their moments, unless there was an end.
  ///
  /// - Parameter events: The events.
  public mutating func append<S: Sequence>(_ events: S) where S.Element == (moment: FuzzMoment, event: FuzzEvent) {
    for (moment, event) in events {
      now = max(now, moment)
      add(event, at: now)
    }
  }

  mutating func add(_ event: FuzzEvent, at moment: FuzzMoment) {
    guard !hasEnded else { return }
    events.append((moment, event))
    if case .end = event { hasEnded = true }
  }

  /// The values alone.
  var values: [(moment: FuzzMoment, value: Int)] {
    events.compactMap { moment, event in if case .value(let value) = event { (moment, value) } else { nil } }
  }

  /// The end, if there was one.
  var ending: (moment: FuzzMoment, completion: Subscribers.Completion<TestFailure>)? {
    guard case (let moment, .end(let completion))? = events.last else { return nil }
    return (moment, completion)
  }
}

/// The virtual time of a script: which of its steps move it, and how far.
struct FuzzClock {
  private var advances: [(step: Int, target: TestScheduler.SchedulerTimeType)] = []

  mutating func advance(to target: TestScheduler.SchedulerTimeType, in step: Int) {
    advances.append((step, target))
  }

  /// When work runs that was planned; nil when the script has ended before.
  ///
  /// - Parameters:
  ///   - due: The time for which it was planned.
  ///   - moment: When it was planned.
  func firing(_ due: TestScheduler.SchedulerTimeType, after moment: FuzzMoment) -> FuzzMoment? {
    var (low, high) = (0, advances.count)
    while low < high {
      let middle = (low + high) / 2
      if advances[middle].step < moment.step || advances[middle].target < due {
        low = middle + 1
      } else {
        high = middle
      }
    }
    return low < advances.count ? FuzzMoment(step: advances[low].step, time: max(due, moment.time)) : nil
  }
}
