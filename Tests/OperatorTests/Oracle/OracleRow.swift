import Reactive
import ReactiveTesting
import Testing

@testable import struct ReactiveTesting.SeededGenerator

/// An operator, with what the standard library says it has to publish.
struct OracleRow: Sendable, CustomTestStringConvertible {
  /// How demand arrives.
  enum Demand {
    /// In pieces of a random size, by requests and returned from deliveries.
    case chopped
    /// All with the subscription.
    case unlimited
  }

  /// The name and the labels of the operator.
  let signature: String
  /// The type of the publisher.
  let publisher: String
  /// Runs the operator over random arrays and tells what differs.
  let differences: @Sendable () -> [String]

  var testDescription: String { "\(signature), \(publisher.prefix(60))" }

  static let all = valueOperators + endingOperators + combiningOperators + timedOperators
}

/// Begins a row; `gives` completes it.
///
/// - Parameters:
///   - signature: The name and the labels of the operator.
///   - demand: How demand arrives; an operator that drops what nobody has asked for needs all of it.
///   - mayFail: Whether the source fails in half of the runs.
///   - make: Applies the operator.
func oracle<P: Publisher & SendableMetatype>(
  _ signature: String, _ demand: OracleRow.Demand = .chopped, mayFail: Bool = true,
  _ make: @escaping @Sendable (OracleInput) -> P
) -> OracleDraft<P> {
  OracleDraft(signature: signature, demand: demand, mayFail: mayFail, make: make)
}

/// A row that does not yet say what has to come out.
struct OracleDraft<P: Publisher & SendableMetatype> {
  let signature: String
  let demand: OracleRow.Demand
  let mayFail: Bool
  let make: @Sendable (OracleInput) -> P

  /// Makes the row.
  ///
  /// - Parameter expected: What has to come out.
  func gives(_ expected: @escaping @Sendable (OracleInput) -> OracleResult<P.Output>) -> OracleRow {
    OracleRow(signature: signature, publisher: String(reflecting: P.self)) { [demand, mayFail, make] in
      (0..<200 as Range<UInt64>).compactMap { seed in
        let input = OracleInput(seed: seed, mayFail: mayFail)
        let result = expected(input)
        return difference(make(input), from: result, demand, seed, input.scheduler).map {
          "\(input): \($0) instead of \(result.description)"
        }
      }
    }
  }
}

/// Runs a publisher; tells what it has done if that is not what was expected.
private func difference<P: Publisher>(
  _ publisher: P, from expected: OracleResult<P.Output>, _ demand: OracleRow.Demand, _ seed: UInt64,
  _ scheduler: TestScheduler
) -> String? {
  var random = SeededGenerator(seed: ~seed)
  var requested = 0
  let isChopped = demand == .chopped
  let subscriber = TestSubscriber<P.Output, P.Failure>(initialDemand: isChopped ? .none : .unlimited) { signal in
    guard case .value = signal, isChopped, Int.random(in: 0...2, using: &random) == 0 else { return .proceed }
    requested += 1
    return .demand(.max(1))
  }
  publisher.subscribe(subscriber)
  scheduler.advance(by: 5)
  while isChopped, subscriber.values.count < expected.count {
    let piece = Int.random(in: 1...3, using: &random)
    requested += piece
    subscriber.request(.max(piece))
    scheduler.advance(by: 5)
    if subscriber.values.count != min(requested, expected.count) {
      return "\(subscriber.values) for a demand of \(requested)"
    }
  }
  if isChopped { subscriber.request(.unlimited) }
  scheduler.advance(by: 2000)
  guard expected.accepts(subscriber.values) else { return "\(subscriber.values)" }
  guard subscriber.isFinished || subscriber.failure != nil else { return "\(subscriber.values) without an end" }
  guard (subscriber.failure != nil) == expected.fails else { return "\(subscriber.values) with the other end" }
  return subscriber.violations.isEmpty ? nil : "\(subscriber.violations)"
}
