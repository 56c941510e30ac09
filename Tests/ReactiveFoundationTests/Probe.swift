import Foundation
import Reactive

/// How long a test waits for what has to happen, in seconds.
let patience: TimeInterval = 30

/// Something that several threads change and a test waits for.
final class Watched<Value>: @unchecked Sendable {
  private let condition = NSCondition()
  private var current: Value

  init(_ value: Value) {
    current = value
  }

  var value: Value {
    condition.withLock { current }
  }

  func change(_ body: (inout Value) -> Void) {
    condition.withLock {
      body(&current)
      condition.broadcast()
    }
  }

  /// Waits until the value is as wanted.
  ///
  /// - Returns: Whether it was before the deadline.
  func wait(until isWanted: (Value) -> Bool) -> Bool {
    let deadline = Date(timeIntervalSinceNow: patience)
    return condition.withLock {
      while !isWanted(current) {
        guard condition.wait(until: deadline) else { return isWanted(current) }
      }
      return true
    }
  }
}

/// A subscriber that writes down what it receives, on whatever thread.
final class Probe<Input, Failure: Error>: Subscriber, @unchecked Sendable {
  struct Record {
    var subscription: (any Subscription)?
    var values: [Input] = []
    var completions: [Subscribers.Completion<Failure>] = []
    var threads: [Thread] = []
    /// How many calls are going on, and how many did while another one was.
    var depth = 0
    var overlaps = 0
  }

  let record = Watched(Record())
  private let initial: Subscribers.Demand
  private let react: (Input, Probe) -> Subscribers.Demand

  init(
    _ initial: Subscribers.Demand = .unlimited,
    react: @escaping (Input, Probe) -> Subscribers.Demand = { _, _ in .none }
  ) {
    self.initial = initial
    self.react = react
  }

  func receive(subscription: any Subscription) {
    record.change { $0.subscription = subscription }
    subscription.request(initial)
  }

  func receive(_ input: Input) -> Subscribers.Demand {
    record.change {
      $0.values.append(input)
      $0.threads.append(.current)
      if $0.depth > 0 { $0.overlaps += 1 }
      $0.depth += 1
    }
    defer { record.change { $0.depth -= 1 } }
    return react(input, self)
  }

  func receive(completion: Subscribers.Completion<Failure>) {
    record.change { $0.completions.append(completion) }
  }

  func request(_ demand: Subscribers.Demand) { record.value.subscription?.request(demand) }
  func cancel() { record.value.subscription?.cancel() }
  var values: [Input] { record.value.values }

  /// Waits for a number of values; false after a deadline.
  func waitForValues(_ count: Int) -> Bool {
    record.wait { $0.values.count >= count }
  }

  /// Waits for the end.
  ///
  /// - Returns: How it ended; nil after a deadline.
  func waitForEnd() -> Subscribers.Completion<Failure>? {
    _ = record.wait { !$0.completions.isEmpty }
    return record.value.completions.first
  }
}

extension Subscribers.Completion {
  var isFinished: Bool {
    if case .finished = self { true } else { false }
  }

  var error: Failure? {
    if case .failure(let error) = self { error } else { nil }
  }
}

/// A thread that runs its run loop in the default mode until the test lets it go.
final class LoopThread {
  let loop: RunLoop
  let thread: Thread
  private let isOver = Watched(false)

  init() {
    final class Started: @unchecked Sendable {
      var loop: RunLoop?
      var thread: Thread?
    }
    let started = Started()
    let ready = DispatchSemaphore(value: 0)
    let isOver = isOver
    Thread.detachNewThread {
      started.loop = .current
      started.thread = .current
      // Without anything to wait for, a run loop returns at once.
      RunLoop.current.add(Timer(timeInterval: 100_000, repeats: true) { _ in }, forMode: .default)
      ready.signal()
      while !isOver.value { _ = RunLoop.current.run(mode: .default, before: .distantFuture) }
    }
    ready.wait()
    guard let loop = started.loop, let thread = started.thread else { preconditionFailure("The thread has started") }
    (self.loop, self.thread) = (loop, thread)
  }

  deinit {
    isOver.change { $0 = true }
    loop.add(Timer(fire: .distantPast, interval: 0, repeats: false) { _ in }, forMode: .default)
  }

  /// Lets a timer of the loop fire some times.
  ///
  /// - Returns: Whether it did before a deadline; whatever was due in the loop before has happened then.
  func passes(_ count: Int = 3, every interval: TimeInterval = 0.01) -> Bool {
    let fired = Watched(0)
    let timer = Timer(timeInterval: interval, repeats: true) { _ in fired.change { $0 += 1 } }
    loop.add(timer, forMode: .default)
    defer { timer.invalidate() }
    return fired.wait { $0 >= count }
  }
}
