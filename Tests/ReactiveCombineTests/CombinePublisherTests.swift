import Combine
import Foundation
import Reactive
import ReactiveTesting
import Retrievers
import Testing

@Suite struct CombinePublisherTests {
  private typealias Probe = CombineProbe<Int, TestFailure>

  private let source = TestPublisher<Int, TestFailure>()

  @Test func `values, and then the end, arrive as they were sent`() {
    let probe = Probe()
    source.combinePublisher.subscribe(probe)
    for value in 1...3 { source.send(value) }
    source.send(completion: .finished)
    #expect(probe.values == [1, 2, 3])
    #expect(probe.isFinished)
    #expect(source.requests == [.unlimited])
    #expect(source.violations.isEmpty)
  }

  @Test func `a failure arrives as it is`() {
    let probe = Probe(.none)
    source.combinePublisher.subscribe(probe)
    source.send(completion: .failure(TestFailure("gone")))
    #expect(probe.failure == TestFailure("gone"))
    #expect(probe.values.isEmpty)
  }

  @Test func `a request arrives unchanged, and one for nothing does nothing`() {
    let probe = Probe(.none)
    source.combinePublisher.subscribe(probe)
    source.send(0)
    probe.request(.max(2))
    probe.request(.none)
    for value in 1...3 { source.send(value) }
    #expect(probe.values == [1, 2])
    probe.request(.unlimited)
    for value in 4...6 { source.send(value) }
    #expect(probe.values == [1, 2, 4, 5, 6])
    #expect(source.requests == [.max(2), .unlimited])
  }

  @Test func `demand that is returned counts once`() {
    let probe = Probe(.max(1)) { value, _ in value < 3 ? .max(1) : .none }
    source.combinePublisher.subscribe(probe)
    for value in 1...5 { source.send(value) }
    #expect(probe.values == [1, 2, 3])
    #expect(source.requests == [.max(1)])
    #expect(source.callKinds.count { $0 == .returned(.max(1)) } == 2)
  }

  @Test func `a cancel arrives once, and nothing follows it`() {
    let probe = Probe { value, probe in
      if value == 2 { probe.cancel() }
      return .none
    }
    source.combinePublisher.subscribe(probe)
    for value in 1...3 { source.send(value) }
    probe.cancel()
    source.send(completion: .finished)
    #expect(probe.values == [1, 2])
    #expect(probe.completions.isEmpty)
    #expect(source.cancelCount == 1)
    #expect(source.violations.isEmpty)
  }

  @Test func `a cancel inside the subscription leaves nothing to come`() {
    final class Leaving: Combine.Subscriber {
      typealias Input = Int
      typealias Failure = TestFailure
      var signals = 0
      func receive(subscription: any Combine.Subscription) { subscription.cancel() }
      func receive(_ input: Int) -> Combine.Subscribers.Demand {
        signals += 1
        return .none
      }
      func receive(completion: Combine.Subscribers.Completion<TestFailure>) { signals += 1 }
    }
    let leaving = Leaving()
    source.combinePublisher.subscribe(leaving)
    source.send(completion: .finished)
    #expect(leaving.signals == 0)
    #expect(source.cancelCount == 1)
  }

  @Test(arguments: [true, false]) func `a subscription that is kept holds no subscriber`(isCancelled: Bool) {
    weak var gone: Probe?
    var kept: (any Combine.Subscription)?
    do {
      let probe = Probe()
      gone = probe
      source.combinePublisher.subscribe(probe)
      kept = probe.subscriptions.first
      if isCancelled { kept?.cancel() } else { source.send(completion: .finished) }
    }
    #expect(gone == nil)
    #expect(!source.isSubscriptionHeld)
    withExtendedLifetime(kept) {}
  }

  @Test func `a publisher that breaks the rules does no harm`() {
    let unruly = TestPublisher<Int, TestFailure>([.ignoreCancel, .signalAfterTerminal, .secondSubscription])
    let probe = Probe()
    unruly.combinePublisher.subscribe(probe)
    unruly.send(1)
    unruly.send(completion: .finished)
    unruly.send(2)
    unruly.send(completion: .finished)
    #expect(probe.values == [1])
    #expect(probe.isFinished)
    #expect(probe.subscriptions.count == 1)
    #expect(unruly.cancelCount == 1)
  }

  @Test func `a stream with demand one by one needs no stack`() {
    let probe = CombineProbe<Int, Never>(.max(1)) { _, _ in .max(1) }
    Reactive.Publishers.Sequence<ClosedRange<Int>, Never>(sequence: 1...100_000).combinePublisher.subscribe(probe)
    #expect(probe.values.count == 100_000)
    #expect(probe.isFinished)
  }

  @Test func `there and back again is the same stream`() {
    let subscriber = TestSubscriber<Int, TestFailure>(initialDemand: .max(2)) { signal in
      switch signal {
      case .value(3): .cancel
      case .value: .demand(.max(1))
      default: .proceed
      }
    }
    source.combinePublisher.reactivePublisher.combinePublisher.reactivePublisher.subscribe(subscriber)
    for value in 1...5 { source.send(value) }
    #expect(subscriber.values == [1, 2, 3])
    #expect(subscriber.violations.isEmpty)
    #expect(source.requests == [.max(2)])
    #expect(source.cancelCount == 1)
    #expect(source.violations.isEmpty)
  }

  // MARK: - Retrievers

  private final class Repository {
    @Retriever var people: [String]
    private(set) var fetches = 0
    var source = ["Ada"]

    init() {
      _people.toRetrieveDo { [unowned self] in
        fetches += 1
        return source
      }
    }

    func refresh() { _people.triggerUpdate() }
  }

  @Test func `a subscriber in Combine gets the people at once, and after each update`() {
    let repository = Repository()
    let probe = CombineProbe<[String], Never>()
    repository.$people.combinePublisher.subscribe(probe)
    #expect(probe.values == [["Ada"]])
    repository.source.append("Grace")
    repository.refresh()
    #expect(probe.values == [["Ada"], ["Ada", "Grace"]])
    #expect(repository.fetches == 2)
    probe.cancel()
    repository.refresh()
    #expect(probe.values.count == 2)
  }

  @Test func `a subscriber in Combine that is slow skips to the newest people`() {
    let repository = Repository()
    let probe = CombineProbe<[String], Never>(.max(1))
    repository.$people.combinePublisher.subscribe(probe)
    for name in ["Grace", "Alan"] {
      repository.source.append(name)
      repository.refresh()
    }
    #expect(probe.values == [["Ada"]])
    probe.request(.max(1))
    #expect(probe.values == [["Ada"], ["Ada", "Grace", "Alan"]])
  }

  @Test func `the stream of people ends in Combine with its repository`() {
    let probe = CombineProbe<[String], Never>()
    do {
      let repository = Repository()
      repository.$people.combinePublisher.subscribe(probe)
    }
    #expect(probe.isFinished)
  }
}
