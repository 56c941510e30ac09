import Foundation
import Reactive
import ReactiveFoundation
import ReactiveTesting

/// A cold source of some values.
private func values(_ count: Int) -> Record<Int, TestFailure> {
  Record(output: Array(0..<count), completion: .finished)
}

/// A cold source that fails at once.
private var failing: Record<Int, TestFailure> { Record(output: [], completion: .failure(TestFailure())) }

/// Patience for a machine on which races run at the same time.
private var patience: Delivery { .asynchronous(deadline: .seconds(120)) }

/// A serial queue.
private func queue() -> DispatchQueue { DispatchQueue(label: "row") }

/// A future whose work is done on another thread.
private func future(_ result: Result<Int, TestFailure>) -> Future<Int, TestFailure> {
  Future { promise in queue().schedule { promise(result) } }
}

/// A publisher that delivers in another task.
private func task(_ result: Result<Int, TestFailure>) -> Future<Int, TestFailure> {
  Future { promise in
    // The promise may be called anywhere, which its type does not say.
    nonisolated(unsafe) let promise = promise
    Task(executorPreference: Aside()) { promise(result) }
  }
}

/// Where tasks run that somebody waits for without giving up the thread, as tests do.
private final class Aside: TaskExecutor {
  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    DispatchQueue.global().async { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
  }
}

extension Registry {
  /// Publishers that deliver on other threads.
  mutating func addAsynchronousPublishers() {
    addHopping()
    addWaiting()
  }

  private mutating func addHopping() {
    addCold("receive(on:), to a queue", delivery: patience, failing: failing.receive(on: queue())) {
      values($0).receive(on: queue())
    }
    addCold("receive(on:), to a concurrent queue", delivery: patience) {
      values($0).receive(on: DispatchQueue(label: "row", attributes: .concurrent))
    }
    addCold("receive(on:), from queue to queue", delivery: patience) {
      values($0).receive(on: queue()).map { $0 }.receive(on: queue())
    }
    addCold("subscribe(on:), to a queue", delivery: patience, failing: failing.subscribe(on: queue())) {
      values($0).subscribe(on: queue())
    }
    addCold("delay, on a queue", delivery: patience) {
      values($0).delay(for: .microseconds(100), scheduler: queue())
    }
    addCold("merge, of two queues", delivery: patience) {
      values($0 / 2).receive(on: queue()).merge(with: values($0 - $0 / 2).receive(on: queue()))
    }
    addCold("zip, of two queues", delivery: patience) {
      values($0).receive(on: queue()).zip(values($0).receive(on: queue()))
    }
    addCold("buffer, behind a queue", delivery: patience) {
      values($0).receive(on: queue()).buffer(size: 10_000, prefetch: .byRequest, whenFull: .dropNewest)
    }
  }

  private mutating func addWaiting() {
    addCold(
      "Future, of a queue", elements: .only([1]), delivery: patience, failing: future(.failure(TestFailure()))
    ) { _ in
      future(.success(1))
    }
    addCold(
      "Future, of a task", elements: .only([1]), delivery: patience, failing: task(.failure(TestFailure()))
    ) { _ in
      task(.success(1))
    }
    addCold("flatMap, of futures", delivery: patience) {
      values($0).flatMap(maxPublishers: .max(1)) { future(.success($0)) }
    }
    addTimer()
  }

  private mutating func addTimer() {
    let loop = RunLoopThread()
    add("Timer.publish", Timer.TimerPublisher.self, ["Publishers.Autoconnect"]) {
      PublisherVerification("Timer.publish", elements: .only([0, 1, 3, 4, 5, 7]), delivery: patience) { count in
        Timer.publish(every: 0.0005, on: loop.runLoop, in: .default).autoconnect().prefix(count)
      }
    }
  }
}

/// A thread that does nothing but run its run loop, as long as the process lives.
private final class RunLoopThread: @unchecked Sendable {
  // Sendable: the run loop is set before anybody has this, and may be used from any thread.
  let runLoop: RunLoop

  init() {
    final class Started: @unchecked Sendable { var runLoop: RunLoop? }
    let started = Started()
    let isReady = DispatchSemaphore(value: 0)
    Thread.detachNewThread {
      started.runLoop = .current
      // Without anything to wait for, a run loop returns at once.
      RunLoop.current.add(Timer(timeInterval: 100_000, repeats: true) { _ in }, forMode: .default)
      isReady.signal()
      while true { _ = RunLoop.current.run(mode: .default, before: .distantFuture) }
    }
    isReady.wait()
    runLoop = started.runLoop ?? .main
  }
}
