import Dispatch
import Foundation
import Reactive
import ReactiveFoundation
import Testing

/// `receive(on:)` real queues, under load.
@Suite(.timeLimit(.minutes(5))) struct HoppingTests {
  private static let count = 100_000

  @Test func `a hundred thousand values of a sequence pass the global queue in order, one at a time, the end last`() {
    let probe = Probe<Int, Never>()
    (1...Self.count).publisher.receive(on: DispatchQueue.global()).subscribe(probe)
    #expect(probe.waitForEnd()?.isFinished == true)
    #expect(probe.values == Array(1...Self.count))
    #expect(probe.record.value.overlaps == 0)
  }

  @Test(arguments: [false, true])
  func `a hundred thousand values of a subject pass a queue in order, one at a time, the end last`(
    isConcurrent: Bool
  ) {
    let source = PassthroughSubject<Int, Never>()
    let probe = Probe<Int, Never>()
    source.receive(on: DispatchQueue(label: "hop", attributes: isConcurrent ? .concurrent : [])).subscribe(probe)
    Thread.detachNewThread {
      for value in 1...Self.count { source.send(value) }
      source.send(completion: .finished)
    }
    #expect(probe.waitForEnd()?.isFinished == true)
    #expect(probe.values == Array(1...Self.count))
    #expect(probe.record.value.overlaps == 0)
  }

  @Test(arguments: [false, true])
  func `nothing comes after a cancel on the queue of delivery`(isConcurrent: Bool) {
    let queue = DispatchQueue(label: "hop", attributes: isConcurrent ? .concurrent : [])
    let source = PassthroughSubject<Int, Never>()
    let probe = Probe<Int, Never> { value, probe in
      if value == 1_000 { probe.cancel() }
      return .unlimited
    }
    source.receive(on: queue).subscribe(probe)
    for value in 1...Self.count { source.send(value) }
    source.send(completion: .finished)
    // What was scheduled has run when the barrier has.
    queue.sync(flags: .barrier) {}
    #expect(probe.values == Array(1...1_000))
    #expect(probe.record.value.completions.isEmpty)
  }

  @Test func `a slow subscriber on a concurrent queue is not called again while it works`() {
    let source = PassthroughSubject<Int, Never>()
    let probe = Probe<Int, Never> { _, _ in
      sched_yield()
      return .none
    }
    source.receive(on: DispatchQueue.global()).subscribe(probe)
    DispatchQueue.concurrentPerform(iterations: 4) { thread in
      for value in 0..<1_000 { source.send(4 * value + thread) }
    }
    source.send(completion: .finished)
    #expect(probe.waitForEnd()?.isFinished == true)
    #expect(probe.values.sorted() == Array(0..<4_000))
    #expect(probe.record.value.overlaps == 0)
  }
}
