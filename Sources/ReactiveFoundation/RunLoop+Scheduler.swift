public import Foundation
public import Reactive

#if canImport(CoreFoundation) && canImport(Darwin)
  internal import CoreFoundation
#endif

extension RunLoop: Scheduler {
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

  /// Runs an action in the next pass of the loop in its default mode; actions keep their order.
  ///
  /// It may be called from any thread, and wakes a loop that sleeps.
  public func schedule(options: SchedulerOptions?, _ action: @escaping () -> Void) {
    nonisolated(unsafe) let action = action
    perform { action() }
    wake()
  }

  /// Runs an action in the default mode of the loop, at a date or, within the tolerance, later.
  ///
  /// - Parameters:
  ///   - date: When; a date that has passed means as soon as possible.
  ///   - tolerance: How much later it may run; run loops on Linux are exact and make no use of it.
  ///   - options: There are none.
  ///   - action: What to run.
  public func schedule(
    after date: SchedulerTimeType, tolerance: SchedulerTimeType.Stride, options: SchedulerOptions?,
    _ action: @escaping () -> Void
  ) {
    nonisolated(unsafe) let action = action
    _ = startTimer(at: date.date, every: nil, tolerance: tolerance.magnitude, in: .default) { action() }
  }

  /// Runs an action in the default mode of the loop, at a date and then again at each interval.
  ///
  /// - Parameters:
  ///   - date: When it runs first.
  ///   - interval: The time between two runs; a tenth of a millisecond at least.
  ///   - tolerance: How much later it may run; run loops on Linux are exact and make no use of it.
  ///   - options: There are none.
  ///   - action: What to run.
  /// - Returns: Ends the repetition, and releases the action, when cancelled or released.
  public func schedule(
    after date: SchedulerTimeType, interval: SchedulerTimeType.Stride, tolerance: SchedulerTimeType.Stride,
    options: SchedulerOptions?, _ action: @escaping () -> Void
  ) -> any Cancellable {
    let scheduled = ScheduledAction(action)
    let timer = startTimer(
      at: date.date, every: interval.magnitude, tolerance: tolerance.magnitude, in: .default
    ) { scheduled.run() }
    return AnyCancellable {
      scheduled.drop()
      timer.invalidate()
    }
  }

  /// Lets the loop look for work.
  private func wake() {
    #if canImport(Darwin)
      CFRunLoopWakeUp(getCFRunLoop())
    #else
      // Here `perform` does not end the sleep of the loop, and only a timer does.
      guard RunLoop.current !== self else { return }
      add(Timer(fire: .distantPast, interval: 0, repeats: false) { _ in }, forMode: .default)
    #endif
  }

  /// Adds a timer to the loop.
  ///
  /// - Parameters:
  ///   - date: When it fires first.
  ///   - interval: How often it fires; nil for once.
  ///   - tolerance: How much later it may fire.
  ///   - mode: The mode of the loop in which it fires.
  ///   - action: What it does.
  func startTimer(
    at date: Date, every interval: TimeInterval?, tolerance: TimeInterval, in mode: RunLoop.Mode,
    _ action: @escaping @Sendable () -> Void
  ) -> Timer {
    let timer = Timer(
      fire: date.schedulable, interval: interval?.repeatable ?? 0, repeats: interval != nil
    ) { _ in action() }
    timer.tolerance = tolerance.tolerable
    add(timer, forMode: mode)
    return timer
  }
}
