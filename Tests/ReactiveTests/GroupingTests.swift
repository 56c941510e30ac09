import Foundation
import Reactive
import Testing

@Suite struct CollectByCountTests {
  typealias Oracle = AccumulatingOracle
  typealias Failed = AccumulatingOracle.Failed

  let faucet = Faucet<Int, Failed>()

  /// A recorder of the faucet's values in pairs.
  func pairs(
    _ demand: Subscribers.Demand,
    _ react: @escaping ([Int], Recorder<[Int], Failed>) -> Subscribers.Demand = { _, _ in .none }
  ) -> Recorder<[Int], Failed> {
    let recorder = Recorder<[Int], Failed>(demand, react: react)
    faucet.collect(2).subscribe(recorder)
    return recorder
  }

  func send(_ values: Int...) {
    for value in values { faucet.send(value) }
  }

  @Test(arguments: [1, 2, 3, 5, 100])
  func `the values come in groups of the count, the rest in a shorter one`(_ count: Int) {
    func groups(_ input: [Int]) -> [[Int]] {
      stride(from: 0, to: input.count, by: count).map { Array(input[$0..<Swift.min($0 + count, input.count)]) }
    }
    #expect(Oracle.differences({ $0.collect(count) }, groups) == [])
  }

  @Test func `a request is multiplied by the count`() {
    let recorder = pairs(.max(2))
    recorder.request(.max(3))
    recorder.request(.unlimited)
    #expect(faucet.handle.requests == [.max(4), .max(6), .unlimited])
  }

  @Test func `a request too large to multiply asks for everything`() {
    let recorder = pairs(.max(Int.max))
    #expect(faucet.handle.requests == [.unlimited])
    withExtendedLifetime(recorder) {}
  }

  @Test func `a request of none goes nowhere`() {
    let recorder = pairs(.none)
    #expect(faucet.handle.requests == [])
    withExtendedLifetime(recorder) {}
  }

  @Test func `only a value that fills a group is answered with demand`() {
    let recorder = pairs(.max(1)) { _, _ in .max(3) }
    #expect(faucet.send(1) == .none)
    #expect(faucet.send(2) == .max(6))
    withExtendedLifetime(recorder) {}
  }

  @Test func `demand returned or requested at a group counts for the next ones`() {
    let recorder = pairs(.max(1)) { group, recorder in
      if group == [1, 2] { recorder.request(.max(1)) }
      return group == [3, 4] ? .max(1) : .none
    }
    send(1, 2, 3, 4, 5, 6)
    #expect(recorder.values == [[1, 2], [3, 4], [5, 6]])
  }

  @Test func `values that nobody asked for are dropped`() {
    let recorder = pairs(.max(1))
    send(1, 2, 3)
    recorder.request(.max(1))
    send(4)
    faucet.send(completion: .finished)
    #expect(recorder.values == [[1, 2], [4]] && recorder.isFinished)
  }

  @Test func `no group, full or not, comes without demand`() {
    let recorder = pairs(.none)
    send(1, 2, 3)
    faucet.send(completion: .finished)
    #expect(recorder.values == [] && recorder.isFinished)
  }

  @Test func `a failure drops a group that is not full`() {
    let recorder = pairs(.unlimited)
    send(1, 2, 3)
    faucet.send(completion: .failure(Failed()))
    #expect(recorder.values == [[1, 2]] && recorder.end == .failed)
  }

  @Test func `a cancel at the last group suppresses the completion`() {
    let recorder = pairs(.unlimited) { _, recorder in
      recorder.cancel()
      return .none
    }
    send(1)
    faucet.send(completion: .finished)
    #expect(recorder.values == [[1]] && recorder.completions.isEmpty && faucet.handle.cancels == 0)
  }

  @Test func `a cancel reaches upstream once, and nothing passes afterwards`() {
    let recorder = pairs(.unlimited)
    send(1)
    recorder.cancel()
    recorder.cancel()
    send(2)
    faucet.send(completion: .finished)
    #expect(faucet.handle.cancels == 1 && recorder.values == [] && recorder.completions.isEmpty)
  }

  @Test func `a second subscription is cancelled`() {
    let recorder = pairs(.unlimited)
    let second = Faucet<Int, Failed>.Handle()
    faucet.send(subscription: second)
    #expect(second.cancels == 1 && recorder.subscriptions == 1)
  }

  @Test func `a cancel lets go of the subscriber, even when the subscription is kept`() {
    let faucet = faucet
    faucet.handle.onCancel = { faucet.close() }
    weak var recorder: Recorder<[Int], Failed>?
    var subscription: (any Subscription)?
    do {
      let own = pairs(.unlimited)
      (recorder, subscription) = (own, own.subscription)
    }
    #expect(recorder != nil)
    subscription?.cancel()
    #expect(recorder == nil)
    withExtendedLifetime(subscription) {}
  }

  @Test func `a group that feeds its own upstream keeps its size`() {
    let subject = PassthroughSubject<Int, Never>()
    var groups: [[Int]] = []
    let token = subject.collect(1).sink {
      groups.append($0)
      if groups.count < 5 { subject.send(groups.count) }
    }
    subject.send(0)
    #expect(groups == [[0], [1], [2], [3], [4]])
    token.cancel()
  }

  @Test func `a huge count reserves no memory`() {
    #expect(Oracle.outcome(of: [1, 2, 3].publisher.collect(Int.max)).values == [[1, 2, 3]])
  }

  @Test func `the subscription is described by the operator's name`() {
    #expect(pairs(.none).subscription.map { String(describing: $0) } == "CollectByCount")
  }

  @Test func `a million groups one by one need no stack`() {
    let recorder = Recorder<[Int], Never>(.max(1)) { _, recorder in
      recorder.request(.max(1))
      return .none
    }
    (0..<1_000_000).publisher.collect(2).subscribe(recorder)
    #expect(recorder.values.count == 500_000 && recorder.isFinished)
  }

  @Test func `requests from several threads lose no group and no order`() {
    nonisolated(unsafe) let recorder = Recorder<[Int], Never>(.none)
    (0..<8_000).publisher.collect(2).subscribe(recorder)
    DispatchQueue.concurrentPerform(iterations: 4) { _ in
      for _ in 0..<1_000 { recorder.request(.max(1)) }
    }
    #expect(recorder.values.flatMap { $0 } == Array(0..<8_000) && recorder.isFinished)
  }

  #if !os(iOS) && !os(tvOS) && !os(watchOS) && !os(visionOS)
    @Test func `a group of nothing traps`() async {
      await #expect(processExitsWith: .failure) {
        _ = [1].publisher.collect(0)
      }
    }
  #endif
}
