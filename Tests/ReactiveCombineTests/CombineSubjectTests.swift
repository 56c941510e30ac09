import Combine
import Reactive
import ReactiveTesting
import Testing

@Suite struct CombineSubjectTests {
  private let subject = Reactive.PassthroughSubject<Int, TestFailure>()

  @Test func `what is sent through Combine reaches both kinds of subscribers`() {
    let subscriber = TestSubscriber<Int, TestFailure>(initialDemand: .unlimited)
    let probe = CombineProbe<Int, TestFailure>()
    let combine = subject.combineSubject
    subject.subscribe(subscriber)
    combine.subscribe(probe)
    combine.send(1)
    subject.send(2)
    combine.send(completion: .failure(TestFailure("gone")))
    combine.send(3)
    #expect(subscriber.values == [1, 2] && probe.values == [1, 2])
    #expect(subscriber.failure == TestFailure("gone") && probe.failure == TestFailure("gone"))
    #expect(subscriber.violations.isEmpty)
  }

  @Test func `an upstream of Combine is asked for everything, and only once`() {
    final class Upstream: Combine.Subscription {
      var requests: [Combine.Subscribers.Demand] = []
      func request(_ demand: Combine.Subscribers.Demand) { requests.append(demand) }
      func cancel() {}
    }
    let upstream = Upstream()
    subject.combineSubject.send(subscription: upstream)
    let subscriber = TestSubscriber<Int, TestFailure>(initialDemand: .max(1))
    subject.subscribe(subscriber)
    #expect(upstream.requests == [.unlimited])
  }

  @Test func `a demand keeps its size both ways`() {
    for demand in [.none, .max(1), .max(7), .unlimited] as [Reactive.Subscribers.Demand] {
      #expect(Reactive.Subscribers.Demand(Combine.Subscribers.Demand(demand)) == demand)
    }
    #expect(Combine.Subscribers.Demand(Reactive.Subscribers.Demand.unlimited) == .unlimited)
    #expect(Combine.Subscribers.Demand(Reactive.Subscribers.Demand.max(3)) == .max(3))
  }
}
