public import Reactive

/// A scheduler for a place where none should be used: it reports each use, and does the work all the same, at once.
///
///     let scheduler = UnexpectedScheduler { Issue.record("scheduled \($0)") }
///
/// Code that waits for its work therefore goes on, and the report is what the test shows. Repeated work is done once.
/// Its clock stands at 0.
public struct UnexpectedScheduler: Scheduler {
  /// Virtual time.
  public typealias SchedulerTimeType = TestScheduler.SchedulerTimeType
  /// There are no options.
  public typealias SchedulerOptions = Never

  private let onUse: (String) -> Void

  /// Makes a scheduler.
  ///
  /// - Parameter onUse: Told of each use: what for, such as `for now` or `for 2`.
  public init(_ onUse: @escaping (String) -> Void) {
    self.onUse = onUse
  }

  /// Always 0.
  public var now: SchedulerTimeType { SchedulerTimeType(0) }

  /// None.
  public var minimumTolerance: SchedulerTimeType.Stride { 0 }

  /// Reports, then runs a closure.
  public func schedule(options: Never?, _ action: @escaping () -> Void) {
    onUse("for now")
    action()
  }

  /// Reports, then runs a closure at once, whatever its time.
  public func schedule(
    after date: SchedulerTimeType, tolerance: SchedulerTimeType.Stride, options: Never?, _ action: @escaping () -> Void
  ) {
    onUse("for \(date)")
    action()
  }

  /// Reports, then runs a closure at once, and only once.
  ///
  /// - Returns: Does nothing.
  public func schedule(
    after date: SchedulerTimeType, interval: SchedulerTimeType.Stride, tolerance: SchedulerTimeType.Stride,
    options: Never?, _ action: @escaping () -> Void
  ) -> any Cancellable {
    onUse("for \(date), then every \(interval)")
    action()
    return Subscriptions.empty
  }
}
