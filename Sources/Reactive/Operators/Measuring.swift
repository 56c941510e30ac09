extension Publisher {
  /// Publishes, instead of each value, the time since the value before.
  ///
  /// ```text
  /// source.measureInterval(using: scheduler)
  /// source    -a---b-|
  /// output    -p---q-|
  /// upstream  *
  /// p = 1
  /// q = 4
  /// ```
  ///
  /// The first is the time since the subscription. Demand, completion, failure and cancel pass.
  ///
  /// - Parameters:
  ///   - scheduler: Whose clock to read; nothing is scheduled.
  ///   - options: Without effect, as in Combine: there is nothing that they could apply to.
  @inlinable @inline(__always)
  public func measureInterval<S: Scheduler>(
    using scheduler: S, options: S.SchedulerOptions? = nil
  ) -> Publishers.MeasureInterval<Self, S> {
    Publishers.MeasureInterval(upstream: self, scheduler: scheduler)
  }
}

extension Publishers {
  /// Publishes the time between values; see `measureInterval(using:options:)`.
  public struct MeasureInterval<Upstream: Publisher, Context: Scheduler>: LogicOperator {
    /// Where the values come from.
    public let upstream: Upstream
    /// Whose clock is read.
    public let scheduler: Context

    /// A length of time, as the scheduler counts it.
    public typealias Output = Context.SchedulerTimeType.Stride
    /// The failure of upstream.
    public typealias Failure = Upstream.Failure

    @inlinable var logic: Measuring<Upstream.Output, Context, Failure> { Measuring(scheduler: scheduler) }

    /// Makes the publisher; see `measureInterval(using:options:)`.
    @inlinable
    public init(upstream: Upstream, scheduler: Context) {
      self.upstream = upstream
      self.scheduler = scheduler
    }
  }
}

/// The logic of `measureInterval`.
@usableFromInline
struct Measuring<Input, Context: Scheduler, Failure: Error>: Stage {
  @usableFromInline typealias Rule = Keeping<Failure>
  @inlinable var name: String { "MeasureInterval" }

  @usableFromInline let scheduler: Context
  @usableFromInline var last: Context.SchedulerTimeType?

  @inlinable
  init(scheduler: Context) {
    self.scheduler = scheduler
  }

  @inlinable
  mutating func receive(subscription: any Subscription) { last = scheduler.now }

  @inlinable @inline(__always)
  mutating func receive(_ input: Input) -> Step<Context.SchedulerTimeType.Stride> {
    let now = scheduler.now
    defer { last = now }
    return .emit((last ?? now).distance(to: now))
  }
}
