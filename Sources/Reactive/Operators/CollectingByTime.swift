extension Publisher {
  /// Publishes the values of each interval as one array.
  ///
  /// ```text
  /// source.collect(.byTime(scheduler, 4))
  /// source    -ab-c-d--e|
  /// output    ----p---q-(r|)
  /// upstream  *
  /// p = ["a", "b", "c"]
  /// q = ["d"]
  /// r = ["e"]
  /// ```
  ///
  /// ```text
  /// source.collect(.byTimeOrCount(scheduler, 4, 2))
  /// source    -ab-c-d--e|
  /// demand    3
  /// output    --p-q---r
  /// upstream  6
  /// p = ["a", "b"]
  /// q = ["c"]
  /// r = ["d"]
  /// ```
  ///
  /// Intervals follow one another from the subscription on; one without values publishes nothing. With a count, a group that
  /// is full comes before its interval is over, which does not begin a new interval. A group waits while nothing is
  /// requested, and goes on growing up to the count. Without a count everything is requested from upstream; with one, as
  /// many values as the groups asked for can hold. When upstream finishes, what is left comes as a last group, when it is
  /// requested, then the completion; a failure comes at once and drops what is left. So does a cancel.
  ///
  /// - Parameters:
  ///   - strategy: The scheduler, where groups are delivered and whose clock counts; the interval; the count.
  ///   - options: Options for each job.
  @inlinable @inline(__always)
  public func collect<S: Scheduler>(
    _ strategy: Publishers.TimeGroupingStrategy<S>, options: S.SchedulerOptions? = nil
  ) -> Publishers.CollectByTime<Self, S> {
    Publishers.CollectByTime(upstream: self, strategy: strategy, options: options)
  }
}

extension Publishers {
  /// What ends a group of values.
  public enum TimeGroupingStrategy<Context: Scheduler> {
    /// The end of an interval, on the clock of a scheduler.
    case byTime(Context, Context.SchedulerTimeType.Stride)
    /// The end of an interval, or a number of values; one below 1 counts as 1.
    case byTimeOrCount(Context, Context.SchedulerTimeType.Stride, Int)

    @inlinable var rule: (scheduler: Context, interval: Context.SchedulerTimeType.Stride, count: Int?) {
      switch self {
      case .byTime(let scheduler, let interval): (scheduler, interval, nil)
      case .byTimeOrCount(let scheduler, let interval, let count): (scheduler, interval, Swift.max(count, 1))
      }
    }
  }

  /// Publishes the values of each interval as one array; see `collect(_:options:)`.
  public struct CollectByTime<Upstream: Publisher, Context: Scheduler>: ClockedOperator {
    /// Where the values come from.
    public let upstream: Upstream
    /// What ends a group.
    public let strategy: TimeGroupingStrategy<Context>
    /// Options for each job.
    public let options: Context.SchedulerOptions?

    /// A group of values.
    public typealias Output = [Upstream.Output]
    /// The failure of upstream.
    public typealias Failure = Upstream.Failure

    /// Makes the publisher; see `collect(_:options:)`.
    @inlinable
    public init(upstream: Upstream, strategy: TimeGroupingStrategy<Context>, options: Context.SchedulerOptions?) {
      self.upstream = upstream
      self.strategy = strategy
      self.options = options
    }

    @inlinable var machine: GroupMachine<Upstream.Output, Failure, Context.SchedulerTimeType> {
      GroupMachine(interval, count: strategy.rule.count)
    }
    @inlinable var scheduler: Context { strategy.rule.scheduler }
    @inlinable var interval: Context.SchedulerTimeType.Stride { strategy.rule.interval }
  }
}

/// Gathers values into groups; the alarm is set once and goes off at the end of each interval.
@usableFromInline
struct GroupMachine<Value, Failure: Error, Time: Strideable>: TimedMachine {
  @usableFromInline typealias Out = Outbox<[Value], Failure, Time>
  @inlinable static var name: String { "CollectByTime" }

  @usableFromInline let interval: Time.Stride
  @usableFromInline let count: Int?
  /// How many groups may be delivered.
  @usableFromInline var demand = Subscribers.Demand.none
  /// How many values may still come.
  @usableFromInline var allowance = Subscribers.Demand.none
  @usableFromInline var group: [Value] = []
  @usableFromInline var hasStarted = false
  @usableFromInline var isFinished = false

  @inlinable
  init(_ interval: Time.Stride, count: Int?) {
    self.interval = interval
    self.count = count
  }

  @inlinable
  mutating func started(at now: Time, _ out: inout Out) {
    hasStarted = true
    out.alarm = .set(now.advanced(by: interval))
    if count == nil {
      allowance = .unlimited
      out.demand = .unlimited
    }
  }

  @inlinable
  mutating func received(_ value: Value, at now: Time, _ out: inout Out) {
    guard allowance.spend() else { return }
    group.append(value)
    if let count, group.count >= count { release(&out) }
  }

  @inlinable
  mutating func requested(_ more: Subscribers.Demand, at now: Time, _ out: inout Out) {
    demand += more
    if isFinished {
      flush(&out)
      return
    }
    guard let count else { return }
    while group.count >= count, release(&out) {}
    // Groups that were released early have left some of what was asked for; it counts for the next ones.
    let missing = demand * count - allowance - .max(group.count)
    guard missing > .none, !allowance.isUnlimited else { return }
    allowance += missing
    out.demand += missing
  }

  @inlinable
  mutating func ended(_ completion: Subscribers.Completion<Failure>, at now: Time, _ out: inout Out) {
    if hasStarted { out.alarm = .cancel }
    guard case .finished = completion else {
      out.dropped = group
      group = []
      out.ending = completion
      return
    }
    isFinished = true
    flush(&out)
  }

  @inlinable
  mutating func woke(at time: Time, _ out: inout Out) {
    release(&out)
  }

  /// Delivers a group if there is one, and demand for it.
  ///
  /// - Returns: Whether it did.
  @inlinable
  @discardableResult
  mutating func release(_ out: inout Out) -> Bool {
    guard !group.isEmpty, demand.spend() else { return false }
    if let count, group.count > count {
      out.ready.append(Array(group.prefix(count)))
      group.removeFirst(count)
    } else {
      out.ready.append(group)
      group = []
    }
    return true
  }

  /// Delivers what is left, as far as there is demand, then the end.
  @inlinable
  mutating func flush(_ out: inout Out) {
    while release(&out) {}
    if group.isEmpty { out.ending = .finished }
  }
}
