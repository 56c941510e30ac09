import Reactive
import ReactiveTesting

@testable import struct ReactiveTesting.SeededGenerator

/// What an operator is given.
struct OracleInput {
  /// The values of the source.
  let values: [Int]
  /// The values of the other publisher, which finishes.
  let others: [Int]
  /// Whether the source fails after its values.
  let fails: Bool
  /// The time for operators that need it.
  let scheduler = TestScheduler()

  /// The source, of a type that no operator has a special form for.
  var source: Record<Int, TestFailure> {
    Record(output: values, completion: fails ? .failure(TestFailure()) : .finished)
  }

  /// The other publisher.
  var other: Record<Int, TestFailure> { Record(output: others, completion: .finished) }

  /// The source, with time between its values: that of a value is what it waits for after the value before.
  var spaced: some Publisher<Int, TestFailure> {
    source.flatMap(maxPublishers: .max(1)) { [scheduler] value in
      Just(value).delay(for: .seconds(Self.pause(before: value)), scheduler: scheduler)
    }
  }

  /// The time between a value of `spaced` and the one before.
  static func pause(before value: Int) -> Int { 1 + abs(value % 4) }

  init(seed: UInt64, mayFail: Bool) {
    var random = SeededGenerator(seed: seed)
    func numbers() -> [Int] {
      (0..<Int.random(in: 0...20, using: &random)).map { _ in Int.random(in: -3...9, using: &random) }
    }
    values = numbers()
    others = numbers()
    fails = mayFail && Bool.random(using: &random)
  }
}

extension OracleInput: CustomStringConvertible {
  var description: String { "\(values)\(fails ? " and a failure" : ""), other \(others)" }
}

/// What has to come out.
struct OracleResult<Value> {
  /// How many values.
  let count: Int
  /// Whether it fails.
  let fails: Bool
  /// Whether they are the ones.
  let accepts: ([Value]) -> Bool
  let description: String
}

extension OracleResult where Value: Equatable {
  /// These values, then an end.
  init(_ values: [Value], fails: Bool = false) {
    self.init(
      count: values.count, fails: fails, accepts: { $0 == values },
      description: "\(values)\(fails ? " and a failure" : "")")
  }
}

extension OracleInput {
  /// These values, then the end of the source.
  func passing<Value: Equatable>(_ values: [Value]) -> OracleResult<Value> { OracleResult(values, fails: fails) }

  /// These values at the end of the source, none if it fails.
  func atEnd<Value: Equatable>(_ values: [Value]) -> OracleResult<Value> {
    OracleResult(fails ? [] : values, fails: fails)
  }

  /// The value, if it is found; the end of the source otherwise.
  func finding<Value: Equatable>(_ value: Value?) -> OracleResult<Value> {
    value.map { OracleResult([$0]) } ?? passing([])
  }

  /// What becomes of the values before the first that is too high, then a failure if there is one.
  func untilThrow<Value: Equatable>(_ transform: ([Int]) -> [Value]) -> OracleResult<Value> {
    let accepted = values.prefix { $0 <= 8 }
    return OracleResult(transform(Array(accepted)), fails: fails || accepted.count < values.count)
  }

  /// The value at the end of the source; none if it fails, or if what makes the value throws.
  func atEnd<Value: Equatable>(_ value: () throws -> Value?) -> OracleResult<Value> {
    guard !fails, let value = try? value().map({ [$0] }) ?? [] else { return OracleResult([], fails: true) }
    return OracleResult(value)
  }

  /// All values of several arrays, those of each in their order.
  func interleaving(_ arrays: [Int]...) -> OracleResult<Int> {
    let all = arrays.flatMap { $0 }.sorted()
    return OracleResult(
      count: all.count, fails: false,
      accepts: { values in values.sorted() == all && arrays.allSatisfy { values.contains(inOrder: $0) } },
      description: "\(arrays) interleaved")
  }
}

extension [Int] {
  /// Whether numbers are among these, in their order.
  fileprivate func contains(inOrder numbers: [Int]) -> Bool {
    var rest = numbers[...]
    for number in self where number == rest.first { rest.removeFirst() }
    return rest.isEmpty
  }

  /// The numbers in groups of a size; the last may be smaller.
  func groups(of size: Int) -> [[Int]] {
    stride(from: 0, to: count, by: size).map { Array(self[$0..<Swift.min($0 + size, count)]) }
  }
}

/// The number, unless it is too high.
func low(_ number: Int) throws -> Int {
  guard number <= 8 else { throw TestFailure("\(number)") }
  return number
}
