extension Publisher {
  /// Ends the stream when nothing comes for a time.
  ///
  /// ```text
  /// source.timeout(3, scheduler: scheduler)
  /// source    -a-b------c-|
  /// output    -a-b--|
  /// upstream  *-----!
  /// ```
  ///
  /// ```text
  /// source.timeout(3, scheduler: scheduler, customError: { TestFailure("late") })
  /// source    -a-b------c-|
  /// output    -a-b--#
  /// upstream  *-----!
  /// # = TestFailure(late)
  /// ```
  ///
  /// The time begins with the subscription, and anew with the first request and with each value. It runs while nothing is
  /// requested as well. When it is over, upstream is cancelled and the stream ends on the scheduler, after the values
  /// that were accepted before. Demand passes to upstream; values and the completion come on the scheduler. The end of
  /// upstream or a cancel stops the clock.
  ///
  /// - Parameters:
  ///   - interval: How long nothing may come.
  ///   - scheduler: Where to deliver, and whose clock counts. On one without a clock time is over at the start.
  ///   - options: Options for each job.
  ///   - customError: Makes the error with which the stream fails when time is over; when nil, it finishes.
  @inlinable @inline(__always)
  public func timeout<S: Scheduler>(
    _ interval: S.SchedulerTimeType.Stride, scheduler: S, options: S.SchedulerOptions? = nil,
    customError: (() -> Failure)? = nil
  ) -> Publishers.Timeout<Self, S> {
    Publishers.Timeout(
      upstream: self, interval: interval, scheduler: scheduler, options: options, customError: customError)
  }
}

extension Publishers {
  /// Ends the stream when nothing comes for a time; see `timeout(_:scheduler:options:customError:)`.
  public struct Timeout<Upstream: Publisher, Context: Scheduler>: ClockedOperator {
    /// Where the values come from.
    public let upstream: Upstream
    /// How long nothing may come.
    public let interval: Context.SchedulerTimeType.Stride
    /// Where to deliver.
    public let scheduler: Context
    /// Options for each job.
    public let options: Context.SchedulerOptions?
    /// Makes the error with which the stream fails when time is over; when nil, it finishes.
    public let customError: (() -> Publishers.Timeout<Upstream, Context>.Failure)?

    /// What upstream publishes.
    public typealias Output = Upstream.Output
    /// The failure of upstream.
    public typealias Failure = Upstream.Failure

    /// Makes the publisher; see `timeout(_:scheduler:options:customError:)`.
    @inlinable
    public init(
      upstream: Upstream, interval: Context.SchedulerTimeType.Stride, scheduler: Context,
      options: Context.SchedulerOptions?, customError: (() -> Publishers.Timeout<Upstream, Context>.Failure)?
    ) {
      self.upstream = upstream
      self.interval = interval
      self.scheduler = scheduler
      self.options = options
      self.customError = customError
    }

    @inlinable var machine: TimeoutMachine<Output, Failure, Context.SchedulerTimeType> { TimeoutMachine(interval) }
    @inlinable var expiry: () -> Subscribers.Completion<Failure> {
      { [customError] in customError.map { .failure($0()) } ?? .finished }
    }
  }
}

/// Passes values, and finds out when none has come for too long.
///
/// A value only moves the deadline; the alarm that is set looks at it when it goes off.
@usableFromInline
struct TimeoutMachine<Value, Failure: Error, Time: Strideable>: TimedMachine {
  @usableFromInline typealias Out = Outbox<Value, Failure, Time>
  @inlinable static var name: String { "Timeout" }

  @usableFromInline let interval: Time.Stride
  /// How many values may still come.
  @usableFromInline var allowance = Subscribers.Demand.none
  @usableFromInline var isRequested = false
  /// When time is over; while this is known, an alarm is set.
  @usableFromInline var deadline: Time?

  @inlinable
  init(_ interval: Time.Stride) {
    self.interval = interval
  }

  @inlinable
  mutating func started(at now: Time, _ out: inout Out) {
    let due = now.advanced(by: interval)
    deadline = due
    out.alarm = .set(due)
  }

  @inlinable
  mutating func received(_ value: Value, at now: Time, _ out: inout Out) {
    guard allowance.spend() else { return }
    deadline = now.advanced(by: interval)
    out.ready.append(value)
  }

  @inlinable
  mutating func requested(_ more: Subscribers.Demand, at now: Time, _ out: inout Out) {
    if !isRequested, deadline != nil { deadline = now.advanced(by: interval) }
    isRequested = true
    allowance += more
    out.demand += more
  }

  @inlinable
  mutating func ended(_ completion: Subscribers.Completion<Failure>, at now: Time, _ out: inout Out) {
    if deadline != nil { out.alarm = .cancel }
    deadline = nil
    out.ending = completion
  }

  @inlinable
  mutating func woke(at time: Time, _ out: inout Out) {
    guard let due = deadline else { return }
    if due > time {
      out.alarm = .set(due)
      return
    }
    deadline = nil
    out.alarm = .cancel
    out.isExpired = true
  }
}
