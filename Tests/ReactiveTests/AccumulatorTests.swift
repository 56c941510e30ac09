import Foundation
import Reactive
import Testing

/// One aggregating operator over integers.
///
/// 7 settles those that can settle early, 13 makes those throw that may.
struct Aggregate: CustomTestStringConvertible, @unchecked Sendable {
  // Sendable: the closures capture nothing.
  let testDescription: String
  /// How the subscription describes itself.
  let name: String
  /// What the values 1, 2, 3 give.
  let result: String?
  /// What no value gives.
  let emptyResult: String?
  let settlesEarly: Bool
  let mayThrow: Bool
  let attach: (Faucet<Int, AccumulatingOracle.Failed>, Gauge, Subscribers.Demand, @escaping (Probe) -> Void) -> Probe

  init<P: Publisher>(
    _ name: String, _ operation: String, _ result: String?, empty: String? = nil, settlesEarly: Bool = false,
    mayThrow: Bool = false, _ make: @escaping (Faucet<Int, AccumulatingOracle.Failed>, Gauge) -> P
  ) {
    testDescription = operation
    self.name = name
    self.result = result
    emptyResult = empty
    self.settlesEarly = settlesEarly
    self.mayThrow = mayThrow
    attach = { faucet, gauge, demand, onValue in
      let probe = Probe(onValue)
      let recorder = Recorder<P.Output, P.Failure>(demand) { [unowned probe] value, _ in
        probe.values.append(String(describing: value))
        probe.cancelsAtValue = faucet.handle.cancels
        onValue(probe)
        return .none
      }
      make(faucet, gauge).subscribe(recorder)
      probe.recorder = recorder
      probe.subscription = recorder.subscription
      probe.readEnd = { [unowned recorder] in recorder.end }
      return probe
    }
  }

  static let all: [Aggregate] = [
    Aggregate("First", "first()", "1", settlesEarly: true) { up, _ in up.first() },
    Aggregate("TryFirst", "first(where:)", nil, settlesEarly: true) { $0.first(where: $1.isSeven) },
    Aggregate("TryFirstWhere", "tryFirst(where:)", nil, settlesEarly: true, mayThrow: true) {
      $0.tryFirst(where: $1.tryIsSeven)
    },
    Aggregate("Last", "last()", "3") { up, _ in up.last() },
    Aggregate("LastWhere", "last(where:)", "3") { $0.last(where: $1.isNotSeven) },
    Aggregate("TryLastWhere", "tryLast(where:)", "3", mayThrow: true) { $0.tryLast(where: $1.tryIsNotSeven) },
    Aggregate("Contains", "contains(_:)", "false", empty: "false", settlesEarly: true) { up, _ in up.contains(7) },
    Aggregate("ContainsWhere", "contains(where:)", "false", empty: "false", settlesEarly: true) {
      $0.contains(where: $1.isSeven)
    },
    Aggregate("TryContainsWhere", "tryContains(where:)", "false", empty: "false", settlesEarly: true, mayThrow: true) {
      $0.tryContains(where: $1.tryIsSeven)
    },
    Aggregate("AllSatisfy", "allSatisfy(_:)", "true", empty: "true", settlesEarly: true) {
      $0.allSatisfy($1.isNotSeven)
    },
    Aggregate("TryAllSatisfy", "tryAllSatisfy(_:)", "true", empty: "true", settlesEarly: true, mayThrow: true) {
      $0.tryAllSatisfy($1.tryIsNotSeven)
    },
    Aggregate("Comparison", "max()", "3") { up, _ in up.max() },
    Aggregate("Comparison", "min()", "1") { up, _ in up.min() },
    Aggregate("Comparison", "max(by:)", "3") { $0.max(by: $1.precedes) },
    Aggregate("Comparison", "min(by:)", "1") { $0.min(by: $1.precedes) },
    Aggregate("TryComparison", "tryMax(by:)", "3", mayThrow: true) { $0.tryMax(by: $1.tryPrecedes) },
    Aggregate("TryComparison", "tryMin(by:)", "1", mayThrow: true) { $0.tryMin(by: $1.tryPrecedes) },
    Aggregate("Collect", "collect()", "[1, 2, 3]", empty: "[]") { up, _ in up.collect() },
    Aggregate("Reduce", "reduce(_:_:)", "6", empty: "0") { $0.reduce(0, $1.sum) },
    Aggregate("TryReduce", "tryReduce(_:_:)", "6", empty: "0", mayThrow: true) { $0.tryReduce(0, $1.trySum) },
    Aggregate("Count", "count()", "3", empty: "0") { up, _ in up.count() },
  ]
  static let settling = all.filter(\.settlesEarly)
  static let throwing = all.filter(\.mayThrow)
}

/// The closures of the operators, as methods of an object whose release can be seen.
final class Gauge {
  var onCall: () -> Void = {}

  func isSeven(_ value: Int) -> Bool {
    onCall()
    return value == 7
  }

  func isNotSeven(_ value: Int) -> Bool { !isSeven(value) }

  func precedes(_ lhs: Int, _ rhs: Int) -> Bool {
    onCall()
    return lhs < rhs
  }

  func sum(_ lhs: Int, _ rhs: Int) -> Int {
    onCall()
    return lhs + rhs
  }

  private func check(_ value: Int) throws {
    if value == 13 { throw AccumulatingOracle.Failed() }
  }

  func tryIsSeven(_ value: Int) throws -> Bool {
    try check(value)
    return isSeven(value)
  }

  func tryIsNotSeven(_ value: Int) throws -> Bool { try !tryIsSeven(value) }

  func tryPrecedes(_ lhs: Int, _ rhs: Int) throws -> Bool {
    try check(Swift.max(lhs, rhs))
    return precedes(lhs, rhs)
  }

  func trySum(_ lhs: Int, _ rhs: Int) throws -> Int {
    try check(rhs)
    return sum(lhs, rhs)
  }
}

/// A recorder whose values are texts, whatever they were.
final class Probe {
  fileprivate(set) var values: [String] = []
  fileprivate(set) var cancelsAtValue = 0
  fileprivate(set) var recorder: AnyObject?
  var subscription: (any Subscription)?
  fileprivate var readEnd: () -> AccumulatingOracle.End? = { nil }
  private let onValue: (Probe) -> Void

  init(_ onValue: @escaping (Probe) -> Void) {
    self.onValue = onValue
  }

  var end: AccumulatingOracle.End? { readEnd() }
}

@Suite struct AccumulatorTests {
  typealias Failed = AccumulatingOracle.Failed

  let faucet = Faucet<Int, Failed>()
  let gauge = Gauge()

  func attach(
    _ aggregate: Aggregate, demand: Subscribers.Demand = .unlimited, onValue: @escaping (Probe) -> Void = { _ in }
  ) -> Probe {
    aggregate.attach(faucet, gauge, demand, onValue)
  }

  func send(_ values: Int...) {
    for value in values { faucet.send(value) }
  }

  @Test(arguments: Aggregate.all)
  func `everything is requested at once, whatever downstream asks for`(_ aggregate: Aggregate) {
    let probe = attach(aggregate, demand: .none)
    probe.subscription?.request(.max(1))
    probe.subscription?.request(.max(2))
    #expect(faucet.handle.requests == [.unlimited])
  }

  @Test(arguments: Aggregate.all)
  func `a value is answered with no demand`(_ aggregate: Aggregate) {
    let probe = attach(aggregate)
    #expect(faucet.send(1) == .none)
    withExtendedLifetime(probe) {}
  }

  @Test(arguments: Aggregate.all)
  func `the result waits for demand, and the completion for the result`(_ aggregate: Aggregate) {
    let probe = attach(aggregate, demand: .none)
    send(1, 2, 3)
    faucet.send(completion: .finished)
    probe.subscription?.request(.none)
    #expect(probe.values.isEmpty)
    #expect((probe.end == nil) == (aggregate.result != nil))
    probe.subscription?.request(.max(1))
    #expect(probe.values == (aggregate.result.map { [$0] } ?? []))
    #expect(probe.end == .finished)
  }

  @Test(arguments: Aggregate.all)
  func `no values give the empty result, or an end without demand`(_ aggregate: Aggregate) {
    let probe = attach(aggregate, demand: .none)
    faucet.send(completion: .finished)
    #expect((probe.end == nil) == (aggregate.emptyResult != nil))
    probe.subscription?.request(.max(1))
    #expect(probe.values == (aggregate.emptyResult.map { [$0] } ?? []))
    #expect(probe.end == .finished)
  }

  @Test(arguments: Aggregate.all)
  func `a failure needs no demand and drops what there is`(_ aggregate: Aggregate) {
    let probe = attach(aggregate, demand: .none)
    if !aggregate.settlesEarly { send(1, 2, 3) }
    faucet.send(completion: .failure(Failed()))
    #expect(probe.end == .failed)
    probe.subscription?.request(.unlimited)
    #expect(probe.values.isEmpty)
  }

  @Test(arguments: Aggregate.settling)
  func `an early decision cancels upstream before the result is delivered`(_ aggregate: Aggregate) {
    let probe = attach(aggregate)
    send(7)
    #expect(probe.cancelsAtValue == 1)
    #expect(probe.values.count == 1 && probe.end == .finished)
  }

  @Test(arguments: Aggregate.settling)
  func `an early decision cancels upstream without demand`(_ aggregate: Aggregate) {
    let probe = attach(aggregate, demand: .none)
    send(7)
    #expect(faucet.handle.cancels == 1)
    #expect(probe.values.isEmpty && probe.end == nil)
    probe.subscription?.request(.max(1))
    #expect(probe.values.count == 1 && probe.end == .finished)
  }

  @Test(arguments: Aggregate.throwing)
  func `an error thrown cancels upstream, then fails without demand`(_ aggregate: Aggregate) {
    let probe = attach(aggregate, demand: .none)
    var endAtCancel: AccumulatingOracle.End?
    faucet.handle.onCancel = { endAtCancel = probe.end }
    send(1, 13)
    #expect(faucet.handle.cancels == 1 && endAtCancel == nil)
    #expect(probe.end == .failed)
    probe.subscription?.request(.unlimited)
    #expect(probe.values.isEmpty)
  }

  @Test(arguments: Aggregate.all)
  func `a cancel at the value suppresses the completion`(_ aggregate: Aggregate) {
    let probe = attach(aggregate) { $0.subscription?.cancel() }
    send(1, 7)
    faucet.send(completion: .finished)
    #expect(probe.values.count == 1)
    #expect(probe.end == nil)
  }

  @Test(arguments: Aggregate.all)
  func `a cancel inside the closure leaves nothing to deliver`(_ aggregate: Aggregate) {
    let probe = attach(aggregate)
    var calls = 0
    gauge.onCall = {
      calls += 1
      probe.subscription?.cancel()
    }
    send(1, 2, 7, 13)
    faucet.send(completion: .finished)
    if calls > 0 {
      #expect(calls == 1 && faucet.handle.cancels == 1)
      #expect(probe.values.isEmpty && probe.end == nil)
    }
  }

  @Test(arguments: Aggregate.all)
  func `a cancel drops a result that waits`(_ aggregate: Aggregate) {
    let probe = attach(aggregate, demand: .none)
    send(1, 7)
    faucet.send(completion: .finished)
    probe.subscription?.cancel()
    probe.subscription?.request(.max(1))
    #expect(probe.values.isEmpty && probe.end == nil)
  }

  @Test(arguments: Aggregate.all)
  func `upstream is not cancelled after its own end`(_ aggregate: Aggregate) {
    let probe = attach(aggregate, demand: .none)
    faucet.send(completion: .finished)
    probe.subscription?.cancel()
    #expect(faucet.handle.cancels == 0)
  }

  @Test(arguments: Aggregate.all)
  func `upstream gets one cancel, however often downstream cancels`(_ aggregate: Aggregate) {
    let probe = attach(aggregate)
    probe.subscription?.cancel()
    probe.subscription?.cancel()
    #expect(faucet.handle.cancels == 1)
  }

  @Test(arguments: Aggregate.all)
  func `a second subscription is cancelled`(_ aggregate: Aggregate) {
    let probe = attach(aggregate)
    let second = Faucet<Int, Failed>.Handle()
    faucet.send(subscription: second)
    #expect(second.cancels == 1 && second.requests.isEmpty && faucet.handle.cancels == 0)
    withExtendedLifetime(probe) {}
  }

  @Test(arguments: Aggregate.all)
  func `an upstream that ignores the cancel changes nothing`(_ aggregate: Aggregate) {
    let probe = attach(aggregate, demand: .none)
    send(2)
    probe.subscription?.cancel()
    send(1, 7, 13)
    faucet.send(completion: .failure(Failed()))
    probe.subscription?.request(.unlimited)
    #expect(probe.values.isEmpty && probe.end == nil)
  }

  @Test(arguments: Aggregate.settling)
  func `an upstream that goes on after the decision changes nothing`(_ aggregate: Aggregate) {
    let probe = attach(aggregate, demand: .none)
    send(7, 1, 13)
    faucet.send(completion: .failure(Failed()))
    probe.subscription?.request(.unlimited)
    send(7)
    faucet.send(completion: .finished)
    #expect(probe.values.count == 1 && probe.end == .finished)
  }

  @Test(arguments: Aggregate.all)
  func `an upstream that ends twice ends downstream once`(_ aggregate: Aggregate) {
    let probe = attach(aggregate)
    faucet.send(completion: .finished)
    send(1)
    faucet.send(completion: .failure(Failed()))
    #expect(probe.end == .finished)
    #expect(probe.values == (aggregate.emptyResult.map { [$0] } ?? []))
  }

  @Test(arguments: Aggregate.all)
  func `a cancel lets go of everything, even when the subscription is kept`(_ aggregate: Aggregate) {
    let faucet = faucet
    faucet.handle.onCancel = { faucet.close() }
    weak var gauge: Gauge?
    weak var recorder: AnyObject?
    var subscription: (any Subscription)?
    do {
      let own = Gauge()
      let probe = aggregate.attach(faucet, own, .none) { _ in }
      (gauge, recorder, subscription) = (own, probe.recorder, probe.subscription)
      faucet.send(1)
    }
    subscription?.cancel()
    #expect(gauge == nil && recorder == nil)
    withExtendedLifetime(subscription) {}
  }

  @Test(arguments: Aggregate.all)
  func `the subscription is described by the operator's name`(_ aggregate: Aggregate) {
    #expect(attach(aggregate).subscription.map { String(describing: $0) } == aggregate.name)
  }

  @Test func `a finish and a request on two threads deliver the result once, then the completion`() {
    for _ in 0..<2_000 {
      nonisolated(unsafe) let faucet = Faucet<Int, Failed>()
      nonisolated(unsafe) let recorder = Recorder<Int, Failed>(.none)
      faucet.last().subscribe(recorder)
      faucet.send(1)
      DispatchQueue.concurrentPerform(iterations: 2) { thread in
        if thread == 0 { faucet.send(completion: .finished) } else { recorder.request(.max(1)) }
      }
      #expect(recorder.values == [1] && recorder.isFinished)
    }
  }
}
