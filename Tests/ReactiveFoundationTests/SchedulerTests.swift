import Foundation
import Reactive
import ReactiveFoundation
import Testing

/// The schedulers of this module, for what they have in common: one action at a time, and a real clock.
enum RealScheduler: CaseIterable {
  case dispatchQueue
  case concurrentDispatchQueue
  case operationQueue
  case runLoop

  func make() -> AnyRealScheduler {
    switch self {
    case .dispatchQueue:
      AnyRealScheduler(DispatchQueue(label: "serial"))
    case .concurrentDispatchQueue:
      AnyRealScheduler(DispatchQueue(label: "concurrent", attributes: .concurrent))
    case .operationQueue:
      AnyRealScheduler(Self.serialOperationQueue())
    case .runLoop:
      AnyRealScheduler(LoopThread())
    }
  }

  static func serialOperationQueue() -> OperationQueue {
    let queue = OperationQueue()
    queue.maxConcurrentOperationCount = 1
    return queue
  }
}

/// A scheduler whose times are seconds from now.
struct AnyRealScheduler {
  let run: (@escaping () -> Void) -> Void
  let runAfter: (_ delay: Double, _ tolerance: Double, @escaping () -> Void) -> Void
  let runEvery: (_ delay: Double, _ interval: Double, @escaping () -> Void) -> any Cancellable

  init<S: Scheduler>(_ scheduler: S) {
    run = { scheduler.schedule($0) }
    runAfter = { delay, tolerance, action in
      scheduler.schedule(after: scheduler.now.advanced(by: .seconds(delay)), tolerance: .seconds(tolerance), action)
    }
    runEvery = { delay, interval, action in
      scheduler.schedule(after: scheduler.now.advanced(by: .seconds(delay)), interval: .seconds(interval), action)
    }
  }

  init(_ thread: LoopThread) {
    let inner = AnyRealScheduler(thread.loop)
    // Every closure keeps the thread going.
    run = { action in withExtendedLifetime(thread) { inner.run(action) } }
    runAfter = { delay, tolerance, action in
      withExtendedLifetime(thread) { inner.runAfter(delay, tolerance, action) }
    }
    runEvery = { delay, interval, action in withExtendedLifetime(thread) { inner.runEvery(delay, interval, action) } }
  }

  /// Lets another repetition run some times.
  ///
  /// - Returns: Whether it did before a deadline; what was due before has happened then.
  func passes(_ count: Int = 5) -> Bool {
    let fired = Watched(0)
    let repetition = runEvery(0.01, 0.01) { fired.change { $0 += 1 } }
    defer { repetition.cancel() }
    return fired.wait { $0 >= count }
  }
}

@Suite struct SchedulerTests {
  @Test(arguments: RealScheduler.allCases)
  func `every action runs once`(kind: RealScheduler) {
    let scheduler = kind.make()
    let runs = Watched<[Int]>([])
    for number in 0..<500 { scheduler.run { runs.change { $0.append(number) } } }
    #expect(runs.wait { $0.count == 500 })
    #expect(runs.value.sorted() == Array(0..<500))
    if kind != .concurrentDispatchQueue { #expect(runs.value == Array(0..<500)) }
  }

  @Test(arguments: RealScheduler.allCases, [0, 0.05])
  func `an action does not run before its time, with a tolerance or without`(kind: RealScheduler, tolerance: Double) {
    let scheduler = kind.make()
    let start = DispatchTime.now()
    let took = Watched<Double?>(nil)
    scheduler.runAfter(0.1, tolerance) {
      let nanoseconds = DispatchTime.now().uptimeNanoseconds - start.uptimeNanoseconds
      took.change { $0 = Double(nanoseconds) / 1e9 }
    }
    #expect(took.wait { $0 != nil })
    // Run loops compare wall clocks, which a machine may correct.
    #expect(took.value ?? 0 > 0.099)
  }

  @Test(arguments: RealScheduler.allCases)
  func `an action whose time has passed runs at once`(kind: RealScheduler) {
    let scheduler = kind.make()
    let runs = Watched(0)
    for delay in [-1, -1e9, -.infinity] as [Double] { scheduler.runAfter(delay, 0) { runs.change { $0 += 1 } } }
    #expect(runs.wait { $0 == 3 })
  }

  @Test(arguments: RealScheduler.allCases)
  func `a repetition goes on until it is cancelled, and does not overlap`(kind: RealScheduler) {
    let scheduler = kind.make()
    let runs = Watched((count: 0, active: 0, overlaps: 0))
    let repetition = scheduler.runEvery(0.001, 0.001) {
      runs.change {
        $0.count += 1
        $0.active += 1
        if $0.active > 1 { $0.overlaps += 1 }
      }
      sched_yield()
      runs.change { $0.active -= 1 }
    }
    #expect(runs.wait { $0.count >= 20 })
    repetition.cancel()
    repetition.cancel()
    // One run may have begun.
    #expect(scheduler.passes())
    let count = runs.value.count
    #expect(scheduler.passes())
    #expect(runs.value.count == count)
    #expect(runs.value.overlaps == 0)
  }

  @Test(arguments: RealScheduler.allCases)
  func `a repetition that is cancelled by its own action never runs again`(kind: RealScheduler) {
    let scheduler = kind.make()
    let token = Watched<(any Cancellable)?>(nil)
    let runs = Watched(0)
    let repetition = scheduler.runEvery(0.05, 0.001) {
      runs.change { $0 += 1 }
      if runs.value == 3 { token.value?.cancel() }
    }
    token.change { $0 = repetition }
    #expect(runs.wait { $0 == 3 })
    #expect(scheduler.passes(20))
    #expect(runs.value == 3)
  }

  @Test(arguments: RealScheduler.allCases)
  func `a repetition ends when its token is released, and lets go of the action`(kind: RealScheduler) {
    final class Payload {}
    let scheduler = kind.make()
    let runs = Watched(0)
    weak var gone: Payload?
    do {
      let payload = Payload()
      gone = payload
      let repetition = scheduler.runEvery(0.001, 0.001) { runs.change { $0 += payload === gone ? 1 : 0 } }
      #expect(runs.wait { $0 >= 2 })
      withExtendedLifetime(repetition) {}
    }
    #expect(scheduler.passes())
    let count = runs.value
    #expect(scheduler.passes())
    #expect(runs.value == count)
    #expect(gone == nil)
  }

  @Test(arguments: RealScheduler.allCases)
  func `extreme times, intervals and tolerances do not trap, and never is never`(kind: RealScheduler) {
    let scheduler = kind.make()
    let early = Watched(0)
    for extreme in [Double.infinity, 1e300, 200_000, Double(Int.max)] {
      scheduler.runAfter(extreme, 0) { early.change { $0 += 1 } }
      scheduler.runEvery(extreme, 21_600) { early.change { $0 += 1 } }.cancel()
    }
    let runs = Watched(Set<Int>())
    let extremes = [Double.infinity, -.infinity, .nan, 1e300, 0, -1, 200_000]
    let repetitions = extremes.enumerated().map { index, extreme in
      scheduler.runEvery(0, extreme) { runs.change { $0.insert(index) } }
    }
    for (index, extreme) in extremes.enumerated() {
      scheduler.runAfter(0, extreme == .infinity || extreme >= 1 ? 0.01 : extreme) {
        runs.change { $0.insert(100 + index) }
      }
    }
    #expect(runs.wait { $0.count == 2 * extremes.count })
    for repetition in repetitions { repetition.cancel() }
    #expect(early.value == 0)
  }

  @Test(arguments: RealScheduler.allCases)
  @MainActor func `a closure written on the main actor runs elsewhere`(kind: RealScheduler) {
    let runs = Watched(0)
    var scheduled = 0
    let scheduler = kind.make()
    scheduled += 1
    scheduler.run { runs.change { $0 += 1 } }
    #expect(runs.wait { $0 == scheduled })
  }

  @Test func `queues and run loops have a clock that goes on, and no tolerance of their own`() {
    func check<S: Scheduler>(_ scheduler: S) {
      let before = scheduler.now
      #expect(before <= scheduler.now)
      #expect(scheduler.minimumTolerance == .seconds(0))
    }
    check(DispatchQueue.main)
    check(OperationQueue.main)
    check(RunLoop.main)
  }

  @Test func `queues and run loops are schedulers at run time too`() {
    let candidates: [Any] = [DispatchQueue.main, OperationQueue.main, RunLoop.main]
    #expect(candidates.allSatisfy { $0 is any Scheduler })
  }
}

@Suite struct DispatchQueueSchedulerTests {
  @Test func `actions belong to the group of their options until they have run`() {
    let queue = DispatchQueue(label: "group")
    let group = DispatchGroup()
    let options = DispatchQueue.SchedulerOptions(group: group)
    let runs = Watched(0)
    queue.schedule(options: options) { runs.change { $0 += 1 } }
    for tolerance in [0, 0.01] as [DispatchQueue.SchedulerTimeType.Stride] {
      queue.schedule(after: queue.now.advanced(by: 0.05), tolerance: tolerance, options: options) {
        runs.change { $0 += 1 }
      }
    }
    #expect(group.wait(timeout: .now() + patience) == .success)
    #expect(runs.value == 3)
  }

  @Test func `an action can be a barrier`() {
    let queue = DispatchQueue(label: "barrier", attributes: .concurrent)
    let active = Watched(0)
    let seen = Watched<Int?>(nil)
    for _ in 0..<20 {
      queue.schedule {
        active.change { $0 += 1 }
        sched_yield()
        active.change { $0 -= 1 }
      }
    }
    queue.schedule(options: .init(flags: .barrier)) { seen.change { $0 = active.value } }
    #expect(seen.wait { $0 != nil })
    #expect(seen.value == 0)
  }

  @Test func `options are the queue's own unless they are chosen`() {
    let options = DispatchQueue.SchedulerOptions()
    #expect(options.qos == .unspecified)
    #expect(options.flags == [])
    #expect(options.group == nil)
    #expect(DispatchQueue.SchedulerOptions(qos: .utility).qos == .utility)
  }
}

@Suite struct OperationQueueSchedulerTests {
  private let queue = RealScheduler.serialOperationQueue()

  @Test func `the queue counts an action that waits for its time`() {
    let runs = Watched(0)
    queue.schedule(after: queue.now.advanced(by: 0.05)) { runs.change { $0 += 1 } }
    #expect(queue.operationCount == 1)
    queue.waitUntilAllOperationsAreFinished()
    #expect(runs.value == 1)
  }

  @Test func `cancelling the queue's operations drops an action that waits, and ends a repetition`() {
    let runs = Watched(0)
    queue.schedule(after: queue.now.advanced(by: 0.05)) { runs.change { $0 += 1 } }
    let repetition = queue.schedule(after: queue.now.advanced(by: 0.05), interval: 0.01) { runs.change { $0 += 1 } }
    queue.cancelAllOperations()
    queue.waitUntilAllOperationsAreFinished()
    #expect(runs.value == 0)
    repetition.cancel()
  }

  @Test func `a cancelled repetition leaves the queue before its time`() {
    let repetition = queue.schedule(after: queue.now.advanced(by: 100_000), interval: 100_000) {}
    #expect(queue.operationCount == 1)
    repetition.cancel()
    queue.waitUntilAllOperationsAreFinished()
    #expect(queue.operationCount == 0)
  }

  @Test func `a queue that is suspended runs nothing, and one run makes up for those that were missed`() {
    let runs = Watched<[Date]>([])
    queue.isSuspended = true
    let start = Date()
    let repetition = queue.schedule(after: queue.now, interval: 0.05) { runs.change { $0.append(Date()) } }
    let others = AnyRealScheduler(DispatchQueue(label: "clock"))
    #expect(others.passes(30))
    #expect(runs.value.isEmpty)
    queue.isSuspended = false
    #expect(runs.wait { $0.count >= 3 })
    repetition.cancel()
    // The second run keeps to the series: it waits for a multiple of the interval.
    let offset = runs.value[1].timeIntervalSince(start)
    #expect(offset >= 0.3)
    #expect(runs.value[2].timeIntervalSince(runs.value[0]) > 0.05)
  }
}

@Suite struct RunLoopSchedulerTests {
  private let thread = LoopThread()

  @Test func `an action wakes a loop that sleeps, and runs on its thread`() {
    let threads = Watched<[Thread]>([])
    // When this timer has fired, the loop goes to sleep.
    #expect(thread.passes(1))
    thread.loop.schedule { threads.change { $0.append(.current) } }
    #expect(threads.wait { $0.count == 1 })
    thread.loop.schedule(after: thread.loop.now) { threads.change { $0.append(.current) } }
    #expect(threads.wait { $0.count == 2 })
    #expect(threads.value.allSatisfy { $0 === thread.thread })
  }

  @Test func `an action scheduled on the loop's own thread runs after the one that is running`() {
    let events = Watched<[String]>([])
    let loop = thread.loop
    loop.schedule {
      RunLoop.current.schedule { events.change { $0.append("inner") } }
      events.change { $0.append("outer") }
    }
    #expect(events.wait { $0.count == 2 })
    #expect(events.value == ["outer", "inner"])
  }
}
