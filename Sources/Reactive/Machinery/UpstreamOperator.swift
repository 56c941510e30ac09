/// A publisher made of an upstream and of what happens to its values: what an operator with one upstream is.
///
/// Such an operator declares its own part only, in one of the forms below. How that is attached to upstream is written
/// here, once for each mechanism. The protocols are internal and their `receive(subscriber:)` is public: that makes it
/// the one `Publisher` asks for.
@usableFromInline
protocol UpstreamOperator: Publisher {
  associatedtype Upstream: Publisher

  var upstream: Upstream { get }
}

extension UpstreamOperator {
  /// A closure of the user's about a value of upstream.
  @usableFromInline typealias Plain<Result> = PlainFunction<Upstream.Output, Result, Upstream.Failure>
  /// A closure of the user's about a value of upstream, which may throw.
  @usableFromInline typealias Throwing<Result> = ThrowingFunction<Upstream.Output, Result, Upstream.Failure>
}

/// An element-wise operator: its own part is a stage.
@usableFromInline
protocol StageOperator: UpstreamOperator {
  associatedtype Logic: Stage
  where
    Logic.Input == Upstream.Output, Logic.Output == Output, Logic.Rule.Input == Upstream.Failure,
    Logic.Rule.Output == Failure

  /// The stage, made anew for each subscriber.
  var logic: Logic { get }
}

extension StageOperator {
  /// Attaches a subscriber.
  @inlinable @inline(__always)
  public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
    upstream.receive(subscriber: Conduit(logic, subscriber))
  }
}

/// An operator with at most one result: its own part is an accumulator.
@usableFromInline
protocol AccumulatorOperator: UpstreamOperator {
  associatedtype Logic: Accumulator
  where
    Logic.Input == Upstream.Output, Logic.Output == Output, Logic.Rule.Input == Upstream.Failure,
    Logic.Rule.Output == Failure

  /// The accumulator, made anew for each subscriber.
  var logic: Logic { get }
}

extension AccumulatorOperator {
  /// Attaches a subscriber.
  @inlinable @inline(__always)
  public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
    upstream.receive(subscriber: AccumulatingConduit(logic, subscriber))
  }
}

/// An operator that works on a scheduler: its own part is a timed machine.
@usableFromInline
protocol TimedOperator: UpstreamOperator where Upstream.Failure == Failure {
  associatedtype Machine: TimedMachine
  where Machine.Input == Upstream.Output, Machine.Output == Output, Machine.Failure == Failure

  /// The machine in its first state.
  var machine: Machine { get }
  /// How the machine's orders reach the scheduler.
  var timing: Timing<Machine.Time> { get }
  /// How the stream ends when the machine says that time is up.
  var expiry: () -> Subscribers.Completion<Failure> { get }
}

extension TimedOperator {
  @inlinable var expiry: () -> Subscribers.Completion<Failure> { { .finished } }

  /// Attaches a subscriber.
  @inlinable @inline(__always)
  public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
    upstream.receive(subscriber: ScheduledCore(machine, subscriber, name: Machine.name, timing, expiry: expiry))
  }
}

/// A timed operator that looks at the clock of its scheduler.
@usableFromInline
protocol ClockedOperator: TimedOperator where Machine.Time == Context.SchedulerTimeType {
  associatedtype Context: Scheduler

  var scheduler: Context { get }
  var interval: Context.SchedulerTimeType.Stride { get }
  var tolerance: Context.SchedulerTimeType.Stride { get }
  var options: Context.SchedulerOptions? { get }
}

extension ClockedOperator {
  @inlinable var tolerance: Context.SchedulerTimeType.Stride { scheduler.minimumTolerance }
  @inlinable var options: Context.SchedulerOptions? { nil }
  @inlinable var timing: Timing<Context.SchedulerTimeType> {
    Timing(scheduler, every: interval, tolerance: tolerance, options)
  }
}
