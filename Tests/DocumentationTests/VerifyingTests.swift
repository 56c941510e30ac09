import Dispatch
import Foundation
import Reactive
import ReactiveFoundation
import ReactiveTesting
import Testing

@Suite struct VerifyingTests {
  private typealias Numbers = PassthroughSubject<Int, TestFailure>

  private struct Refusal: Error {}

  private static let page = Page.all.first { $0.name == "Verifying.md" }?.lines.joined(separator: "\n") ?? ""

  // MARK: Publishers

  @Test(arguments: PublisherVerification<Countdown>.rules)
  func `a countdown keeps each rule`(rule: Rule) throws {
    try PublisherVerification("Countdown") { Countdown(start: $0) }.verify(rule).orThrow()
  }

  @Test func `a publisher is verified with the counts it has, and with its failure`() throws {
    let answer = PublisherVerification("answer", elements: .only([1])) { _ in
      Result<Int, Refusal>.Publisher(.success(42))
    }
    .failing { Result<Int, Refusal>.Publisher(.failure(Refusal())) }
    try answer.verifyAll().orThrow()
    #expect(answer.verify(.p1_04) == .passed)
  }

  @Test func `a publisher that delivers elsewhere is verified with patience`() async throws {
    let queue = DispatchQueue(label: "countdown")
    let elsewhere = PublisherVerification("Countdown, on a queue", delivery: .asynchronous()) {
      Countdown(start: $0).receive(on: queue)
    }
    try await elsewhere.verifyAll().orThrow()
  }

  @Test func `a publisher that runs tasks is verified without keeping their threads`() async throws {
    // The machine may be busy.
    let patience = Delivery.asynchronous(deadline: .seconds(120))
    let future = PublisherVerification("future", elements: .only([1]), delivery: patience) { _ in
      Future<Int, Never> { promise in
        nonisolated(unsafe) let promise = promise
        // Tasks of the usual priority come after all the tests that are waiting for their turn.
        Task(priority: .high) { promise(.success(1)) }
      }
    }
    try await future.verifyAll().orThrow()
  }

  // MARK: Operators, subjects, subscribers

  @Test func `an operator is verified between two strict peers`() throws {
    let halves = OperatorVerification("halves") { source, _ in
      source.filter { $0 % 2 == 0 }.map { $0 / 2 }
    }
    try halves.verifyAll().orThrow()

    let calm = OperatorVerification("calm", .mayBuffer) { source, scheduler in
      source.debounce(for: 0.5, scheduler: scheduler)
    }
    try calm.verifyAll().orThrow()
  }

  @Test func `a subject is verified with threads and races`() throws {
    let subject = SubjectVerification("CurrentValueSubject", .latest) {
      CurrentValueSubject<Int, TestFailure>(0)
    }
    try subject.reading { $0.value }.verifyAll().orThrow()
  }

  @Test func `a subject is let loose on two threads`() async throws {
    let subject = SubjectVerification("PassthroughSubject", .none) {
      PassthroughSubject<Int, TestFailure>()
    }
    try await subject.linearizability().orThrow()
  }

  @Test func `operators are put together at random, and compared with models`() {
    var fuzzer = OperatorFuzzer()
    fuzzer.add(
      FuzzedOperator(".doubled()", model: .each { [2 &* $0] }) { upstream, bench in
        upstream.map(bench.track { value in value.map { 2 &* $0 } })
      })
    fuzzer.add(
      FuzzedOperator(".positive()", model: .each { $0 > 0 ? [$0] : [] }) { upstream, bench in
        upstream.filter(bench.track { $0.value > 0 })
      })
    #expect(fuzzer.firstFailure(in: 0..<100) == nil)
  }

  private final class Model {
    @Published var number = 0
  }

  @Test func `a hot publisher is verified with what drives it`() throws {
    let property = SubjectVerification("$number", .latest) {
      let model = Model()
      return DrivenPublisher(model.$number) { model.number = $0 }
    }
    try property.endless().verifyAll().orThrow()
  }

  @Test func `a subscriber is verified by a publisher that misbehaves`() throws {
    let sink = SubscriberVerification("Sink", elements: ["a", "b"]) {
      Subscribers.Sink<String, Never>(receiveCompletion: { _ in }, receiveValue: { _ in })
    }
    try sink.verifyAll().orThrow()
  }

  // MARK: Reports

  @Test func `a report says which rule is broken, and by what`() throws {
    let hasty = PublisherVerification("HastyCountdown") { HastyCountdown(start: $0) }
    let failure = try #require(throws: VerificationFailure.self) { try hasty.verify(.p1_01).orThrow() }
    #expect(Self.page.contains(failure.description))
    #expect(Self.page.contains(hasty.verifyAll().description.split(separator: "\n").prefix(7).joined(separator: "\n")))
  }

  @Test func `an environment decides how thoroughly to look`() throws {
    var environment = VerificationEnvironment.current
    environment.seed = 7
    environment.recursionElements = 1_000
    try PublisherVerification("Countdown", environment: environment) { Countdown(start: $0) }
      .verifyAll().orThrow()
  }

  // MARK: Diagrams and time

  @Test func `a diagram is played`() throws {
    try play(
      """
      source    -a--b--c--|
      demand    2-----1
      output    -a--b--c--|
      upstream  2-----1
      """
    ) { $0.map { $0 } }
  }

  @Test func `a search starts when the user has paused`() {
    let scheduler = TestScheduler()
    var searches: [String] = []
    let model = SearchModel(scheduler: scheduler) { query in
      searches.append(query)
      return ["\(query)!"]
    }

    model.query = "s"
    scheduler.advance(by: .milliseconds(200))
    model.query = "sw"
    scheduler.advance(by: .milliseconds(299))
    #expect(searches == [] && model.results == [])

    scheduler.advance(by: .milliseconds(1))
    #expect(searches == ["sw"] && model.results == ["sw!"])
  }

  @Test func `a search is not repeated for the same text`() {
    let scheduler = TestScheduler()
    var searches: [String] = []
    let model = SearchModel(scheduler: scheduler) { query in
      searches.append(query)
      return []
    }
    for query in ["a", "ab", "a"] {
      model.query = query
      scheduler.advance(by: .milliseconds(100))
    }
    scheduler.advance(by: 1)
    model.query = "a"
    scheduler.advance(by: 1)
    #expect(searches == ["a"])
    #expect(scheduler.pending.isEmpty)
  }

  @Test func `a scheduler that nobody should use reports and goes on`() {
    var uses: [String] = []
    let scheduler = UnexpectedScheduler { uses.append($0) }
    var values: [Int] = []
    let token = Just(1).delay(for: 5, scheduler: scheduler).sink { values.append($0) }
    #expect(!uses.isEmpty && values == [1])
    token.cancel()
  }

  // MARK: Probes

  @Test func `probes stand at both sides`() throws {
    let source = TestPublisher<Int, TestFailure>()
    let probe = TestSubscriber<Int, TestFailure>(initialDemand: .max(2))
    source.map { $0 * 2 }.subscribe(probe)

    source.send(1)
    source.send(2)
    source.send(3)  // nobody asked for it
    source.send(completion: .finished)

    #expect(probe.values == [2, 4] && probe.isFinished)
    #expect(source.requests == [.max(2)])
    #expect(probe.violations == [] && source.violations == [])
  }

  @Test func `a gate decides the order of two threads`() throws {
    let subject = Numbers()
    let probe = TestSubscriber<Int, TestFailure>(initialDemand: .unlimited)
    subject.subscribe(probe)

    let gate = probe.park(at: .value(1))
    DispatchQueue.global().schedule { subject.send(1) }
    try gate.waitUntilParked()
    subject.send(2)  // returns at once: the other thread delivers it
    #expect(probe.values == [1])

    gate.open()
    try probe.awaitValues(2)
    #expect(probe.values == [1, 2])
  }

  @Test func `strict reports what breaks the rules and keeps it away`() {
    let found = Log<String>()
    let token = HastyCountdown(start: 3)
      .strict { violation in found.append(violation.rule.rawValue) }
      .prefix(2)
      .sink { _ in }
    #expect(found.all == ["C12", "C12"])
    token.cancel()
  }
}
