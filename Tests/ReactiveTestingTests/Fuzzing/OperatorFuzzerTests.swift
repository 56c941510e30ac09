import Reactive
import Testing

@testable import ReactiveTesting

/// Random chains of this package's operators against their models.
@Suite struct OperatorFuzzerTests {
  /// How many seeds are run each time; `REACTIVE_FUZZ_SEEDS` says otherwise.
  private static let seeds = OperatorFuzzer.seeds(5000)

  @Test(arguments: 0..<UInt64(8))
  func `chains of operators do what their models say`(part: UInt64) throws {
    let seeds = Self.seeds.lazy.filter { $0 % 8 == part }
    if let failure = OperatorFuzzer.ofAllOperators().firstFailure(in: seeds) { throw failure }
  }

  @Test(arguments: 0..<OperatorFuzzer.ofAllOperators().kindCount)
  func `an operator by itself does what its model says, and lets everything go`(kind: Int) throws {
    var fuzzer = OperatorFuzzer.ofAllOperators().only(kind)
    fuzzer.mostOperators = 1
    fuzzer.mostSteps = 20
    if let failure = fuzzer.firstFailure(in: 0..<100) { throw failure }
  }

  @Test func `every operator gets into the chains`() {
    let fuzzer = OperatorFuzzer.ofAllOperators()
    let kinds = Set((0..<UInt64(2000)).flatMap { fuzzer.kinds(seed: $0) })
    #expect(kinds == Set(0..<fuzzer.kindCount))
    #expect(fuzzer.kindCount > 90)
    #expect((0..<UInt64(2000)).map { fuzzer.chain(seed: $0).count }.max() == 8)
  }

  @Test(.timeLimit(.minutes(5))) func `a chain is as long as the operators allow`() {
    var fuzzer = OperatorFuzzer()
    fuzzer.add { choices in
      let interval = choices.interval()
      return FuzzedOperator(".delay(for: \(interval))", model: .each { [$0] }) { up, bench in
        up.delay(for: interval, scheduler: bench.scheduler)
      }
    }
    #expect((0..<UInt64(100)).map { fuzzer.chain(seed: $0).count }.max() == 3)
  }

  @Test func `an operator that miscounts is found and shown with as little as it takes`() throws {
    var fuzzer = OperatorFuzzer.ofAllOperators()
    fuzzer.add(".forgetfulDropFirst(1)", .droppingFirst) { up, _ in ForgetfulDrop(upstream: up) }
    let failure = try #require(fuzzer.firstFailure(in: 0..<3000))
    #expect(failure.operators == [".forgetfulDropFirst(1)"], "\(failure)")
    #expect(failure.steps.count <= 4, "\(failure)")
    #expect(failure.description.contains("REACTIVE_FUZZ_SEED=\(failure.seed)"))
    #expect(failure.description.contains("\n  .forgetfulDropFirst(1)\n"))
    #expect(fuzzer.failure(seed: failure.seed) == failure, "the seed gives the same again")
  }

  @Test func `an operator that keeps its closure is found`() throws {
    var fuzzer = OperatorFuzzer()
    fuzzer.add(".map { $0 }", .pass) { up, b in up.map(b.track { $0 }) }
    fuzzer.add(".hoarding { $0 }", .pass) { up, b in Hoarder(upstream: up, closure: b.track { $0 }) }
    let failure = try #require(fuzzer.firstFailure(in: 0..<100))
    #expect(failure.operators == [".hoarding { $0 }"], "\(failure)")
    #expect(failure.steps == [])
    #expect(failure.got.hasPrefix("1 alive: 1 .hoarding { $0 }"), "\(failure)")
  }

  @Test func `an operator that asks for nothing more is found`() throws {
    var fuzzer = OperatorFuzzer()
    fuzzer.add(".lazyFilter()", .each { $0 > 3 ? [$0] : [] }) { up, _ in LazyFilter(upstream: up) }
    let failure = try #require(fuzzer.firstFailure(in: 0..<100))
    #expect(failure.operators == [".lazyFilter()"])
    #expect(failure.steps.count <= 3, "\(failure)")
    #expect(failure.got.contains("nobody asks for more"), "\(failure)")
  }

  @Test func `a wrong model is found, and what came is shown beside what it says`() throws {
    var fuzzer = OperatorFuzzer()
    fuzzer.add(".map { $0 }", .each { [$0 == 9 ? 0 : $0] }) { up, _ in up.map { $0 } }
    let failure = try #require(fuzzer.firstFailure(in: 0..<200))
    #expect(failure.steps.last == .send(9, from: 0))
    #expect(failure.expected == "[0]")
    #expect(failure.got == "[9] after step \(failure.steps.count), send 9")
  }

  @Test func `an operator that breaks a rule is found`() throws {
    var fuzzer = OperatorFuzzer()
    fuzzer.add(".twice()", .pass) { up, _ in TwiceFinishing(upstream: up) }
    let failure = try #require(fuzzer.firstFailure(in: 0..<100))
    #expect(failure.steps == [])
    #expect(failure.got.contains("rule 1.7 broken"), "\(failure)")
  }

  @Test func `without operators there is nothing to fail`() {
    #expect(OperatorFuzzer().firstFailure(in: 0..<10) == nil)
    #expect(OperatorFuzzer().chain(seed: 1) == [])
  }
}

@Suite struct ShrinkingTests {
  @Test func `nothing can be taken out of what is left`() {
    let smallest = Shrinking.smallest(Array(0..<100)) { $0.contains(17) && $0.contains(18) && $0.contains(80) }
    #expect(smallest == [17, 18, 80])
  }

  @Test func `a list that always fails becomes empty`() {
    #expect(Shrinking.smallest(["a", "b", "c"]) { _ in true } == [])
    #expect(Shrinking.smallest([Int]()) { _ in true } == [])
  }

  @Test func `a list that fails only as it is stays so`() {
    #expect(Shrinking.smallest([1, 2, 3]) { $0.count == 3 } == [1, 2, 3])
  }

  @Test func `an element that another one needed goes with it`() {
    // Taking 1 out alone does not help, taking 2 out does, and then 1 can go.
    let smallest = Shrinking.smallest([1, 2, 3]) { $0.contains(3) && (!$0.contains(2) || $0.contains(1)) }
    #expect(smallest == [3])
  }
}

extension FuzzModel {
  fileprivate static var droppingFirst: FuzzModel {
    .machine(1, value: { left, value, out in if left > 0 { left -= 1 } else { out.send(value) } })
  }
}

/// A faulty operator that passes signals on as its closures say.
private final class Faulty: Subscriber, Subscription {
  typealias Input = FuzzValue
  typealias Failure = TestFailure

  private var downstream: AnySubscriber<FuzzValue, TestFailure>?
  private var upstream: (any Subscription)?
  private let requested: (Subscribers.Demand) -> Subscribers.Demand
  private let passes: (FuzzValue) -> Bool
  private let dropped: Subscribers.Demand
  private let completions: Int

  init<S: Subscriber>(
    _ downstream: S, requested: @escaping (Subscribers.Demand) -> Subscribers.Demand = { $0 },
    passes: @escaping (FuzzValue) -> Bool = { _ in true }, dropped: Subscribers.Demand = .max(1), completions: Int = 1
  ) where S.Input == FuzzValue, S.Failure == TestFailure {
    self.downstream = AnySubscriber(downstream)
    self.requested = requested
    self.passes = passes
    self.dropped = dropped
    self.completions = completions
  }

  func receive(subscription: any Subscription) {
    guard upstream == nil else { return subscription.cancel() }
    upstream = subscription
    downstream?.receive(subscription: self)
  }

  func receive(_ input: FuzzValue) -> Subscribers.Demand {
    passes(input) ? downstream?.receive(input) ?? .none : dropped
  }

  func receive(completion: Subscribers.Completion<TestFailure>) {
    let last = downstream
    (downstream, upstream) = (nil, nil)
    for _ in 0..<completions { last?.receive(completion: completion) }
  }

  func request(_ demand: Subscribers.Demand) {
    let demand = requested(demand)
    if demand > .none { upstream?.request(demand) }
  }

  func cancel() {
    let last = upstream
    (downstream, upstream) = (nil, nil)
    last?.cancel()
  }
}

/// Drops one value, and one more after each request but the first.
private struct ForgetfulDrop: Publisher {
  typealias Output = FuzzValue
  typealias Failure = TestFailure
  let upstream: FuzzedOperator.Stream

  func receive<S: Subscriber>(subscriber: S) where S.Input == FuzzValue, S.Failure == TestFailure {
    var left = 1
    upstream.receive(
      subscriber: Faulty(
        subscriber,
        requested: { demand in
          left = 1
          return demand
        },
        passes: { _ in
          defer { left = 0 }
          return left == 0
        }))
  }
}

/// Does not release its closure when it is cancelled or ends.
private struct Hoarder: Publisher {
  typealias Output = FuzzValue
  typealias Failure = TestFailure
  let upstream: FuzzedOperator.Stream
  let closure: (FuzzValue) -> FuzzValue

  func receive<S: Subscriber>(subscriber: S) where S.Input == FuzzValue, S.Failure == TestFailure {
    upstream.receive(subscriber: Faulty(subscriber, passes: { [closure] value in closure(value) == value }))
  }
}

/// Asks for no other value in place of one that it drops.
private struct LazyFilter: Publisher {
  typealias Output = FuzzValue
  typealias Failure = TestFailure
  let upstream: FuzzedOperator.Stream

  func receive<S: Subscriber>(subscriber: S) where S.Input == FuzzValue, S.Failure == TestFailure {
    upstream.receive(subscriber: Faulty(subscriber, passes: { $0.value > 3 }, dropped: .none))
  }
}

/// Sends the end twice.
private struct TwiceFinishing: Publisher {
  typealias Output = FuzzValue
  typealias Failure = TestFailure
  let upstream: FuzzedOperator.Stream

  func receive<S: Subscriber>(subscriber: S) where S.Input == FuzzValue, S.Failure == TestFailure {
    upstream.receive(subscriber: Faulty(subscriber, completions: 2))
  }
}
