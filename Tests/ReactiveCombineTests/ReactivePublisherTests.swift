import Combine
import Foundation
import Reactive
import ReactiveTesting
import Testing

@Suite struct ReactivePublisherTests {
  private typealias Source = CombineSource<Int, TestFailure>
  private typealias Subscriber = TestSubscriber<Int, TestFailure>

  private let source = Source()

  @Test func `values, and then the end, arrive as they were sent`() {
    let subscriber = Subscriber(initialDemand: .unlimited)
    source.reactivePublisher.subscribe(subscriber)
    for value in 1...3 { source.send(value) }
    source.send(completion: .finished)
    #expect(subscriber.values == [1, 2, 3])
    #expect(subscriber.isFinished)
    #expect(source.requests == [.unlimited])
    #expect(source.returned == [.none, .none, .none])
    #expect(subscriber.violations.isEmpty)
  }

  @Test func `a failure arrives as it is, without any demand`() {
    let subscriber = Subscriber()
    source.reactivePublisher.subscribe(subscriber)
    source.send(completion: .failure(TestFailure("gone")))
    #expect(subscriber.failure == TestFailure("gone"))
    #expect(source.requests.isEmpty)
  }

  @Test func `a request arrives unchanged, and one for nothing not at all`() {
    let subscriber = Subscriber()
    source.reactivePublisher.subscribe(subscriber)
    subscriber.request(.none)
    #expect(source.requests.isEmpty)
    subscriber.request(.max(2))
    subscriber.request(.unlimited)
    #expect(source.requests == [.max(2), .unlimited])
  }

  @Test func `what a subscriber requests while it gets its subscription arrives as one request afterwards`() {
    let order = Log<String>()
    let source = Source { _ in order.append("request") }
    let subscriber = Subscriber { signal in
      guard case .subscription = signal else { return .proceed }
      order.append("subscription")
      return .request(.max(2))
    }
    source.reactivePublisher.handleEvents(receiveSubscription: { _ in order.append("before") }).subscribe(subscriber)
    #expect(order.all == ["before", "subscription", "request"])
    #expect(source.requests == [.max(2)])
  }

  @Test func `demand that is returned is returned`() {
    let subscriber = Subscriber(initialDemand: .max(1)) { signal in
      if case .value(1...2) = signal { .demand(.max(1)) } else { .proceed }
    }
    source.reactivePublisher.subscribe(subscriber)
    for value in 1...3 { source.send(value) }
    #expect(subscriber.values == [1, 2, 3])
    #expect(source.requests == [.max(1)])
    #expect(source.returned == [.max(1), .max(1), .none])
  }

  @Test func `values beyond the demand are dropped`() {
    let subscriber = Subscriber(initialDemand: .max(2))
    source.reactivePublisher.subscribe(subscriber)
    for value in 1...4 { source.send(value) }
    subscriber.request(.max(1))
    source.send(5)
    #expect(subscriber.values == [1, 2, 5])
    #expect(subscriber.violations.isEmpty)
  }

  @Test func `a cancel arrives once, and nothing follows it`() {
    let subscriber = Subscriber(initialDemand: .unlimited) { signal in
      if case .value(2) = signal { .cancel } else { .proceed }
    }
    source.reactivePublisher.subscribe(subscriber)
    for value in 1...3 { source.send(value) }
    subscriber.cancel()
    source.send(completion: .finished)
    #expect(subscriber.values == [1, 2])
    #expect(subscriber.completion == nil)
    #expect(source.cancels == 1)
    #expect(source.returned == [.none, .none, .none])
  }

  @Test func `a cancel inside the subscription leaves no request behind`() {
    let subscriber = Subscriber(initialDemand: .unlimited) { signal in
      if case .subscription = signal { .cancel } else { .proceed }
    }
    source.reactivePublisher.subscribe(subscriber)
    source.send(1)
    source.send(completion: .finished)
    #expect(subscriber.values.isEmpty && subscriber.completion == nil)
    #expect(source.requests.isEmpty)
    #expect(source.cancels == 1)
  }

  @Test func `nothing is cancelled after the end`() {
    let subscriber = Subscriber(initialDemand: .unlimited)
    source.reactivePublisher.subscribe(subscriber)
    source.send(completion: .finished)
    subscriber.cancel()
    source.send(1)
    source.send(completion: .finished)
    #expect(source.cancels == 0)
    #expect(subscriber.isFinished && subscriber.values.isEmpty)
    #expect(subscriber.violations.isEmpty)
  }

  @Test func `a second subscription is cancelled`() {
    let subscriber = Subscriber(initialDemand: .unlimited)
    source.reactivePublisher.subscribe(subscriber)
    source.sendSubscription()
    #expect(source.cancels == 1)
    source.send(1)
    #expect(subscriber.values == [1])
    #expect(subscriber.violations.isEmpty)
  }

  @Test(arguments: [true, false]) func `a subscription that is kept holds no subscriber`(isCancelled: Bool) {
    weak var gone: Subscriber?
    var kept: (any Reactive.Subscription)?
    do {
      let subscriber = Subscriber(initialDemand: .unlimited)
      gone = subscriber
      source.reactivePublisher.subscribe(subscriber)
      kept = subscriber.subscription
      if isCancelled { kept?.cancel() } else { source.send(completion: .finished) }
    }
    #expect(gone == nil)
    withExtendedLifetime(kept) {}
  }

  @Test func `a chain is released with its last token, and so is what waits`() {
    final class Payload {}
    let source = CombineSource<Payload, Never>()
    weak var gone: Payload?
    do {
      let payload = Payload()
      gone = payload
      let token = source.reactivePublisher.map { ($0, payload) }.sink { _ in }
      source.send(Payload())
      #expect(gone != nil)
      token.cancel()
    }
    source.drop()
    #expect(gone == nil)
    #expect(source.cancels == 1)
  }

  @Test func `an endless source stops when it has been asked for enough`() {
    let values = Guarded<[Int]>([])
    let token = CombineNumbers().reactivePublisher.prefix(3).sink { value in values.update { $0.append(value) } }
    #expect(values.value == [1, 2, 3])
    token.cancel()
  }

  @Test func `a stream with demand one by one needs no stack`() {
    let last = Guarded(0)
    let subscriber = TestSubscriber<Int, Never>(initialDemand: .max(1)) { signal in
      guard case .value(let value) = signal else { return .proceed }
      last.update { $0 = value }
      return value < 20_000 ? .demand(.max(1)) : .proceed
    }
    CombineNumbers().reactivePublisher.subscribe(subscriber)
    #expect(last.value == 20_000)
    #expect(subscriber.violations.isEmpty)
  }

  @Test func `values sent inside a delivery come after it, and what they return is returned in all`() {
    let subject = Combine.PassthroughSubject<Int, TestFailure>()
    let subscriber = Subscriber(initialDemand: .max(1)) { signal in
      switch signal {
      case .value(1):
        subject.send(2)
        subject.send(3)
        return .demand(.max(2))
      case .value: return .demand(.max(1))
      default: return .proceed
      }
    }
    subject.reactivePublisher.subscribe(subscriber)
    subscriber.request(.max(2))
    subject.send(1)
    #expect(subscriber.values == [1, 2, 3])
    #expect(subscriber.maximumDepth == 1)
    // Three were asked for first, and four more inside the deliveries.
    for value in 4...9 { subject.send(value) }
    subject.send(completion: .finished)
    #expect(subscriber.values == Array(1...9))
    #expect(subscriber.isFinished)
    #expect(subscriber.violations.isEmpty)
  }

  @Test func `an end sent inside a delivery comes after it`() {
    let subject = Combine.PassthroughSubject<Int, TestFailure>()
    let subscriber = Subscriber(initialDemand: .unlimited) { signal in
      guard case .value(1) = signal else { return .proceed }
      subject.send(2)
      subject.send(completion: .failure(TestFailure("gone")))
      return .proceed
    }
    subject.reactivePublisher.subscribe(subscriber)
    subject.send(1)
    #expect(subscriber.values == [1, 2])
    #expect(subscriber.failure == TestFailure("gone"))
    #expect(subscriber.violations.isEmpty)
  }

  @Test func `what waits is dropped by a cancel`() {
    let subject = Combine.PassthroughSubject<Int, TestFailure>()
    let subscriber = Subscriber(initialDemand: .unlimited) { signal in
      guard case .value(1) = signal else { return .proceed }
      subject.send(2)
      return .cancel
    }
    subject.reactivePublisher.subscribe(subscriber)
    subject.send(1)
    #expect(subscriber.values == [1])
    #expect(subscriber.violations.isEmpty)
  }

  @Test func `values from two threads come one at a time, and none is lost`() {
    let subject = Combine.PassthroughSubject<Int, Never>()
    let subscriber = TestSubscriber<Int, Never>(initialDemand: .unlimited)
    subject.reactivePublisher.subscribe(subscriber)
    DispatchQueue.concurrentPerform(iterations: 2) { half in
      for value in 0..<2_000 { subject.send(2 * value + half) }
    }
    subject.send(completion: .finished)
    #expect(subscriber.values.sorted() == Array(0..<4_000))
    #expect(subscriber.values.filter { $0 % 2 == 0 }.elementsEqual((0..<2_000).map { 2 * $0 }))
    #expect(subscriber.isFinished)
    #expect(subscriber.violations.isEmpty)
  }

  @Test func `an end from another thread waits until the subscriber has its subscription`() {
    let source = CombineSource<Int, TestFailure>()
    let order = Log<String>()
    let subscriber = Subscriber { signal in
      guard case .subscription = signal else {
        order.append("end")
        return .proceed
      }
      let isSent = DispatchSemaphore(value: 0)
      nonisolated(unsafe) let source = source
      Thread.detachNewThread {
        source.send(completion: .finished)
        isSent.signal()
      }
      isSent.wait()
      order.append("subscription")
      return .request(.unlimited)
    }
    source.reactivePublisher.subscribe(subscriber)
    #expect(order.all == ["subscription", "end"])
    #expect(source.requests.isEmpty)
    #expect(subscriber.violations.isEmpty)
  }

  @Test func `a sequence of Reactive operators works on a publisher of Combine`() {
    let subject = Combine.PassthroughSubject<Int, Never>()
    let sums = Guarded<[Int]>([])
    let token = subject.reactivePublisher.filter { $0 % 2 == 0 }.scan(0, +).zip(subject.reactivePublisher)
      .sink { pair in sums.update { $0.append(pair.0 * 100 + pair.1) } }
    for value in 1...6 { subject.send(value) }
    #expect(sums.value == [201, 602, 1203])
    token.cancel()
  }
}
