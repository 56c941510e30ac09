extension Publisher {
  /// Publishes a value once no other has followed it for a time.
  ///
  /// ```text
  /// source.debounce(for: 2, scheduler: scheduler)
  /// source    -ab--c-d-----|
  /// output    ----b----d---|
  /// upstream  *
  /// ```
  ///
  /// Requests everything from upstream; a value that is due while nothing is requested here is dropped. The end of
  /// upstream, normal or not, comes at once, on the scheduler, and drops the value that was waiting. So does a cancel.
  ///
  /// - Parameters:
  ///   - dueTime: How long it has to be quiet.
  ///   - scheduler: Where to deliver, and whose clock counts. On one without a clock every value is due at once.
  ///   - options: Options for each job.
  @inlinable @inline(__always)
  public func debounce<S: Scheduler>(
    for dueTime: S.SchedulerTimeType.Stride, scheduler: S, options: S.SchedulerOptions? = nil
  ) -> Publishers.Debounce<Self, S> {
    Publishers.Debounce(upstream: self, dueTime: dueTime, scheduler: scheduler, options: options)
  }
}

extension Publishers {
  /// Publishes values that nothing follows for a time; see `debounce(for:scheduler:options:)`.
  public struct Debounce<Upstream: Publisher, Context: Scheduler>: ClockedOperator {
    /// Where the values come from.
    public let upstream: Upstream
    /// How long it has to be quiet.
    public let dueTime: Context.SchedulerTimeType.Stride
    /// Where to deliver.
    public let scheduler: Context
    /// Options for each job.
    public let options: Context.SchedulerOptions?

    /// What upstream publishes.
    public typealias Output = Upstream.Output
    /// The failure of upstream.
    public typealias Failure = Upstream.Failure

    /// Makes the publisher; see `debounce(for:scheduler:options:)`.
    @inlinable
    public init(
      upstream: Upstream, dueTime: Context.SchedulerTimeType.Stride, scheduler: Context,
      options: Context.SchedulerOptions?
    ) {
      self.upstream = upstream
      self.dueTime = dueTime
      self.scheduler = scheduler
      self.options = options
    }

    @inlinable var interval: Context.SchedulerTimeType.Stride { dueTime }
    @inlinable var machine: DebounceMachine<Output, Failure, Context.SchedulerTimeType> { DebounceMachine(dueTime) }
  }
}

/// Keeps the newest value until it has been quiet long enough.
///
/// A value only moves the deadline. The alarm that is set looks at it when it goes off, and is then set anew: one alarm
/// in each quiet time, however many values there are.
@usableFromInline
struct DebounceMachine<Value, Failure: Error, Time: Strideable>: GreedyMachine {
  @usableFromInline typealias Out = Outbox<Value, Failure, Time>
  @inlinable static var name: String { "Debounce" }

  @usableFromInline let dueTime: Time.Stride
  @usableFromInline var demand = Subscribers.Demand.none
  /// The newest value and when it is due; while there is one, an alarm is set.
  @usableFromInline var pending: (value: Value, due: Time)?

  @inlinable
  init(_ dueTime: Time.Stride) {
    self.dueTime = dueTime
  }

  @inlinable
  mutating func received(_ value: Value, at now: Time, _ out: inout Out) {
    let due = now.advanced(by: dueTime)
    if pending == nil { out.alarm = .set(due) }
    out.dropped = pending?.value
    pending = (value, due)
  }

  @inlinable
  mutating func ended(_ completion: Subscribers.Completion<Failure>, at now: Time, _ out: inout Out) {
    out.dropped = pending?.value
    if pending != nil { out.alarm = .cancel }
    pending = nil
    out.ending = completion
  }

  @inlinable
  mutating func woke(at time: Time, _ out: inout Out) {
    guard let (value, due) = pending else { return }
    if due > time {
      out.alarm = .set(due)
      return
    }
    out.alarm = .cancel
    pending = nil
    if demand.spend() { out.ready.append(value) } else { out.dropped = value }
  }
}
