public import Reactive

/// A scheduler whose time stands still until the test moves it.
///
/// Work runs on the thread that moves the time, in the order of its times, and of being scheduled when times are equal.
/// While it runs, the clock shows the time it was scheduled for. Work may schedule, cancel and move time itself; what it
/// schedules for now, or for a time within the same advance, runs in that advance. Scheduling is allowed from any
/// thread.
public final class TestScheduler: Scheduler, @unchecked Sendable {
  // Sendable: everything is touched under the lock only; work runs outside it.
  /// There are no options.
  public typealias SchedulerOptions = Never

  private let lock = Lock()
  private let shuffle: UInt64?
  private var clock = SchedulerTimeType(0)
  private var heap = Heap()
  private var scheduled = 0

  /// Makes a scheduler at time 0.
  ///
  /// - Parameter seed: With a seed, work for equal times runs in an order that depends on it, to find code that relies
  ///   on that order; without one, in the order of being scheduled.
  public init(shufflingSimultaneousWork seed: UInt64? = nil) {
    shuffle = seed
  }

  /// The present virtual time.
  public var now: SchedulerTimeType { lock.withLock { clock } }

  /// Virtual time is exact.
  public var minimumTolerance: SchedulerTimeType.Stride { 0 }

  /// Plans a closure for now: it runs at the next advance, or later in the one that is going on.
  public func schedule(options: Never?, _ action: @escaping () -> Void) {
    _ = plan(action, at: nil, every: nil)
  }

  /// Plans a closure for a time; one that has passed counts as now.
  public func schedule(
    after date: SchedulerTimeType, tolerance: SchedulerTimeType.Stride, options: Never?, _ action: @escaping () -> Void
  ) {
    _ = plan(action, at: date, every: nil)
  }

  /// Plans a closure for a time and then each interval; an interval that is not positive repeats nothing.
  ///
  /// Among work for equal times it keeps the place that it got when it was scheduled first.
  ///
  /// - Returns: Ends the repetition, and releases the closure, when cancelled.
  public func schedule(
    after date: SchedulerTimeType, interval: SchedulerTimeType.Stride, tolerance: SchedulerTimeType.Stride,
    options: Never?, _ action: @escaping () -> Void
  ) -> any Cancellable {
    let job = plan(action, at: date, every: interval > 0 ? interval : nil)
    return AnyCancellable { [weak self] in self?.cancel(job) }
  }

  private func plan(
    _ action: @escaping () -> Void, at date: SchedulerTimeType?, every interval: SchedulerTimeType.Stride?
  ) -> Job {
    lock.withLock {
      scheduled += 1
      var generator = shuffle.map { SeededGenerator(seed: $0 &+ UInt64(scheduled)) }
      let job = Job(
        time: max(date ?? clock, clock), rank: generator?.next() ?? 0,
        sequence: scheduled, interval: interval, action: action)
      heap.insert(job)
      return job
    }
  }

  private func cancel(_ job: Job) {
    let released = lock.withLock {
      defer {
        job.action = nil
        if job.isQueued { heap.countCancelledJob() }
      }
      return job.action
    }
    withExtendedLifetime(released) {}
  }
}

extension TestScheduler {
  /// Moves time on, and runs what becomes due.
  ///
  /// - Parameter stride: How far; nothing for what is due now. A negative stride counts as nothing.
  public func advance(by stride: SchedulerTimeType.Stride = 0) {
    advance(to: now.advanced(by: stride))
  }

  /// Moves time on to a point, and runs what becomes due; at an earlier point, only what is due now.
  ///
  /// - Parameter time: The point; the clock shows it afterwards.
  public func advance(to time: SchedulerTimeType) {
    while runNext(upTo: time) {}
    lock.withLock { clock = max(clock, time) }
  }

  /// Runs work, moving time as needed, until none is left.
  ///
  /// - Parameter limit: How many pieces of work at most; endless repetitions end there.
  /// - Returns: Whether nothing is left.
  @discardableResult
  public func run(limit: Int = 1000) -> Bool {
    for _ in 0..<limit where !runNext() { return true }
    return pending.isEmpty
  }

  /// Moves time to the next piece of work and runs it.
  ///
  /// - Returns: Whether there was one.
  @discardableResult
  public func runNext() -> Bool {
    runNext(upTo: nil)
  }

  private func runNext(upTo limit: SchedulerTimeType?) -> Bool {
    let action = lock.withLock { () -> (() -> Void)? in
      let latest = limit.map { max($0, clock) }
      guard let job = heap.popFirst(upTo: latest) else { return nil }
      clock = max(clock, job.time)
      defer {
        if let interval = job.interval, case let next = job.time.advanced(by: interval), next > job.time {
          job.time = next
          heap.insert(job)
        }
      }
      return job.action
    }
    action?()
    return action != nil
  }

  /// What is planned, in the order in which it would run; not empty at the end of a test, it tells of a timer that
  /// nobody has cancelled.
  public var pending: [ScheduledJob] {
    lock.withLock { heap.live.sorted().map { ScheduledJob(time: $0.time, interval: $0.interval) } }
  }
}

/// A piece of work that a `TestScheduler` will run.
public struct ScheduledJob: Hashable, Sendable, CustomStringConvertible {
  /// When it will run.
  public let time: TestScheduler.SchedulerTimeType
  /// After what time it will run again; nil for work that runs once.
  public let interval: TestScheduler.SchedulerTimeType.Stride?

  /// The time, and the interval of repeated work.
  public var description: String { interval.map { "at \(time), then every \($0)" } ?? "at \(time)" }
}

/// A piece of work; its key changes only while it is outside the heap.
private final class Job: Comparable {
  var time: TestScheduler.SchedulerTimeType
  let rank: UInt64
  let sequence: Int
  let interval: TestScheduler.SchedulerTimeType.Stride?
  var isQueued = false
  /// What to run; nil when it was cancelled.
  var action: (() -> Void)?

  init(
    time: TestScheduler.SchedulerTimeType, rank: UInt64, sequence: Int,
    interval: TestScheduler.SchedulerTimeType.Stride?, action: @escaping () -> Void
  ) {
    self.time = time
    self.rank = rank
    self.sequence = sequence
    self.interval = interval
    self.action = action
  }

  static func < (lhs: Job, rhs: Job) -> Bool {
    (lhs.time, lhs.rank, lhs.sequence) < (rhs.time, rhs.rank, rhs.sequence)
  }

  static func == (lhs: Job, rhs: Job) -> Bool { lhs === rhs }
}

/// A binary heap of work, the earliest first; cancelled work is skipped, and thrown out when it is the larger part.
private struct Heap {
  private var jobs: [Job] = []
  private var cancelled = 0

  var live: [Job] { jobs.filter { $0.action != nil } }

  mutating func insert(_ job: Job) {
    job.isQueued = true
    jobs.append(job)
    var child = jobs.count - 1
    while child > 0, jobs[child] < jobs[(child - 1) / 2] {
      jobs.swapAt(child, (child - 1) / 2)
      child = (child - 1) / 2
    }
  }

  /// Takes the earliest live piece of work out, unless it is later than a limit.
  mutating func popFirst(upTo limit: TestScheduler.SchedulerTimeType?) -> Job? {
    while let first = jobs.first {
      if let limit, first.time > limit { return nil }
      removeFirst()
      first.isQueued = false
      if first.action != nil { return first }
      cancelled -= 1
    }
    return nil
  }

  private mutating func removeFirst() {
    jobs.swapAt(0, jobs.count - 1)
    jobs.removeLast()
    var parent = 0
    while 2 * parent + 1 < jobs.count {
      var child = 2 * parent + 1
      if child + 1 < jobs.count, jobs[child + 1] < jobs[child] { child += 1 }
      guard jobs[child] < jobs[parent] else { return }
      jobs.swapAt(parent, child)
      parent = child
    }
  }

  mutating func countCancelledJob() {
    cancelled += 1
    guard cancelled > 16, cancelled * 2 > jobs.count else { return }
    let kept = live
    jobs = []
    cancelled = 0
    for job in kept { insert(job) }
  }
}
