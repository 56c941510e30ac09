public import Synchronization

extension Publisher {
  /// Delivers values and the completion on a scheduler.
  ///
  /// ```text
  /// source.receive(on: scheduler)
  /// source    -a-b-|
  /// demand    1-1
  /// output    -a-b-|
  /// upstream  1-1
  /// ```
  ///
  /// Demand passes to upstream at once, on the thread that asks, and so does a cancel, which also drops what waits on
  /// its way, the completion included. The subscription comes at once, on the subscribing thread. Order is kept and
  /// signals do not overlap on any scheduler, a concurrent one included; a burst of values takes one job of the
  /// scheduler. A failure does not overtake values.
  ///
  /// - Parameters:
  ///   - scheduler: Where to deliver.
  ///   - options: Options for each job.
  @inlinable @inline(__always)
  public func receive<S: Scheduler>(on scheduler: S, options: S.SchedulerOptions? = nil)
    -> Publishers.ReceiveOn<Self, S>
  {
    Publishers.ReceiveOn(upstream: self, scheduler: scheduler, options: options)
  }

  /// Subscribes, requests and cancels on a scheduler.
  ///
  /// ```text
  /// source.subscribe(on: scheduler)
  /// source    --a-b-|
  /// demand    -1-1
  /// output    --a-b-|
  /// upstream  -1-1
  /// ```
  ///
  /// The calls reach upstream one after the other, in their order, on any scheduler; requests that have to wait are
  /// added up. Values and the completion pass on the thread where upstream sends them. After a cancel no value passes;
  /// upstream learns of the cancel on the scheduler, and lets go of the subscriber then.
  ///
  /// - Parameters:
  ///   - scheduler: Where to call upstream.
  ///   - options: Options for each job.
  @inlinable @inline(__always)
  public func subscribe<S: Scheduler>(on scheduler: S, options: S.SchedulerOptions? = nil)
    -> Publishers.SubscribeOn<Self, S>
  {
    Publishers.SubscribeOn(upstream: self, scheduler: scheduler, options: options)
  }
}

extension Publishers {
  /// Delivers on a scheduler; see `receive(on:options:)`.
  public struct ReceiveOn<Upstream: Publisher, Context: Scheduler>: TimedOperator {
    /// Where the values come from.
    public let upstream: Upstream
    /// Where to deliver.
    public let scheduler: Context
    /// Options for each job.
    public let options: Context.SchedulerOptions?

    /// What upstream publishes.
    public typealias Output = Upstream.Output
    /// The failure of upstream.
    public typealias Failure = Upstream.Failure

    /// Makes the publisher; see `receive(on:options:)`.
    @inlinable
    public init(upstream: Upstream, scheduler: Context, options: Context.SchedulerOptions?) {
      self.upstream = upstream
      self.scheduler = scheduler
      self.options = options
    }

    @inlinable var machine: HopMachine<Output, Failure> { HopMachine() }
    @inlinable var timing: Timing<Void> { Timing(scheduler, options) }
  }

  /// Calls upstream on a scheduler; see `subscribe(on:options:)`.
  public struct SubscribeOn<Upstream: Publisher, Context: Scheduler>: Publisher {
    /// What upstream publishes.
    public typealias Output = Upstream.Output
    /// The failure of upstream.
    public typealias Failure = Upstream.Failure
    /// Where the values come from.
    public let upstream: Upstream
    /// Where to call upstream.
    public let scheduler: Context
    /// Options for each job.
    public let options: Context.SchedulerOptions?

    /// Makes the publisher; see `subscribe(on:options:)`.
    @inlinable
    public init(upstream: Upstream, scheduler: Context, options: Context.SchedulerOptions?) {
      self.upstream = upstream
      self.scheduler = scheduler
      self.options = options
    }

    /// Attaches a subscriber.
    @inlinable @inline(__always)
    public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
      let caller = Caller { [scheduler, options] in scheduler.schedule(options: options, $0) }
      caller.begin { [upstream] in upstream.receive(subscriber: CallingConduit(caller, subscriber)) }
    }
  }
}

/// Makes every value ready as it comes.
@usableFromInline
struct HopMachine<Value, Failure: Error>: PassingMachine {
  @usableFromInline typealias Out = Outbox<Value, Failure, Void>
  @inlinable static var name: String { "ReceiveOn" }

  /// How many values may still come.
  @usableFromInline var allowance = Subscribers.Demand.none

  @inlinable
  init() {}

  @inlinable @inline(__always)
  mutating func received(_ value: Value, at now: Void, _ out: inout Out) {
    if allowance.spend() { out.ready.append(value) }
  }

  @inlinable
  mutating func ended(_ completion: Subscribers.Completion<Failure>, at now: Void, _ out: inout Out) {
    out.ending = completion
  }

  @inlinable
  mutating func woke(at time: Void, _ out: inout Out) {}
}

/// Passes signals, as long as the caller lets it.
@usableFromInline
final class CallingConduit<Downstream: Subscriber>: Subscriber, CustomStringConvertible {
  @usableFromInline let caller: Caller
  @usableFromInline let downstream: Downstream

  @inlinable
  init(_ caller: Caller, _ downstream: Downstream) {
    self.caller = caller
    self.downstream = downstream
  }

  @inlinable
  func receive(subscription: any Subscription) {
    guard caller.slot.take(subscription) else { return }
    caller.holdBack { downstream.receive(subscription: caller) }
  }

  @inlinable @inline(__always)
  func receive(_ input: Downstream.Input) -> Subscribers.Demand {
    guard caller.isOpen else {
      caller.cancelFromInside()
      return .none
    }
    return downstream.receive(input)
  }

  @inlinable
  func receive(completion: Subscribers.Completion<Downstream.Failure>) {
    guard caller.slot.end() != nil, !caller.isCancelled.load(ordering: .relaxed) else { return }
    downstream.receive(completion: completion)
  }

  @usableFromInline
  var description: String { "SubscribeOn" }
}

/// The subscription that calls upstream on a scheduler: one job at a time, what has to wait is added up.
@usableFromInline
final class Caller: Subscription, CustomStringConvertible, @unchecked Sendable {
  // Sendable: the flag is atomic, everything else mutable is touched under the lock only.
  @usableFromInline let slot = SubscriptionSlot(name: nil)
  @usableFromInline let isCancelled = Atomic<Bool>(false)

  private let lock = Lock()
  private let run: (@escaping () -> Void) -> Void
  private var demand = Subscribers.Demand.none
  private var cancelIsDue = false
  /// Whether a job is scheduled or running.
  private var isActive = true
  /// The thread of the running job: calls made on it are on the scheduler already.
  private var worker: ThreadIdentity?
  /// Whether downstream is still taking the subscription, so that no value may come.
  private var isHeldBack = false

  @usableFromInline
  init(_ run: @escaping (@escaping () -> Void) -> Void) {
    self.run = run
  }

  @inlinable @inline(__always)
  var isOpen: Bool { slot.isOpen && !isCancelled.load(ordering: .relaxed) }

  /// Runs the first job: it subscribes.
  @usableFromInline
  func begin(_ subscribe: @escaping () -> Void) {
    run {
      self.lock.withLock { self.worker = .current }
      subscribe()
      self.work()
    }
  }

  /// Hands the subscription over; what downstream asks for meanwhile comes afterwards.
  @usableFromInline
  func holdBack(_ handOver: () -> Void) {
    lock.withLock { isHeldBack = true }
    handOver()
    start { isHeldBack = false }
  }

  @usableFromInline
  func request(_ more: Subscribers.Demand) {
    guard more > .none, !slot.hasEnded else { return }
    start { demand += more }
  }

  @usableFromInline
  func cancel() {
    guard !isCancelled.exchange(true, ordering: .acquiringAndReleasing) else { return }
    start { cancelIsDue = true }
    cancelFromInside()
  }

  /// Cancels upstream now if this is the thread of the running job; otherwise that job does it, or the next one.
  @usableFromInline
  func cancelFromInside() {
    let isInside = lock.withLock { cancelIsDue && worker == .current }
    if isInside { slot.cancel() }
  }

  /// Changes what is due, and schedules a job for it if none is there to do it.
  private func start(_ change: () -> Void) {
    let starts = lock.withLock {
      change()
      guard !isActive, !isHeldBack, demand > .none || cancelIsDue else { return false }
      isActive = true
      return true
    }
    guard starts else { return }
    run {
      self.lock.withLock { self.worker = .current }
      self.work()
    }
  }

  /// Makes the calls that are due, until none is.
  private func work() {
    while true {
      let (cancels, requested) = lock.withLock {
        let due = isHeldBack ? (false, .none) : (cancelIsDue, demand)
        if due == (false, .none) { (isActive, worker) = (false, nil) }
        if !isHeldBack { demand = .none }
        return due
      }
      if cancels {
        // Nothing is due afterwards, and nothing gets due any more: the job stays the last one.
        slot.cancel()
        return
      }
      guard requested > .none else { return }
      slot.request(requested)
    }
  }

  @usableFromInline
  var description: String { "SubscribeOn" }
}
