/// A publisher made of an upstream and of what happens to its values: what an operator with one upstream is.
///
/// Such an operator declares its own part only, in one of the forms below. How that is attached to upstream is written
/// once for each mechanism. The protocols are internal and their `receive(subscriber:)` is public: that makes it the one
/// `Publisher` asks for.
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

/// An operator whose own part is a stage or an accumulator.
@usableFromInline
protocol LogicOperator: UpstreamOperator {
  associatedtype Logic: OperatorLogic
  where
    Logic.Input == Upstream.Output, Logic.Output == Output, Logic.Rule.Input == Upstream.Failure,
    Logic.Rule.Output == Failure

  /// The logic, made anew for each subscriber.
  var logic: Logic { get }
}

extension LogicOperator {
  /// Attaches a subscriber.
  @inlinable @inline(__always)
  public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
    logic.attach(subscriber, to: upstream)
  }
}

/// An operator that may go on with another publisher when upstream ends: its own part is how.
@usableFromInline
protocol SequelOperator: UpstreamOperator where Upstream.Output == Output {
  associatedtype Next: Publisher where Next.Output == Output

  /// How the operator describes itself.
  static var name: String { get }
  /// What follows upstream.
  var sequel: Continuation<Next> { get }
  /// What becomes of a failure of the other publisher.
  static func failure(_ error: Next.Failure) -> Failure
}

extension SequelOperator {
  /// Says what follows an end of upstream, also told whether upstream sent nothing.
  @usableFromInline typealias Continuation<Other> = (
    Subscribers.Completion<Upstream.Failure>, _ isEmpty: Bool
  ) -> Sequel<Other, Failure>

  /// Attaches a subscriber.
  @inlinable @inline(__always)
  public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
    let arbiter = Arbiter(name: Self.name)
    // Not the operator: it keeps upstream, which keeps this subscriber.
    let sequel = sequel
    upstream.receive(
      subscriber: Leg(arbiter, subscriber, isFirst: true) { completion, isEmpty in
        switch sequel(completion, isEmpty) {
        case .end(let completion): arbiter.deliver(completion: completion, to: subscriber)
        case .next(let next):
          next.receive(
            subscriber: Leg(arbiter, subscriber, isFirst: false) { completion, _ in
              arbiter.deliver(completion: completion.mapError(Self.failure), to: subscriber)
            })
        }
      })
  }
}

extension SequelOperator where Next.Failure == Failure {
  @inlinable
  static func failure(_ error: Failure) -> Failure { error }
}

/// What follows the end of an upstream.
@usableFromInline
enum Sequel<Next, Failure: Error> {
  /// The end of the stream.
  case end(Subscribers.Completion<Failure>)
  /// Another publisher, whose end is the end.
  case next(Next)
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
