import Dispatch
import Reactive
import ReactiveTesting

/// A scheduler over a dispatch queue, serial or concurrent, that counts its jobs.
struct QueueScheduler: Scheduler {
  typealias SchedulerTimeType = TestScheduler.SchedulerTimeType
  typealias SchedulerOptions = Never

  private static let key = DispatchSpecificKey<Int>()
  private static let names = Log<Int>()

  let queue: DispatchQueue
  let jobs = Log<Void>()
  private let name: Int

  init(concurrent: Bool = false) {
    queue = DispatchQueue(label: "QueueScheduler", attributes: concurrent ? .concurrent : [])
    Self.names.append(0)
    name = Self.names.all.count
    queue.setSpecific(key: Self.key, value: name)
  }

  /// Whether the caller runs on the queue.
  var isCurrent: Bool { DispatchQueue.getSpecific(key: Self.key) == name }

  var now: SchedulerTimeType {
    SchedulerTimeType(.nanoseconds(Int(DispatchTime.now().uptimeNanoseconds)))
  }
  var minimumTolerance: SchedulerTimeType.Stride { 0 }

  func schedule(options: Never?, _ action: @escaping () -> Void) {
    jobs.append(())
    let action = Unprotected(action)
    queue.async { action.value() }
  }

  func schedule(
    after date: SchedulerTimeType, tolerance: SchedulerTimeType.Stride, options: Never?, _ action: @escaping () -> Void
  ) {
    let action = Unprotected(action)
    queue.asyncAfter(deadline: Self.time(date)) { action.value() }
  }

  func schedule(
    after date: SchedulerTimeType, interval: SchedulerTimeType.Stride, tolerance: SchedulerTimeType.Stride,
    options: Never?, _ action: @escaping () -> Void
  ) -> any Cancellable {
    let timer = DispatchSource.makeTimerSource(queue: queue)
    let action = Unprotected(action)
    timer.setEventHandler { action.value() }
    timer.schedule(deadline: Self.time(date), repeating: .nanoseconds(max(interval.magnitude, 1)))
    timer.resume()
    return AnyCancellable { timer.cancel() }
  }

  private static func time(_ date: SchedulerTimeType) -> DispatchTime {
    DispatchTime(uptimeNanoseconds: UInt64(max(date.elapsed.magnitude, 0)))
  }
}

/// Virtual time with options, which it writes down.
struct OptionScheduler: Scheduler {
  typealias SchedulerTimeType = TestScheduler.SchedulerTimeType
  typealias SchedulerOptions = String

  let base = TestScheduler()
  let options = Log<String?>()
  let tolerances = Log<SchedulerTimeType.Stride>()

  var now: SchedulerTimeType { base.now }
  var minimumTolerance: SchedulerTimeType.Stride { 0.25 }

  func schedule(options: String?, _ action: @escaping () -> Void) {
    self.options.append(options)
    base.schedule(options: nil, action)
  }

  func schedule(
    after date: SchedulerTimeType, tolerance: SchedulerTimeType.Stride, options: String?, _ action: @escaping () -> Void
  ) {
    self.options.append(options)
    tolerances.append(tolerance)
    base.schedule(after: date, tolerance: tolerance, options: nil, action)
  }

  func schedule(
    after date: SchedulerTimeType, interval: SchedulerTimeType.Stride, tolerance: SchedulerTimeType.Stride,
    options: String?, _ action: @escaping () -> Void
  ) -> any Cancellable {
    self.options.append(options)
    tolerances.append(tolerance)
    return base.schedule(after: date, interval: interval, tolerance: tolerance, options: nil, action)
  }
}

/// A scheduler that runs everything at once, on a clock that stands still: dates lie in the future and come at once.
struct HastyScheduler: Scheduler {
  typealias SchedulerTimeType = TestScheduler.SchedulerTimeType
  typealias SchedulerOptions = Never

  let now = SchedulerTimeType(0)
  let minimumTolerance: SchedulerTimeType.Stride = 0

  func schedule(options: Never?, _ action: @escaping () -> Void) { action() }

  func schedule(
    after date: SchedulerTimeType, tolerance: SchedulerTimeType.Stride, options: Never?, _ action: @escaping () -> Void
  ) { action() }

  func schedule(
    after date: SchedulerTimeType, interval: SchedulerTimeType.Stride, tolerance: SchedulerTimeType.Stride,
    options: Never?, _ action: @escaping () -> Void
  ) -> any Cancellable {
    action()
    return Subscriptions.empty
  }
}
