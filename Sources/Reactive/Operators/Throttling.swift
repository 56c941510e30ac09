extension Publisher {
  /// Publishes at most one value in each interval.
  ///
  /// ```text
  /// source.throttle(for: 4, scheduler: scheduler, latest: true)
  /// source    -ab-c----d-----e|
  /// output    -a---c---d-----e|
  /// upstream  *
  /// ```
  ///
  /// ```text
  /// source.throttle(for: 4, scheduler: scheduler, latest: false)
  /// source    -ab-c----d-----e|
  /// output    -a---b---d-----e|
  /// ```
  ///
  /// The first value passes at once; after that, an interval begins with each value that passes, and at its end one of those
  /// that came meanwhile follows, the latest or the first. Requests everything from upstream; a value that comes while
  /// nothing is requested here is dropped. When upstream ends, normally or not, a value that waits for its time still
  /// comes at that time, and the completion with it. A cancel drops both.
  ///
  /// - Parameters:
  ///   - interval: The time between values, at least.
  ///   - scheduler: Where to deliver, and whose clock counts. On one without a clock every value passes.
  ///   - latest: Whether the latest of the values in an interval is published; the first one if not.
  @inlinable @inline(__always)
  public func throttle<S: Scheduler>(
    for interval: S.SchedulerTimeType.Stride, scheduler: S, latest: Bool
  ) -> Publishers.Throttle<Self, S> {
    Publishers.Throttle(upstream: self, interval: interval, scheduler: scheduler, latest: latest)
  }
}

extension Publishers {
  /// Publishes at most one value in each interval; see `throttle(for:scheduler:latest:)`.
  public struct Throttle<Upstream: Publisher, Context: Scheduler>: ClockedOperator {
    /// Where the values come from.
    public let upstream: Upstream
    /// The time between values, at least.
    public let interval: Context.SchedulerTimeType.Stride
    /// Where to deliver.
    public let scheduler: Context
    /// Whether the latest of the values in an interval is published; the first one if not.
    public let latest: Bool

    /// What upstream publishes.
    public typealias Output = Upstream.Output
    /// The failure of upstream.
    public typealias Failure = Upstream.Failure

    /// Makes the publisher; see `throttle(for:scheduler:latest:)`.
    @inlinable
    public init(
      upstream: Upstream, interval: Context.SchedulerTimeType.Stride, scheduler: Context, latest: Bool
    ) {
      self.upstream = upstream
      self.interval = interval
      self.scheduler = scheduler
      self.latest = latest
    }

    @inlinable var machine: ThrottleMachine<Output, Failure, Context.SchedulerTimeType> {
      ThrottleMachine(interval, latest: latest)
    }
  }
}

/// Lets a value pass, then keeps one until the interval is over.
@usableFromInline
struct ThrottleMachine<Value, Failure: Error, Time: Strideable>: GreedyMachine {
  @usableFromInline typealias Out = Outbox<Value, Failure, Time>
  @inlinable static var name: String { "Throttle" }

  @usableFromInline let interval: Time.Stride
  @usableFromInline let latest: Bool
  @usableFromInline var demand = Subscribers.Demand.none
  /// When a value passed last.
  @usableFromInline var last: Time?
  /// The value for the end of the interval, whose demand is spent; while there is one, an alarm is set.
  @usableFromInline var pending: Value?
  /// How the stream ends with that value.
  @usableFromInline var ending: Subscribers.Completion<Failure>?

  @inlinable
  init(_ interval: Time.Stride, latest: Bool) {
    self.interval = interval
    self.latest = latest
  }

  @inlinable
  mutating func received(_ value: Value, at now: Time, _ out: inout Out) {
    guard pending == nil else {
      if latest {
        out.dropped = pending
        pending = value
      }
      return
    }
    guard demand.spend() else { return }
    guard let due = last?.advanced(by: interval), due > now else {
      last = now
      out.ready.append(value)
      return
    }
    pending = value
    out.alarm = .set(due)
  }

  @inlinable
  mutating func ended(_ completion: Subscribers.Completion<Failure>, at now: Time, _ out: inout Out) {
    if pending == nil { out.ending = completion } else { ending = completion }
  }

  @inlinable
  mutating func woke(at time: Time, _ out: inout Out) {
    guard let value = pending else { return }
    pending = nil
    last = time
    out.ready.append(value)
    out.ending = ending
    out.alarm = .cancel
  }
}
