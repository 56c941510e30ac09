import Foundation
import Reactive
import ReactiveTesting

/// A publisher for the diagrams whose first line reads as the closure does that makes it.
struct DiagramRow: Sendable {
  /// The body of the closure, without blanks.
  let call: String
  /// Where the closure stands.
  let place: String
  /// The type of the publisher.
  let publisher: String
  /// Plays the lanes of a diagram.
  let play: @Sendable (String) throws -> Void

  init<P: Publisher & SendableMetatype>(
    _ file: String, _ line: Int, _ make: @escaping @Sendable (DiagramStage<String>) -> P
  ) {
    call = Self.closureBody(file, line)
    place = "\(file):\(line)"
    publisher = String(reflecting: P.self)
    play = { lanes in try ReactiveTesting.play(lanes, make) }
  }

  /// Whether this row is what the first line of a diagram says.
  func makes(_ call: String) -> Bool { self.call == call.filter { !$0.isWhitespace } }

  static let all = valueOperators + endingOperators + combiningOperators + timedOperators

  /// The text between `in` and the brace that closes the first closure from a line on.
  private static func closureBody(_ file: String, _ line: Int) -> String {
    guard let text = try? String(contentsOfFile: file, encoding: .utf8) else { return "" }
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false).dropFirst(line - 1)
    let closure = lines.joined(separator: " ")
    guard let start = closure.firstRange(of: " in ")?.upperBound else { return "" }
    var depth = 1
    let body = closure[start...].prefix { character in
      if character == "{" { depth += 1 }
      if character == "}" { depth -= 1 }
      return depth > 0
    }
    return body.filter { !$0.isWhitespace }
  }
}

/// A row with the lane `source`.
func one<P: Publisher & SendableMetatype>(
  _ make: @escaping @Sendable (_ source: DiagramStage<String>) -> P, file: String = #filePath, line: Int = #line
) -> DiagramRow {
  DiagramRow(file, line, make)
}

/// A row with the lanes `source` and `source2`.
func two<P: Publisher & SendableMetatype>(
  _ make: @escaping @Sendable (_ source: DiagramStage<String>, _ source2: TestPublisher<String, TestFailure>) -> P,
  file: String = #filePath, line: Int = #line
) -> DiagramRow {
  DiagramRow(file, line) { make($0, $0.source(2)) }
}

/// A row with the lane `source` and lanes such as `inner a`.
func nested<P: Publisher & SendableMetatype>(
  _ make:
    @escaping @Sendable (
      _ source: DiagramStage<String>, _ inner: @escaping (String) -> TestPublisher<String, TestFailure>
    ) -> P,
  file: String = #filePath, line: Int = #line
) -> DiagramRow {
  DiagramRow(file, line) { stage in make(stage) { [unowned stage] name in stage.inner(name) } }
}

/// A row with the lane `source`, and time.
func timed<P: Publisher & SendableMetatype>(
  _ make: @escaping @Sendable (_ source: DiagramStage<String>, _ scheduler: TestScheduler) -> P,
  file: String = #filePath, line: Int = #line
) -> DiagramRow {
  DiagramRow(file, line) { make($0, $0.scheduler) }
}

/// The letter, unless it is x.
func check(_ letter: String) throws -> String {
  guard letter != "x" else { throw TestFailure("x") }
  return letter
}

/// Two subscribers to one publisher.
func twice<P: Publisher>(_ publisher: P) -> Publishers.MergeMany<P> {
  Publishers.MergeMany(publisher, publisher)
}

/// Encodes letters as capitals, all but x.
struct Uppercase: TopLevelEncoder {
  func encode<T: Encodable>(_ value: T) throws -> String { try check("\(value)").uppercased() }
}

/// Decodes capitals, all but X.
struct Lowercase: TopLevelDecoder {
  func decode<T: Decodable>(_ type: T.Type, from text: String) throws -> T {
    guard let letter = try check(text.lowercased()) as? T else { throw TestFailure(text) }
    return letter
  }
}
