import Reactive
import Testing

@testable import ReactiveTesting

@Suite struct TestPublisherTests {
  typealias Source = TestPublisher<Int, TestFailure>
  typealias Probe = TestSubscriber<Int, TestFailure>

  /// A subscriber that does exactly what closures say.
  private func subscriber(
    onSubscription: @escaping (any Subscription) -> Void = { $0.request(.unlimited) },
    onCompletion: @escaping () -> Void = {}
  ) -> AnySubscriber<Int, TestFailure> {
    AnySubscriber(
      receiveSubscription: onSubscription, receiveValue: { _ in .none }, receiveCompletion: { _ in onCompletion() })
  }

  @Test func `it sends what is asked for, and tells what the value returned`() {
    let source = Source()
    let probe = Probe(initialDemand: .max(1)) { if case .value(1) = $0 { .demand(.max(1)) } else { .proceed } }
    source.subscribe(probe)
    #expect(source.send(1) == .max(1))
    #expect(source.send(2) == .none)
    source.send(3)
    #expect(probe.values == [1, 2])
    #expect(source.requests == [.max(1)])
    #expect(source.callKinds == [.request(.max(1)), .returned(.max(1))])
    #expect(source.outstandingDemand == .none)
    #expect(source.violations == [])
  }

  @Test func `a completion ends the subscriptions there are, and later subscribers are served anew`() {
    let source = Source()
    let (first, second) = (Probe(initialDemand: .unlimited), Probe(initialDemand: .unlimited))
    source.subscribe(first)
    source.send(completion: .failure(TestFailure()))
    source.subscribe(second)
    source.send(1)
    #expect(first.failure != nil)
    #expect(second.values == [1])
    #expect(source.subscriptionCount == 2)
    #expect(source.subscriberCount == 1)
  }

  @Test(arguments: [true, false])
  func `it lets go of its subscriber on cancel and at the end`(cancels: Bool) {
    let source = Source()
    weak var watched: Probe?
    var kept: (any Subscription)?
    do {
      let probe = Probe()
      watched = probe
      source.subscribe(probe)
      kept = probe.subscription
    }
    #expect(watched != nil)
    if cancels { kept?.cancel() } else { source.send(completion: .finished) }
    #expect(watched == nil)
    #expect(source.subscriberCount == 0)
  }

  @Test func `a call from inside the completion breaks rule 2 3`() {
    let source = Source()
    var subscription: (any Subscription)?
    source.subscribe(
      subscriber(onSubscription: { subscription = $0 }, onCompletion: { subscription?.request(.max(1)) }))
    source.send(completion: .finished)
    #expect(source.violations.map(\.rule) == [.s2_03])
  }

  @Test func `a request after the completion breaks rule 2 4`() {
    let source = Source()
    var subscription: (any Subscription)?
    source.subscribe(subscriber(onSubscription: { subscription = $0 }))
    source.send(completion: .finished)
    subscription?.request(.max(1))
    #expect(source.violations.map(\.rule) == [.s2_04])
  }

  @Test(arguments: [true, false])
  func `a second cancel, and one after the completion, break C14`(completes: Bool) {
    let source = Source()
    var subscription: (any Subscription)?
    source.subscribe(subscriber(onSubscription: { subscription = $0 }))
    if completes { source.send(completion: .finished) } else { subscription?.cancel() }
    #expect(source.violations == [])
    subscription?.cancel()
    #expect(source.violations.map(\.rule) == [.c14])
  }

  @Test func `a request of none breaks C4`() {
    let source = Source()
    source.subscribe(subscriber(onSubscription: { $0.request(.none) }))
    #expect(source.violations.map(\.rule) == [.c04])
  }

  @Test func `calls of two threads at once break rule 2 7`() throws {
    let source = Source()
    let probe = Probe(initialDemand: .max(1))
    let gate = probe.park(at: .completion)
    var subscription: (any Subscription)?
    let rogue = Source([.completionOnCancel])
    rogue.subscribe(
      subscriber(
        onSubscription: { subscription = $0 },
        onCompletion: {
          source.send(completion: .finished)
        }))
    source.subscribe(probe)
    // The cancel stays inside the call for as long as the probe is parked.
    nonisolated(unsafe) let shared = subscription
    let thread = TestThread { shared?.cancel() }
    try gate.waitUntilParked()
    shared?.request(.max(1))
    gate.open()
    thread.join()
    #expect(rogue.violations.map(\.rule) == [.s2_07])
  }

  @Test(arguments: [Source.Misbehaviour.secondSubscription, .nestedSubscription])
  func `a second subscription that is not cancelled breaks rule 2 5`(misbehaviour: Source.Misbehaviour) {
    let source = Source(misbehaviour)
    source.subscribe(subscriber())
    #expect(Set(source.violations.map(\.rule)) == [.s2_05])
  }

  @Test(arguments: [Source.Misbehaviour.secondSubscription, .nestedSubscription])
  func `a second subscription that is cancelled is right`(misbehaviour: Source.Misbehaviour) {
    let source = Source(misbehaviour)
    let probe = Probe(initialDemand: .max(1))
    source.subscribe(probe)
    #expect(source.violations == [])
    #expect(probe.violations.map(\.rule) == [.s2_12])
    source.send(1)
    #expect(probe.values == [1])
  }

  @Test func `overflow sends without demand`() {
    let source = Source(.overflow)
    let probe = Probe()
    source.subscribe(probe)
    source.send(1)
    #expect(probe.violations.map(\.rule) == [.p1_01])
  }

  @Test func `ignoring a cancel keeps sending`() {
    let source = Source(.ignoreCancel)
    let probe = Probe(initialDemand: .unlimited)
    source.subscribe(probe)
    probe.cancel()
    source.send(1)
    #expect(probe.violations.map(\.rule) == [.c12])
  }

  @Test func `signals after the terminal go on`() {
    let source = Source(.signalAfterTerminal)
    let probe = Probe(initialDemand: .unlimited)
    source.subscribe(probe)
    source.send(completion: .finished)
    source.send(1)
    source.send(completion: .finished)
    #expect(probe.violations.map(\.rule) == [.p1_07, .p1_07])
  }

  @Test func `signals before the subscription come, and the subscription when told`() {
    let source = Source(.signalBeforeSubscription)
    let probe = Probe(initialDemand: .unlimited)
    source.subscribe(probe)
    source.send(1)
    source.sendSubscription()
    #expect(probe.violations.map(\.rule) == [.p1_09])
    #expect(source.requests == [.unlimited])
  }

  @Test func `a completion answers a cancel when told`() {
    let source = Source(.completionOnCancel)
    let probe = Probe(initialDemand: .unlimited)
    source.subscribe(probe)
    probe.cancel()
    #expect(probe.isFinished)
    #expect(probe.violations.map(\.rule) == [.c12])
  }
}
