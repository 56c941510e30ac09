internal import Dispatch
public import Foundation
public import Reactive

extension OperationQueue: Scheduler {
  /// A point in time: a date.
  public struct SchedulerTimeType: SchedulerDate {
    /// The date.
    public var date: Date

    /// Makes a point in time.
    public init(_ date: Date) {
      self.date = date
    }

    /// A length of time in seconds.
    public struct Stride: SchedulerDateStride {
      /// The number of seconds, with its sign.
      public var magnitude: TimeInterval

      /// Makes a length from seconds.
      public init(_ timeInterval: TimeInterval) {
        magnitude = timeInterval
      }
    }
  }

  /// There are no options to choose.
  public struct SchedulerOptions {}

  /// The present date.
  public var now: SchedulerTimeType { SchedulerTimeType(Date()) }

  /// No tolerance.
  public var minimumTolerance: SchedulerTimeType.Stride { 0 }

  /// Runs an action as an operation of the queue; several at once, and in no order, if the queue allows that.
  public func schedule(options: SchedulerOptions?, _ action: @escaping () -> Void) {
    nonisolated(unsafe) let action = action
    addOperation { action() }
  }

  /// Runs an action as an operation that is ready at a date or, within the tolerance, later.
  ///
  /// The queue counts the operation from now on, so it can be waited for and cancelled like every other.
  ///
  /// - Parameters:
  ///   - date: When; a date that has passed means as soon as possible.
  ///   - tolerance: How much later it may run; a negative one counts as none.
  ///   - options: There are none.
  ///   - action: What to run.
  public func schedule(
    after date: SchedulerTimeType, tolerance: SchedulerTimeType.Stride, options: SchedulerOptions?,
    _ action: @escaping () -> Void
  ) {
    TimedOperation(action).enqueue(on: self, at: date.date, tolerance: tolerance.magnitude)
  }

  /// Runs an action as an operation at a date, and then as another one at each interval.
  ///
  /// Runs do not overlap, and those that were missed while the queue was busy are left out. Cancelling the queue's
  /// operations ends the repetition.
  ///
  /// - Parameters:
  ///   - date: When it runs first.
  ///   - interval: The time between two runs; a tenth of a millisecond at least.
  ///   - tolerance: How much later it may run; a negative one counts as none.
  ///   - options: There are none.
  ///   - action: What to run.
  /// - Returns: Ends the repetition, and releases the action, when cancelled or released.
  public func schedule(
    after date: SchedulerTimeType, interval: SchedulerTimeType.Stride, tolerance: SchedulerTimeType.Stride,
    options: SchedulerOptions?, _ action: @escaping () -> Void
  ) -> any Cancellable {
    let repetition = OperationRepetition(
      every: interval.magnitude.repeatable, tolerance: tolerance.magnitude, on: self, action)
    repetition.arm(at: date.date.schedulable)
    return AnyCancellable { repetition.cancel() }
  }
}

/// An operation that is in its queue already and waits for a date.
///
/// What it waits for is another operation, which is in no queue and is started at the date: readiness by dependency
/// works alike on every platform.
private struct TimedOperation {
  private let operation: BlockOperation
  private let admission: ScheduledAction

  init(_ action: @escaping () -> Void) {
    nonisolated(unsafe) let action = action
    let gate = Operation()
    admission = ScheduledAction { gate.start() }
    operation = BlockOperation { action() }
    operation.addDependency(gate)
  }

  func enqueue(on queue: OperationQueue, at date: Date, tolerance: TimeInterval) {
    queue.addOperation(operation)
    let clock = DispatchQueue.global()
    clock.schedule(
      after: clock.now.advanced(by: .seconds(date.schedulable.timeIntervalSinceNow)),
      tolerance: .seconds(tolerance)
    ) { admission.runOnce() }
  }

  /// Takes the operation out of the queue, if it has not started.
  func cancel() {
    operation.cancel()
    // A cancelled operation leaves its queue as soon as it is ready.
    admission.runOnce()
  }
}

/// An action that is put into a queue again at each interval.
private final class OperationRepetition: @unchecked Sendable {
  // Sendable: what changes is touched under the lock only.
  private let interval: TimeInterval
  private let tolerance: TimeInterval
  private let queue: OperationQueue
  private let scheduled: ScheduledAction

  private let lock = Lock()
  private var hasEnded = false
  private var waiting: TimedOperation?

  init(every interval: TimeInterval, tolerance: TimeInterval, on queue: OperationQueue, _ action: @escaping () -> Void)
  {
    self.interval = interval
    self.tolerance = tolerance
    self.queue = queue
    scheduled = ScheduledAction(action)
  }

  func arm(at date: Date) {
    let next = TimedOperation { [self] in
      scheduled.run()
      arm(at: successor(of: date))
    }
    let isWanted = lock.withLock {
      // What this replaces is running: releasing it here releases nothing else.
      if !hasEnded { waiting = next }
      return !hasEnded
    }
    if isWanted { next.enqueue(on: queue, at: date, tolerance: tolerance) }
  }

  /// The first date of the series after this one that has not passed.
  private func successor(of date: Date) -> Date {
    let missed = max(0, (Date().timeIntervalSince(date) / interval).rounded(.down))
    return date.addingTimeInterval((missed + 1) * interval)
  }

  func cancel() {
    let last = lock.withLock { () -> TimedOperation? in
      hasEnded = true
      defer { waiting = nil }
      return waiting
    }
    scheduled.drop()
    last?.cancel()
  }
}
