public import Foundation
public import Reactive

extension Timer {
  /// Publishes the date, again and again, once connected.
  ///
  /// - Parameters:
  ///   - interval: The seconds between two dates; a tenth of a millisecond at least.
  ///   - tolerance: How many seconds later a date may come, to save energy; nil for none. Run loops on Linux are exact and
  ///     make no use of it.
  ///   - runLoop: Where the timer runs, and the values are delivered.
  ///   - mode: The mode of the run loop in which it runs.
  ///   - options: There are none.
  public static func publish(
    every interval: TimeInterval, tolerance: TimeInterval? = nil, on runLoop: RunLoop, in mode: RunLoop.Mode,
    options: RunLoop.SchedulerOptions? = nil
  ) -> TimerPublisher {
    TimerPublisher(interval: interval, tolerance: tolerance, runLoop: runLoop, mode: mode, options: options)
  }

  /// Publishes the date at each tick of a timer; see `Timer.publish(every:tolerance:on:in:options:)`.
  ///
  /// Every connection runs a timer of its own, and all of them feed all subscribers. A subscriber without demand misses
  /// the tick. There is no completion; a cancelled subscription ends alone, and timers end with their connections.
  public final class TimerPublisher: ConnectablePublisher {
    /// The date of the tick.
    public typealias Output = Date
    /// A timer cannot fail.
    public typealias Failure = Never

    /// The seconds between two ticks.
    public let interval: TimeInterval
    /// How many seconds later a tick may come; nil for none.
    public let tolerance: TimeInterval?
    /// Where the timers run.
    public let runLoop: RunLoop
    /// The mode of the run loop in which they run.
    public let mode: RunLoop.Mode
    /// There are no options to choose.
    public let options: RunLoop.SchedulerOptions?

    @usableFromInline let hub = Hub<Date, Never>()

    /// Makes the publisher; see `Timer.publish(every:tolerance:on:in:options:)`.
    public init(
      interval: TimeInterval, tolerance: TimeInterval? = nil, runLoop: RunLoop, mode: RunLoop.Mode,
      options: RunLoop.SchedulerOptions? = nil
    ) {
      self.interval = interval
      self.tolerance = tolerance
      self.runLoop = runLoop
      self.mode = mode
      self.options = options
    }

    /// Attaches a subscriber, which gets the ticks of all connections.
    @inlinable @inline(__always)
    public func receive<S: Subscriber>(subscriber: S) where S.Input == Date, S.Failure == Never {
      hub.attach(subscriber, owner: self, name: "Timer")
    }

    /// Starts a timer.
    ///
    /// - Returns: Stops this timer, and no other one, when cancelled; it does not stop because the result is released.
    public func connect() -> any Cancellable {
      let ticks = ScheduledAction { [hub] in hub.send(Date()) }
      let timer = runLoop.startTimer(
        at: Date(timeIntervalSinceNow: interval.repeatable), every: interval, tolerance: tolerance ?? 0, in: mode
      ) { ticks.run() }
      return Connection(timer: timer, ticks: ticks)
    }
  }

  /// A running timer of a publisher.
  private struct Connection: Cancellable {
    let timer: Timer
    let ticks: ScheduledAction

    func cancel() {
      ticks.drop()
      timer.invalidate()
    }
  }
}
