import Reactive
import ReactiveTesting

extension OracleRow {
  /// Operators that look at one value after the other.
  @RowBuilder<OracleRow> static var valueOperators: [OracleRow] {
    oracle("map(_:)") { $0.source.map { $0 * 2 } }.gives { $0.passing($0.values.map { $0 * 2 }) }
    oracle("map(_:)") { $0.source.map(\.magnitude) }.gives { $0.passing($0.values.map(\.magnitude)) }
    oracle("map(_:_:)") { $0.source.map(\.magnitude, \.self).map { "\($0)" } }
      .gives { $0.passing($0.values.map { "\(($0.magnitude, $0))" }) }
    oracle("map(_:_:_:)") { $0.source.map(\.magnitude, \.self, \.description).map { "\($0)" } }
      .gives { $0.passing($0.values.map { "\(($0.magnitude, $0, $0.description))" }) }
    oracle("tryMap(_:)") { $0.source.tryMap { try low($0) * 2 } }.gives { $0.untilThrow { $0.map { $0 * 2 } } }
    oracle("replaceNil(with:)") { $0.source.map { $0 < 0 ? nil : $0 }.replaceNil(with: 7) }
      .gives { $0.passing($0.values.map { $0 < 0 ? 7 : $0 }) }
    oracle("scan(_:_:)") { $0.source.scan(10) { $0 &* 3 &+ $1 } }
      .gives { $0.passing($0.values.reductions(10) { $0 &* 3 &+ $1 }) }
    oracle("tryScan(_:_:)") { $0.source.tryScan(10) { try $0 &* 3 &+ low($1) } }
      .gives { $0.untilThrow { $0.reductions(10) { $0 &* 3 &+ $1 } } }
    oracle("mapError(_:)") { $0.source.mapError { _ in TestFailure("other") } }.gives { $0.passing($0.values) }
    oracle("setFailureType(to:)") { $0.source.replaceError(with: 7).setFailureType(to: TestFailure.self) }
      .gives { OracleResult($0.values + ($0.fails ? [7] : [])) }
    oracle("filter(_:)") { $0.source.filter { $0 > 2 } }.gives { $0.passing($0.values.filter { $0 > 2 }) }
    oracle("tryFilter(_:)") { $0.source.tryFilter { try low($0) > 2 } }
      .gives { $0.untilThrow { $0.filter { $0 > 2 } } }
    oracle("compactMap(_:)") { $0.source.compactMap { $0 > 2 ? "\($0)" : nil } }
      .gives { $0.passing($0.values.compactMap { $0 > 2 ? "\($0)" : nil }) }
    oracle("tryCompactMap(_:)") { $0.source.tryCompactMap { try low($0) > 2 ? $0 * 2 : nil } }
      .gives { $0.untilThrow { $0.compactMap { $0 > 2 ? $0 * 2 : nil } } }
    oracle("removeDuplicates()") { $0.source.map { $0 / 3 }.removeDuplicates() }
      .gives { $0.passing($0.values.map { $0 / 3 }.withoutRepetitions(==)) }
    oracle("removeDuplicates(by:)") { $0.source.removeDuplicates { $0 / 3 == $1 / 3 } }
      .gives { $0.passing($0.values.withoutRepetitions { $0 / 3 == $1 / 3 }) }
    oracle("tryRemoveDuplicates(by:)") { $0.source.tryRemoveDuplicates { try $0 / 3 == low($1) / 3 } }.gives { input in
      // The first value is compared with none.
      let end = input.values.dropFirst().firstIndex { $0 > 8 } ?? input.values.endIndex
      let values = Array(input.values[..<end]).withoutRepetitions { $0 / 3 == $1 / 3 }
      return OracleResult(values, fails: input.fails || end < input.values.endIndex)
    }
    oracle("prefix(_:)") { $0.source.prefix(5) }
      .gives { OracleResult(Array($0.values.prefix(5)), fails: $0.fails && $0.values.count < 5) }
    oracle("output(at:)") { $0.source.output(at: 4) }.gives { $0.finding($0.values.dropFirst(4).first) }
    oracle("output(in:)") { $0.source.output(in: 2..<5) }
      .gives { OracleResult(Array($0.values.prefix(5).dropFirst(2)), fails: $0.fails && $0.values.count < 5) }
    oracle("prefix(while:)") { $0.source.prefix { $0 < 6 } }.gives { input in
      let values = input.values.prefix { $0 < 6 }
      return OracleResult(Array(values), fails: input.fails && values.count == input.values.count)
    }
    oracle("tryPrefix(while:)") { $0.source.tryPrefix { try low($0) < 6 } }.gives { input in
      let values = input.values.prefix { $0 < 6 }
      let next = input.values.dropFirst(values.count).first
      return OracleResult(Array(values), fails: next.map { $0 > 8 } ?? input.fails)
    }
    oracle("dropFirst(_:)") { $0.source.dropFirst(3) }.gives { $0.passing(Array($0.values.dropFirst(3))) }
    oracle("drop(while:)") { $0.source.drop { $0 < 4 } }.gives { $0.passing(Array($0.values.drop { $0 < 4 })) }
    oracle("tryDrop(while:)") { $0.source.tryDrop { try low($0) < 4 } }.gives { input in
      let values = Array(input.values.drop { $0 < 4 })
      return values.first.map { $0 > 8 } == true ? OracleResult([], fails: true) : input.passing(values)
    }
    oracle("encode(encoder:)") { $0.source.encode(encoder: Digits()) }.gives { $0.untilThrow { $0.map { "\($0)" } } }
    oracle("decode(type:decoder:)") { $0.source.map { "\($0)" }.decode(type: Int.self, decoder: Digits()) }
      .gives { $0.untilThrow { $0 } }
    oracle("handleEvents(receiveSubscription:receiveOutput:receiveCompletion:receiveCancel:receiveRequest:)") {
      $0.source.handleEvents(receiveOutput: { _ in }, receiveRequest: { _ in })
    }.gives { $0.passing($0.values) }
    oracle("print(_:to:)") { $0.source.print("", to: Silence()) }.gives { $0.passing($0.values) }
    oracle("breakpoint(receiveSubscription:receiveOutput:receiveCompletion:)") {
      $0.source.breakpoint(receiveOutput: { $0 > 9 })
    }.gives { $0.passing($0.values) }
    oracle("breakpointOnError()", mayFail: false) { $0.source.breakpointOnError() }.gives { $0.passing($0.values) }
    oracle("assertNoFailure(_:file:line:)", mayFail: false) { $0.source.assertNoFailure() }
      .gives { $0.passing($0.values) }
    oracle("strict(onViolation:)") { $0.source.strict() }.gives { $0.passing($0.values) }
    oracle("eraseToAnyPublisher()") { $0.source.eraseToAnyPublisher() }.gives { $0.passing($0.values) }
  }
}

extension [Int] {
  /// The numbers that differ from the one before.
  fileprivate func withoutRepetitions(_ areSame: (Int, Int) -> Bool) -> [Int] {
    prefix(1) + zip(self, dropFirst()).filter { !areSame($0, $1) }.map(\.1)
  }

  /// The results after each number, without the initial one.
  fileprivate func reductions(_ initial: Int, _ next: (Int, Int) -> Int) -> [Int] {
    indices.map { self[...$0].reduce(initial, next) }
  }
}

/// Takes text and forgets it.
private struct Silence: TextOutputStream {
  func write(_ text: String) {}
}

/// Writes low numbers as text, and reads them.
private struct Digits: TopLevelEncoder, TopLevelDecoder {
  func encode<T: Encodable>(_ value: T) throws -> String {
    guard let number = value as? Int else { throw TestFailure("\(value)") }
    return "\(try low(number))"
  }

  func decode<T: Decodable>(_ type: T.Type, from text: String) throws -> T {
    guard let number = try Int(text).map(low) as? T else { throw TestFailure(text) }
    return number
  }
}
