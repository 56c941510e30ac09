import Dispatch
import Reactive
import ReactiveFoundation

extension Group {
  /// From one thread, or one turn of a queue, to another.
  static var hops: Group {
    Group(
      title: "Hops",
      rows: [
        .hop("ImmediateScheduler", ImmediateScheduler.shared, each: 1) {},
        .hop("a queue, one at a time", each: 1),
        .hop("a queue, 1000 at a time", each: 1_000),
        .subjectHop("while the queue runs", holdsBack: false),
        .subjectHop("before the queue runs", holdsBack: true),
        .sequenceHop("while the queue runs", holdsBack: false),
        .sequenceHop("before the queue runs", holdsBack: true),
        .debounce,
      ])
  }
}

/// A serial queue without a thread: what is scheduled waits until somebody runs it.
private final class ManualQueue: Scheduler {
  typealias SchedulerTimeType = ImmediateScheduler.SchedulerTimeType
  typealias SchedulerOptions = Never

  private var actions: [() -> Void] = []
  /// What is being run; both keep their memory, so that the figures are not the queue's.
  private var due: [() -> Void] = []

  var now: SchedulerTimeType { ImmediateScheduler.shared.now }
  var minimumTolerance: SchedulerTimeType.Stride { 0 }

  /// Runs what waits, and what is scheduled meanwhile.
  func run() {
    while !actions.isEmpty {
      swap(&due, &actions)
      for action in due { action() }
      due.removeAll(keepingCapacity: true)
    }
  }

  func schedule(options: Never?, _ action: @escaping () -> Void) {
    actions.append(action)
  }

  func schedule(
    after date: SchedulerTimeType, tolerance: SchedulerTimeType.Stride, options: Never?, _ action: @escaping () -> Void
  ) {
    actions.append(action)
  }

  func schedule(
    after date: SchedulerTimeType, interval: SchedulerTimeType.Stride, tolerance: SchedulerTimeType.Stride,
    options: Never?, _ action: @escaping () -> Void
  ) -> any Cancellable {
    actions.append(action)
    return Subscriptions.empty
  }
}

/// How many values are sent at once.
private let burstSize = 100_000

/// Sends that many.
private typealias Burst = () -> Void

private func sendBurst(to subject: PassthroughSubject<Int, Never>, _ token: AnyCancellable) {
  for index in 0..<burstSize { subject.send(index) }
  withExtendedLifetime(token) {}
}

extension Row {
  fileprivate static func hop(_ name: String, each count: Int) -> Row {
    let queue = ManualQueue()
    return .hop(name, queue, each: count) { queue.run() }
  }

  /// Values that are sent before the scheduler has its turn.
  @inline(__always)
  fileprivate static func hop<S: Scheduler>(
    _ name: String, _ scheduler: S, each count: Int, run: @escaping () -> Void
  ) -> Row {
    .calls("hop / \(name)", operation: "value", each: count) {
      let subject = PassthroughSubject<Int, Never>()
      let token = subject.receive(on: scheduler).sink { tally.total &+= $0 }
      return { passes in
        for _ in 0..<passes {
          for index in 0..<count { subject.send(index) }
          run()
        }
        withExtendedLifetime(token) {}
      }
    }
  }

  /// A burst of values to a real queue, held against a job of the queue for each.
  ///
  /// What is timed is the work of both threads.
  ///
  /// - Parameters:
  ///   - holdsBack: Whether the queue begins when all values have been sent.
  ///   - hop: Starts values on their way: each call sends as many as there are.
  private static func dispatch(
    _ name: String, holdsBack: Bool,
    hop: @escaping (_ queue: DispatchQueue, _ receive: @escaping (Int) -> Void) -> Burst,
    limit: @escaping (_ queue: DispatchQueue, _ receive: @escaping (Int) -> Void) -> Burst
  ) -> Row {
    Row(
      name: "hop / DispatchQueue, \(name)", operation: "value", limit: "one async each",
      method: .time {
        let receiver = makeClosures(1)[0]
        let done = DispatchSemaphore(value: 0)
        let receive = { (value: Int) in
          receiver(value)
          if value == burstSize - 1 { done.signal() }
        }
        let queue = DispatchQueue(label: "hop")
        func run(_ burst: Burst, _ passes: Int) {
          for _ in 0..<passes {
            if holdsBack { queue.suspend() }
            burst()
            if holdsBack { queue.resume() }
            done.wait()
          }
        }
        let (work, limit) = (hop(queue, receive), limit(queue, receive))
        return Comparison(operations: burstSize, work: { run(work, $0) }, limit: { run(limit, $0) }, clock: .processor)
      })
  }

  fileprivate static func subjectHop(_ name: String, holdsBack: Bool) -> Row {
    .dispatch("\(burstSize) values of a subject, \(name)", holdsBack: holdsBack) { queue, receive in
      let subject = PassthroughSubject<Int, Never>()
      let token = subject.receive(on: queue).sink(receiveValue: receive)
      return { sendBurst(to: subject, token) }
    } limit: { queue, receive in
      nonisolated(unsafe) let receive = receive
      let subject = PassthroughSubject<Int, Never>()
      let token = subject.sink { value in queue.async { receive(value) } }
      return { sendBurst(to: subject, token) }
    }
  }

  fileprivate static func sequenceHop(_ name: String, holdsBack: Bool) -> Row {
    .dispatch("\(burstSize) elements of a sequence, \(name)", holdsBack: holdsBack) { queue, receive in
      var token: AnyCancellable?
      return {
        token = Deferred { (0..<burstSize).publisher }.receive(on: queue).sink(receiveValue: receive)
        // The variable keeps it until the next burst; this counts as a use of it.
        withExtendedLifetime(token) {}
      }
    } limit: { queue, receive in
      nonisolated(unsafe) let receive = receive
      return {
        for value in 0..<burstSize { queue.async { receive(value) } }
      }
    }
  }

  /// A burst of which nothing but the last value comes through; the alarm is set once in each interval.
  fileprivate static var debounce: Row {
    .calls("hop / debounce of a burst", operation: "value", each: burstSize) {
      let subject = PassthroughSubject<Int, Never>()
      let token = subject.debounce(for: .milliseconds(20), scheduler: DispatchQueue(label: "debounce"))
        // What comes through comes on another thread, when the limit may be at its tally already.
        .sink { _ in }
      return { passes in
        for _ in 0..<passes {
          sendBurst(to: subject, token)
        }
      }
    }
  }
}
