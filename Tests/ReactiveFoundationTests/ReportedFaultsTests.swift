import Dispatch
import Foundation
import Reactive
import ReactiveFoundation
import Testing

/// Situations in which reactive libraries have failed their users.
@Suite struct ReportedFaultsTests {
  @Test func `queues and run loops are schedulers themselves, and units and literals are times`() {
    let source = PassthroughSubject<Int, Never>()
    let main = source.debounce(for: .milliseconds(500), scheduler: RunLoop.main)
    #expect(main.dueTime == .seconds(0.5) && main.scheduler === RunLoop.main)
    #expect(source.debounce(for: 0.5, scheduler: RunLoop.main).dueTime == main.dueTime)
    #expect(source.debounce(for: .milliseconds(500), scheduler: DispatchQueue.main).dueTime == .milliseconds(500))
    #expect(source.debounce(for: 0.5, scheduler: DispatchQueue.main).dueTime == .milliseconds(500))
    #expect(source.debounce(for: .milliseconds(500), scheduler: OperationQueue.main).dueTime == .seconds(0.5))
    #expect(source.debounce(for: 0.5, scheduler: OperationQueue.main).dueTime == .seconds(0.5))
  }

  @Test func `values pass the operators that wait, on every scheduler`() {
    func check<S: Scheduler>(_ scheduler: S) {
      let source = PassthroughSubject<Int, Never>()
      let probe = Probe<[Int], Never>()
      source.debounce(for: .milliseconds(1), scheduler: scheduler)
        .delay(for: .milliseconds(1), scheduler: scheduler)
        .throttle(for: .milliseconds(1), scheduler: scheduler, latest: true)
        .timeout(.seconds(600), scheduler: scheduler)
        .subscribe(on: ImmediateScheduler.shared)
        .receive(on: scheduler)
        .collect(.byTime(scheduler, .milliseconds(1)))
        .subscribe(probe)
      source.send(1)
      #expect(probe.waitForValues(1))
      #expect(probe.values == [[1]])
      source.send(completion: .finished)
      #expect(probe.waitForEnd()?.isFinished == true)
    }
    let thread = LoopThread()
    check(DispatchQueue(label: "ReportedFaults"))
    check(OperationQueue())
    check(thread.loop)
  }

  @Test func `a value sent from the queue itself does not overtake one that waits for it`() {
    let queue = DispatchQueue(label: "ReportedFaults")
    let source = PassthroughSubject<Int, Never>()
    let probe = Probe<Int, Never>()
    source.receive(on: queue).subscribe(probe)
    queue.suspend()
    queue.async { source.send(2) }
    source.send(1)
    queue.resume()
    #expect(probe.waitForValues(2))
    // The 2 is sent on the queue, by a job that comes before the one that delivers the 1.
    #expect(probe.values == [1, 2])
  }
}
