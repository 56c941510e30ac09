extension Publisher {
  /// Delivers everything later, by a constant time.
  ///
  /// ```text
  /// source.delay(for: 3, scheduler: scheduler)
  /// source    a-b--c|
  /// output    ---a-b--c|
  /// upstream  *
  /// ```
  ///
  /// The completion is delayed as values are, a failure too. Demand passes to upstream at once, and so does a cancel,
  /// which drops what is on its way, the completion included. The subscription is not delayed. Order is kept and signals do
  /// not overlap on any scheduler.
  ///
  /// - Parameters:
  ///   - interval: The delay.
  ///   - tolerance: How much later still a delivery may be; the least that the scheduler can do when nil.
  ///   - scheduler: Where to deliver, and whose clock counts.
  ///   - options: Options for each job.
  @inlinable @inline(__always)
  public func delay<S: Scheduler>(
    for interval: S.SchedulerTimeType.Stride, tolerance: S.SchedulerTimeType.Stride? = nil, scheduler: S,
    options: S.SchedulerOptions? = nil
  ) -> Publishers.Delay<Self, S> {
    Publishers.Delay(
      upstream: self, interval: interval, tolerance: tolerance ?? scheduler.minimumTolerance, scheduler: scheduler,
      options: options)
  }
}

extension Publishers {
  /// Delivers everything later; see `delay(for:tolerance:scheduler:options:)`.
  public struct Delay<Upstream: Publisher, Context: Scheduler>: ClockedOperator {
    /// Where the values come from.
    public let upstream: Upstream
    /// The delay.
    public let interval: Context.SchedulerTimeType.Stride
    /// How much later still a delivery may be.
    public let tolerance: Context.SchedulerTimeType.Stride
    /// Where to deliver.
    public let scheduler: Context
    /// Options for each job.
    public let options: Context.SchedulerOptions?

    /// What upstream publishes.
    public typealias Output = Upstream.Output
    /// The failure of upstream.
    public typealias Failure = Upstream.Failure

    /// Makes the publisher; see `delay(for:tolerance:scheduler:options:)`.
    @inlinable
    public init(
      upstream: Upstream, interval: Context.SchedulerTimeType.Stride, tolerance: Context.SchedulerTimeType.Stride,
      scheduler: Context, options: Context.SchedulerOptions? = nil
    ) {
      self.upstream = upstream
      self.interval = interval
      self.tolerance = tolerance
      self.scheduler = scheduler
      self.options = options
    }

    @inlinable var machine: DelayMachine<Output, Failure, Context.SchedulerTimeType> { DelayMachine(interval) }
  }
}

/// Keeps values until their time; one alarm at a time, for the first of them.
@usableFromInline
struct DelayMachine<Value, Failure: Error, Time: Strideable>: PassingMachine {
  @usableFromInline typealias Out = Outbox<Value, Failure, Time>
  @inlinable static var name: String { "Delay" }

  @usableFromInline let interval: Time.Stride
  /// How many values may still come.
  @usableFromInline var allowance = Subscribers.Demand.none
  @usableFromInline var waiting = Ring<(value: Value, due: Time)>()
  @usableFromInline var ending: (completion: Subscribers.Completion<Failure>, due: Time)?

  @inlinable
  init(_ interval: Time.Stride) {
    self.interval = interval
  }

  @inlinable
  mutating func received(_ value: Value, at now: Time, _ out: inout Out) {
    guard allowance.spend() else { return }
    let due = now.advanced(by: interval)
    guard due > now || !waiting.isEmpty else {
      out.ready.append(value)
      return
    }
    if waiting.isEmpty { out.alarm = .set(due) }
    waiting.append((value, due))
  }

  @inlinable
  mutating func ended(_ completion: Subscribers.Completion<Failure>, at now: Time, _ out: inout Out) {
    let due = now.advanced(by: interval)
    guard due > now || !waiting.isEmpty else {
      out.ending = completion
      return
    }
    if waiting.isEmpty { out.alarm = .set(due) }
    ending = (completion, due)
  }

  @inlinable
  mutating func woke(at time: Time, _ out: inout Out) {
    while let first = waiting.first, first.due <= time {
      _ = waiting.popFirst()
      out.ready.append(first.value)
    }
    if let first = waiting.first {
      out.alarm = .set(first.due)
    } else if let ending, ending.due > time {
      out.alarm = .set(ending.due)
    } else {
      out.ending = ending?.completion
      out.alarm = .cancel
    }
  }
}
