/// The logic of an operator that works on a scheduler: values and times in, orders out, without lock, subscriber,
/// scheduler or closure.
///
/// It is told of nothing from upstream after an end, its own included; demand and alarms may still come.
@usableFromInline
protocol TimedMachine {
  associatedtype Input
  associatedtype Output
  associatedtype Failure: Error
  /// A point in time; `Void` for a machine that needs no clock.
  associatedtype Time

  /// How the operator describes itself.
  static var name: String { get }

  /// The stream begins: downstream has its subscription.
  mutating func started(at now: Time, _ out: inout Outbox<Output, Failure, Time>)
  mutating func received(_ value: Input, at now: Time, _ out: inout Outbox<Output, Failure, Time>)
  mutating func requested(_ demand: Subscribers.Demand, at now: Time, _ out: inout Outbox<Output, Failure, Time>)
  mutating func ended(
    _ completion: Subscribers.Completion<Failure>, at now: Time, _ out: inout Outbox<Output, Failure, Time>)

  /// The alarm that is set goes off, and will again after its interval if it is neither cancelled nor set anew.
  ///
  /// - Parameter time: The present; the time of the alarm, if the clock is behind that.
  mutating func woke(at time: Time, _ out: inout Outbox<Output, Failure, Time>)
}

/// A machine that passes demand to upstream.
@usableFromInline
protocol PassingMachine: TimedMachine {
  /// How many values may still come.
  var allowance: Subscribers.Demand { get set }
}

extension PassingMachine {
  @inlinable
  mutating func started(at now: Time, _ out: inout Outbox<Output, Failure, Time>) {}

  @inlinable
  mutating func requested(_ more: Subscribers.Demand, at now: Time, _ out: inout Outbox<Output, Failure, Time>) {
    allowance += more
    out.demand += more
  }
}

/// A machine that takes everything from upstream, and delivers as much as is asked for.
@usableFromInline
protocol GreedyMachine: TimedMachine {
  /// How many values may be delivered.
  var demand: Subscribers.Demand { get set }
}

extension GreedyMachine {
  @inlinable
  mutating func started(at now: Time, _ out: inout Outbox<Output, Failure, Time>) {
    out.demand = .unlimited
  }

  @inlinable
  mutating func requested(_ more: Subscribers.Demand, at now: Time, _ out: inout Outbox<Output, Failure, Time>) {
    demand += more
  }
}

/// What a timed machine wants done.
@usableFromInline
struct Outbox<Output, Failure: Error, Time> {
  /// What to do about the alarm.
  @usableFromInline
  enum Alarm {
    case keep
    /// Set it, in place of one that is set.
    case set(Time)
    case cancel
  }

  /// Values to deliver on the scheduler, in this order; their demand is accounted for.
  @usableFromInline var ready = Batch<Output>()
  /// The completion to deliver after them.
  @usableFromInline var ending: Subscribers.Completion<Failure>?
  @usableFromInline var alarm = Alarm.keep
  /// What to request from upstream.
  @usableFromInline var demand = Subscribers.Demand.none
  /// Whether time is up: upstream is to be cancelled, and the operator ends in the way its user has chosen.
  @usableFromInline var isExpired = false
  /// What is no longer needed, to be released after unlocking; at most one value for each input.
  @usableFromInline var dropped: Output?

  @inlinable
  init() {}

  @inlinable
  var hasOrders: Bool {
    if case .keep = alarm { demand > .none || isExpired } else { true }
  }

  @inlinable
  var hasSignals: Bool { !ready.isEmpty || ending != nil }
}

extension Subscribers.Demand {
  /// Takes one from a demand.
  ///
  /// - Returns: Whether there was one.
  @inlinable
  mutating func spend() -> Bool {
    guard self > .none else { return false }
    if !isUnlimited { self = Self(count: count - 1) }
    return true
  }
}

/// How a core uses its scheduler: closures, so that the type of the scheduler is not part of the core's.
@usableFromInline
struct Timing<Time> {
  @usableFromInline let now: () -> Time
  /// The present, or the time for which an alarm was set, if the clock is behind that.
  @usableFromInline let reached: (Time) -> Time
  /// Runs something as soon as possible.
  @usableFromInline let run: (@escaping () -> Void) -> Void
  /// Runs something at a time and then at each interval.
  @usableFromInline let wake: (Time, @escaping () -> Void) -> any Cancellable

  @inlinable
  init(
    now: @escaping () -> Time, reached: @escaping (Time) -> Time, run: @escaping (@escaping () -> Void) -> Void,
    wake: @escaping (Time, @escaping () -> Void) -> any Cancellable
  ) {
    self.now = now
    self.reached = reached
    self.run = run
    self.wake = wake
  }
}

extension Timing where Time == Void {
  /// Runs jobs on a scheduler, and knows no time.
  @inlinable
  init<S: Scheduler>(_ scheduler: S, _ options: S.SchedulerOptions?) {
    self.init(
      now: {}, reached: { $0 }, run: { scheduler.schedule(options: options, $0) }, wake: { _, _ in Subscriptions.empty }
    )
  }
}

extension Timing where Time: Strideable {
  /// Runs jobs and alarms on a scheduler, always with the same options.
  @inlinable
  init<S: Scheduler>(
    _ scheduler: S, every interval: Time.Stride, tolerance: Time.Stride, _ options: S.SchedulerOptions?
  ) where S.SchedulerTimeType == Time {
    self.init(
      now: { scheduler.now }, reached: { max(scheduler.now, $0) }, run: { scheduler.schedule(options: options, $0) },
      wake: { date, action in
        scheduler.schedule(after: date, interval: interval, tolerance: tolerance, options: options, action)
      })
  }
}
