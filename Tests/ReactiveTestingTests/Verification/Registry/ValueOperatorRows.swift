import Reactive
import ReactiveTesting

/// Writes numbers below 2001 as text.
struct TextCoder: TopLevelEncoder, TopLevelDecoder {
  func encode<T: Encodable>(_ value: T) throws -> String {
    guard let number = value as? Int, number <= 2000 else { throw TestFailure("\(value)") }
    return "\(number)"
  }

  func decode<T: Decodable>(_ type: T.Type, from text: String) throws -> T {
    guard let value = Int(text) as? T else { throw TestFailure(text) }
    return value
  }
}

/// Takes text and forgets it.
struct Silence: TextOutputStream {
  func write(_ text: String) {}
}

private func lessThanFive(_ number: Int) throws -> Int {
  guard number < 5 else { throw TestFailure("\(number)") }
  return number
}

extension OperatorTraits {
  fileprivate static var throwing: Self { [.passesDemand, .endsEarly] }
  fileprivate static var throwingBeforeTheFirst: Self { [.mayBuffer, .endsEarly, .waitsForTheEnd, .givesNoValues] }
}

extension Registry {
  /// Operators that look at one value after the other.
  mutating func addValueOperators() {
    addMapping()
    addFiltering()
    addDebugging()
    addRecovering()
    addThrowing()
  }

  private mutating func addMapping() {
    add("map", .passesDemand) { source, _ in source.map { $0 + 1 } }
    add("tryMap", .passesDemand) { source, _ in source.tryMap { $0 + 1 } }
    add("map, twice", .passesDemand) { source, _ in source.map { $0 + 1 }.map { $0 * 2 } }
    add("map, with one key path", .passesDemand) { source, _ in source.map(\.magnitude) }
    add("map, with two key paths", .passesDemand) { source, _ in source.map(\.magnitude, \.bitWidth) }
    add("map, with three key paths", .passesDemand) { source, _ in source.map(\.magnitude, \.bitWidth, \.description) }
    add("map, erased", .passesDemand) { source, _ in source.map { $0 }.eraseToAnyPublisher().map { $0 } }
    add("eraseToAnyPublisher", .passesDemand) { source, _ in source.map { $0 }.eraseToAnyPublisher() }
    add("replaceNil", .passesDemand) { source, _ in source.map { Optional($0) }.replaceNil(with: 0) }
    add("scan", .passesDemand) { source, _ in source.scan(0) { $0 + $1 } }
    add("tryScan", .passesDemand) { source, _ in source.tryScan(0) { $0 + $1 } }
    add("mapError", .passesDemand) { source, _ in source.mapError { TestFailure("mapped \($0)") } }
    add("setFailureType", [.passesDemand, .recovers]) { source, _ in
      source.catch { _ in Empty() }.setFailureType(to: TestFailure.self)
    }
    add("encode", .passesDemand) { source, _ in source.encode(encoder: TextCoder()) }
    add("decode", .passesDemand) { source, _ in
      source.map { "\($0)" }.decode(type: Int.self, decoder: TextCoder())
    }
  }

  private mutating func addFiltering() {
    add("filter") { source, _ in source.filter { $0 % 3 == 0 } }
    add("tryFilter") { source, _ in source.tryFilter { $0 % 3 == 0 } }
    add("filter, twice") { source, _ in source.filter { $0 % 2 == 0 }.filter { $0 % 3 == 0 } }
    add("compactMap") { source, _ in source.compactMap { $0 % 3 == 0 ? $0 : nil } }
    add("tryCompactMap") { source, _ in source.tryCompactMap { $0 % 3 == 0 ? $0 : nil } }
    add("removeDuplicates") { source, _ in source.map { $0 / 3 }.removeDuplicates() }
    add("removeDuplicates(by:)") { source, _ in source.removeDuplicates { $0 / 3 == $1 / 3 } }
    add("tryRemoveDuplicates") { source, _ in source.tryRemoveDuplicates { $0 / 3 == $1 / 3 } }
    add("dropFirst", .mayBuffer) { source, _ in source.dropFirst(2) }
    add("drop(while:)") { source, _ in source.drop { $0 < 3 } }
    add("tryDrop(while:)") { source, _ in source.tryDrop { $0 < 3 } }
    add("many, one after the other", .mayBuffer) { source, _ in
      source.map { $0 + 1 }.filter { $0 % 2 == 0 }.compactMap { $0 / 2 }.scan(0) { $0 + $1 }.removeDuplicates()
        .dropFirst().handleEvents(receiveOutput: { _ in })
    }
    add("ignoreOutput", [.mayBuffer, .givesNoValues]) { source, _ in source.ignoreOutput() }
  }

  private mutating func addDebugging() {
    add("print", .passesDemand) { source, _ in source.print("row", to: Silence()) }
    add("handleEvents", .passesDemand) { source, _ in
      source.handleEvents(
        receiveSubscription: { _ in }, receiveOutput: { _ in }, receiveCompletion: { _ in }, receiveCancel: {},
        receiveRequest: { _ in })
    }
    add("breakpoint", .passesDemand) { source, _ in
      source.breakpoint(
        receiveSubscription: { _ in false }, receiveOutput: { _ in false }, receiveCompletion: { _ in false })
    }
    // A failure would stop the process: none gets there.
    add("breakpointOnError", [.passesDemand, .recovers]) { source, _ in
      source.catch { _ in Empty<Int, Never>() }.breakpointOnError()
    }
    add("assertNoFailure", [.passesDemand, .recovers]) { source, _ in
      source.catch { _ in Empty<Int, TestFailure>() }.assertNoFailure()
    }
    add("strict", .passesDemand) { source, _ in source.strict { _ in } }
  }

  private mutating func addRecovering() {
    add("catch, with nothing", [.passesDemand, .recovers]) { source, _ in source.catch { _ in Empty<Int, Never>() } }
    add("catch, with a value", [.passesDemand, .recovers, .addsValues]) { source, _ in source.catch { _ in Just(0) } }
    add("tryCatch", [.passesDemand, .recovers, .addsValues]) { source, _ in source.tryCatch { _ in Just(0) } }
    add("replaceError", [.passesDemand, .recovers, .addsValues]) { source, _ in source.replaceError(with: 0) }
    add("replaceEmpty", [.passesDemand, .addsValues]) { source, _ in source.replaceEmpty(with: 0) }
    add("catch, that fails", .passesDemand) { source, _ in
      source.catch { Fail<Int, TestFailure>(error: $0) }
    }
    add("tryCatch, that throws", .passesDemand) { source, _ in
      source.tryCatch { failure -> Just<Int> in throw failure }
    }
    add("retry, never", .passesDemand) { source, _ in source.retry(0) }
    add("retry", [.passesDemand, .recovers]) { source, _ in source.retry(1) }
  }

  /// Operators that end early because their closure throws.
  private mutating func addThrowing() {
    add("tryMap, that throws", .throwing) { source, _ in source.tryMap { try lessThanFive($0) } }
    add("tryScan, that throws", .throwing) { source, _ in source.tryScan(0) { try lessThanFive($1) } }
    add("tryFilter, that throws", .throwing) { source, _ in source.tryFilter { try lessThanFive($0) > 0 } }
    add("tryCompactMap, that throws", .throwing) { source, _ in source.tryCompactMap { try lessThanFive($0) } }
    add("tryRemoveDuplicates, that throws", .throwing) { source, _ in
      source.tryRemoveDuplicates { try lessThanFive($1) == $0 }
    }
    add("tryDrop(while:), that throws", .throwingBeforeTheFirst) { source, _ in
      source.tryDrop { try lessThanFive($0) < 5 }
    }
    add("tryPrefix(while:), that throws", .throwing) { source, _ in source.tryPrefix { try lessThanFive($0) < 5 } }
    add("tryReduce, that throws", .throwingBeforeTheFirst) { source, _ in source.tryReduce(0) { try lessThanFive($1) } }
    add("tryMax, that throws", .throwingBeforeTheFirst) { source, _ in source.tryMax { try lessThanFive($0) < $1 } }
    add("tryLast(where:), that throws", .throwingBeforeTheFirst) { source, _ in
      source.tryLast { try lessThanFive($0) > 1 }
    }
    add("tryFirst(where:), that throws", .throwingBeforeTheFirst) { source, _ in
      source.tryFirst { try lessThanFive($0) > 5 }
    }
    add("tryContains(where:), that throws", .throwingBeforeTheFirst) { source, _ in
      source.tryContains { try lessThanFive($0) > 5 }
    }
    add("tryAllSatisfy, that throws", .throwingBeforeTheFirst) { source, _ in
      source.tryAllSatisfy { try lessThanFive($0) < 5 }
    }
    add("encode, that throws", .throwing) { source, _ in
      source.map { $0 < 5 ? 1 : 2001 }.encode(encoder: TextCoder())
    }
    add("decode, that throws", .throwing) { source, _ in
      source.map { $0 < 5 ? "1" : "one" }.decode(type: Int.self, decoder: TextCoder())
    }
  }
}
