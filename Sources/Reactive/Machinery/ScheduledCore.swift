public import Synchronization

/// Runs a timed machine between one upstream and one downstream, under one lock that is never held while calling out.
///
/// What the machine makes ready waits in one queue, and one drain at a time is scheduled or running to deliver it: so
/// signals keep their order and do not overlap on any scheduler, a concurrent or an immediate one included, and a burst
/// costs one job. The alarm is one job too; a token tells it from those that it replaced.
@usableFromInline
final class ScheduledCore<M: TimedMachine, Downstream: Subscriber>: Subscriber, CustomStringConvertible,
  @unchecked Sendable
where Downstream.Input == M.Output, Downstream.Failure == M.Failure {
  // Sendable: everything mutable is touched under the lock only; signals come out of one drain at a time.
  @usableFromInline typealias Input = M.Input
  @usableFromInline typealias Failure = M.Failure

  @usableFromInline let lock = Lock()
  @usableFromInline let downstream: Downstream
  @usableFromInline let slot = SubscriptionSlot(name: nil)
  @usableFromInline let timing: Timing<M.Time>
  @usableFromInline let expiry: () -> Subscribers.Completion<M.Failure>
  @usableFromInline let isOver = Atomic<Bool>(false)
  @usableFromInline let name: String
  /// The machine as it was at first, which takes the place of the used one at the end.
  @usableFromInline let unused: M

  @exclusivity(unchecked)
  @usableFromInline var machine: M
  @exclusivity(unchecked)
  @usableFromInline var outbox = Outbox<M.Output, M.Failure, M.Time>()

  /// Whether a drain is scheduled or running; the hand-over of the subscription holds it off as well.
  @exclusivity(unchecked)
  @usableFromInline var isDraining = true
  @exclusivity(unchecked)
  @usableFromInline var isStarted = false
  /// What was requested before the start.
  @exclusivity(unchecked)
  @usableFromInline var early = Subscribers.Demand.none
  @exclusivity(unchecked)
  @usableFromInline var isUpstreamDone = false

  // Jobs belong to the scheduler and hold the core; one that the scheduler loses must not leave a cycle.
  @usableFromInline let anchor = DrainAnchor()
  @usableFromInline weak var alarmJob: Job?
  @exclusivity(unchecked)
  @usableFromInline var alarmToken: UInt64 = 0

  @usableFromInline weak var subscription: JunctionSubscription?

  /// Makes the core of one subscription.
  ///
  /// - Parameters:
  ///   - machine: The logic.
  ///   - downstream: What receives the signals.
  ///   - name: How the subscription describes itself.
  ///   - timing: The scheduler.
  ///   - expiry: How the stream ends when the machine says that time is up.
  @inlinable
  init(
    _ machine: M, _ downstream: Downstream, name: String, _ timing: Timing<M.Time>,
    expiry: @escaping () -> Subscribers.Completion<M.Failure> = { .finished }
  ) {
    self.machine = machine
    unused = machine
    self.downstream = downstream
    self.name = name
    self.timing = timing
    self.expiry = expiry
  }

  // MARK: From upstream

  @inlinable
  func receive(subscription upstream: any Subscription) {
    guard slot.take(upstream) else { return }
    let subscription = JunctionSubscription(
      name: name, request: { self.request($0) }, cancel: { self.cancel() })
    self.subscription = subscription
    downstream.receive(subscription: subscription)
    let now = timing.now()
    tell {
      isDraining = false
      isStarted = true
      if !isUpstreamDone { machine.started(at: now, &outbox) }
      if early > .none { machine.requested(early, at: now, &outbox) }
    }
  }

  @inlinable @inline(__always)
  func receive(_ input: M.Input) -> Subscribers.Demand {
    guard slot.isOpen else { return .none }
    let now = timing.now()
    tell { if !isUpstreamDone { machine.received(input, at: now, &outbox) } }
    return .none
  }

  @inlinable
  func receive(completion: Subscribers.Completion<M.Failure>) {
    guard slot.end() != nil else { return }
    let now = timing.now()
    tell {
      if isUpstreamDone { return }
      isUpstreamDone = true
      machine.ended(completion, at: now, &outbox)
    }
  }

  // MARK: From downstream

  @inlinable
  func request(_ demand: Subscribers.Demand) {
    let now = timing.now()
    tell {
      // Values must not come before downstream has returned from taking the subscription.
      if isStarted {
        machine.requested(demand, at: now, &outbox)
      } else {
        early += demand
      }
    }
  }

  @inlinable
  func cancel() {
    guard !isOver.exchange(true, ordering: .acquiringAndReleasing) else { return }
    tearDown()
  }

  /// Lets go of upstream, of the jobs and of everything that waits.
  @usableFromInline
  func tearDown() {
    var machine = unused
    var outbox = Outbox<M.Output, M.Failure, M.Time>()
    let alarm = lock.withLock {
      swap(&machine, &self.machine)
      swap(&outbox, &self.outbox)
      return alarmJob
    }
    slot.cancel()
    alarm?.drop()
    withExtendedLifetime(anchor.take()) {}
    subscription?.close()
  }

  // MARK: The machine

  /// What is to be done after an input.
  @usableFromInline
  enum Work {
    case nothing
    case drain(DrainJob)
    case orders
  }

  /// Lets the machine take an input, and does what it says.
  @inlinable @inline(__always)
  func tell(_ step: () -> Void) {
    var dropped: M.Output?
    let work = lock.withLock { () -> Work in
      if isOver.load(ordering: .relaxed) { return .nothing }
      step()
      swap(&dropped, &outbox.dropped)
      if outbox.hasOrders { return .orders }
      guard !isDraining, outbox.hasSignals else { return .nothing }
      isDraining = true
      return .drain(DrainJob(anchor, keeping: self))
    }
    switch work {
    case .nothing: return
    case .drain(let job): scheduleDrain(job)
    case .orders: attend(onScheduler: false)
    }
  }

  /// The alarm goes off.
  @inlinable
  func woke(_ token: UInt64, _ date: M.Time) {
    let time = timing.reached(date)
    var dropped: M.Output?
    lock.withLock {
      guard token == alarmToken, !isOver.load(ordering: .relaxed) else { return }
      machine.woke(at: time, &outbox)
      if outbox.isExpired { isUpstreamDone = true }
      swap(&dropped, &outbox.dropped)
    }
    attend(onScheduler: true)
  }

  /// Does what the machine has asked for.
  ///
  /// - Parameter onScheduler: Whether this is a job of the scheduler, where the drain may run at once.
  @inlinable
  func attend(onScheduler: Bool) {
    let (orders, stale, token, drains) = lock.withLock {
      let orders = (alarm: outbox.alarm, demand: outbox.demand, isExpired: outbox.isExpired)
      (outbox.alarm, outbox.demand, outbox.isExpired) = (.keep, .none, false)
      let drains = !isDraining && outbox.hasSignals
      if drains { isDraining = true }
      return (orders, replaceAlarm(orders.alarm), alarmToken, drains)
    }
    stale?.drop()
    if case .set(let date) = orders.alarm { setAlarm(date, token) }
    if orders.isExpired { expire(onScheduler: onScheduler) }
    if drains {
      if onScheduler {
        drain(as: nil)
      } else if let job = lock.withLock({ nextJob() }) {
        scheduleDrain(job)
      }
    }
    slot.request(orders.demand)
  }

  @inlinable
  func expire(onScheduler: Bool) {
    slot.cancel()
    let completion = expiry()
    lock.withLock { if !isOver.load(ordering: .relaxed) { outbox.ending = completion } }
    attend(onScheduler: onScheduler)
  }

  // MARK: The alarm

  @inlinable
  func replaceAlarm(_ order: Outbox<M.Output, M.Failure, M.Time>.Alarm) -> Job? {
    if case .keep = order { return nil }
    alarmToken += 1
    return alarmJob
  }

  @inlinable
  func setAlarm(_ date: M.Time, _ token: UInt64) {
    let job = Job { self.woke(token, date) }
    let isCurrent = lock.withLock {
      guard token == alarmToken, !isOver.load(ordering: .relaxed) else { return false }
      alarmJob = job
      return true
    }
    guard isCurrent else { return }
    job.keep(timing.wake(date) { job.run() })
  }

  // MARK: The drain

  /// Makes a job; called under the lock, by whoever has set `isDraining`.
  @inlinable
  func nextJob() -> DrainJob? {
    isOver.load(ordering: .relaxed) ? nil : DrainJob(anchor, keeping: self)
  }

  /// Hands the drain to the scheduler.
  @inlinable
  func scheduleDrain(_ first: DrainJob) {
    var next: DrainJob? = first
    while let job = next {
      timing.run {
        // Nothing but the job is captured: the closure costs no memory.
        guard let core = job.begin() else { return }
        unsafeDowncast(core, to: ScheduledCore.self).drain(as: job)
      }
      next = job.endHandover() ? lock.withLock { nextJob() } : nil
    }
  }

  @usableFromInline
  enum Turn {
    case deliver
    case end(Subscribers.Completion<M.Failure>)
    case reschedule(DrainJob)
    case rest
  }

  /// Delivers what is ready, and goes on while more gets ready, up to a number after which others may use the scheduler.
  ///
  /// - Parameter job: What it runs as; nil for an alarm.
  @inlinable
  func drain(as job: DrainJob?) {
    var batch = Batch<M.Output>()
    var delivered = 0
    while true {
      switch lock.withLock({ nextTurn(&batch, delivered, of: job) }) {
      case .deliver:
        delivered += batch.count
        while !isOver.load(ordering: .relaxed), let value = batch.popFirst() {
          let more = downstream.receive(value)
          if more > .none { request(more) }
        }
      case .end(let completion):
        tearDown()
        downstream.receive(completion: completion)
        return
      case .reschedule(let job):
        scheduleDrain(job)
        return
      case .rest:
        return
      }
    }
  }

  @inlinable
  func nextTurn(_ batch: inout Batch<M.Output>, _ delivered: Int, of job: DrainJob?) -> Turn {
    guard !isOver.load(ordering: .relaxed) else { return .rest }
    guard outbox.ready.isEmpty else {
      if delivered >= 256 {
        if let job, job.repeatFromOutside() { return .rest }
        return .reschedule(DrainJob(anchor, keeping: self))
      }
      swap(&batch, &outbox.ready)
      return .deliver
    }
    if let ending = outbox.ending {
      return isOver.exchange(true, ordering: .acquiringAndReleasing) ? .rest : .end(ending)
    }
    // The memory of this batch serves the next one.
    if batch.capacity > outbox.ready.capacity { swap(&batch, &outbox.ready) }
    isDraining = false
    return .rest
  }

  @usableFromInline
  var description: String { name }
}
