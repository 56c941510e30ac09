import Foundation
import Testing

/// A public method that makes a publisher of a publisher, as its file declares and documents it.
struct DocumentedOperator: Sendable {
  /// Its file, from the root of the package.
  let file: String
  /// The line where it is declared.
  let line: Int
  /// Its name and labels, such as `map(_:)`.
  let signature: String
  /// The publisher that it returns, such as `Publishers.Map`.
  let publisher: String
  /// The lines of its documentation comment.
  let comment: [String]
  /// The diagrams of its documentation comment.
  let diagrams: [DocumentedDiagram]

  /// Its name without the labels.
  var name: Substring { signature.prefix { $0 != "(" } }

  var place: String { "\(file):\(line), \(signature)" }

  /// Whether its comment refers to another form of it.
  func refers(to other: DocumentedOperator) -> Bool {
    file == other.file && name == other.name && comment.contains { $0.contains("`\(other.signature)`") }
  }

  static let all = SourceFile.all.flatMap(\.operators)
}

/// A diagram in the documentation comment of an operator: a fence marked `text`, with the call of the operator in the
/// first line, and the lanes below.
struct DocumentedDiagram: Sendable, CustomTestStringConvertible {
  /// Its file, from the root of the package.
  let file: String
  /// The line of the call.
  let line: Int
  /// The operator that it documents.
  let signature: String
  /// The publisher that this operator returns.
  let publisher: String
  /// What makes the publisher that is played.
  let call: String
  /// The lanes, and what letters stand for.
  let lanes: [String]

  var place: String { "\(file):\(line), \(signature)" }
  var testDescription: String { "\(signature): \(call)" }

  static let all = DocumentedOperator.all.flatMap(\.diagrams)
}

/// A file of the library.
struct SourceFile: Sendable {
  /// The path from the root of the package.
  let path: String
  let lines: [String]

  static let root = URL(fileURLWithPath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

  /// All files of the library `Reactive`.
  static let all: [SourceFile] = {
    let directory = "Sources/Reactive"
    let paths = FileManager.default.enumerator(atPath: root.appending(path: directory).path)
    return (paths?.allObjects ?? []).compactMap { $0 as? String }.filter { $0.hasSuffix(".swift") }.sorted()
      .compactMap { path in
        let url = root.appending(path: directory).appending(path: path)
        guard let text = try? String(contentsOf: url, encoding: .utf8) else { return nil }
        return SourceFile(path: "\(directory)/\(path)", text: text)
      }
  }()

  init(path: String, text: String) {
    self.path = path
    lines = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
  }

  /// The operators that the file adds to a protocol of publishers.
  var operators: [DocumentedOperator] {
    var found: [DocumentedOperator] = []
    var isExtension = false
    for (index, line) in lines.enumerated() {
      if line.starts(with: /extension \w*Publisher\b/) { isExtension = true }
      if line.hasPrefix("}") { isExtension = false }
      guard isExtension, let declaration = declaration(at: index), let publisher = declaration.publisher else {
        continue
      }
      let comment = comment(before: index)
      let diagrams = diagrams(in: comment).map { line, text in
        DocumentedDiagram(
          file: path, line: line, signature: declaration.signature, publisher: publisher, call: text.first ?? "",
          lanes: Array(text.dropFirst()))
      }
      found.append(
        DocumentedOperator(
          file: path, line: index + 1, signature: declaration.signature, publisher: publisher,
          comment: comment.map { Self.words(of: lines[$0]) }, diagrams: diagrams))
    }
    return found
  }

  /// The lines where a comment speaks of lanes without being the diagram of an operator.
  var strayDiagrams: [Int] {
    let known = Set(operators.flatMap(\.diagrams).flatMap { $0.line...($0.line + $0.lanes.count) })
    return lines.indices.map { $0 + 1 }.filter { line in
      let text = lines[line - 1]
      let isLane = text.contains(/\/\/\/? +(source\d*|inner \w|demand|output|upstream\d*|upstream \w) +[-(*!|#\w]*$/)
      let isFence = text.contains("/// ```") && !known.contains(line + 1) && !known.contains(line - 1)
      return isFence || (isLane && !known.contains(line))
    }
  }

  /// The signature of the public function that begins in a line, and the publisher that it returns.
  private func declaration(at index: Int) -> (signature: String, publisher: String?)? {
    guard lines[index].hasPrefix("  public func ") else { return nil }
    let end = lines[index...].firstIndex { $0.hasSuffix("{") } ?? index
    let text = lines[index...end].joined(separator: " ").replacing("->", with: "→")
    guard let name = text.firstMatch(of: /func `?(\w+)`?/) else { return nil }
    // What is inside further brackets says nothing about labels.
    var parameters = ""
    var depth = 0
    for index in text[name.range.upperBound...].indices {
      switch text[index] {
      case "<", "(", "[": depth += 1
      case ")" where depth == 1:
        let labels = parameters.split(separator: ",").map {
          $0.drop { $0 == " " }.prefix { $0 != " " && $0 != ":" } + ":"
        }
        let publisher = text[index...].firstMatch(of: /→ *((?:Publishers\.|Any)\w+)</)
        return ("\(name.1)(\(labels.joined()))", publisher.map { String($0.1) })
      case ">", ")", "]":
        depth -= 1
        if depth == 0 { parameters = "" }
      case let character: if depth == 1 { parameters.append(character) }
      }
    }
    return nil
  }

  /// The lines of the documentation comment above a declaration.
  private func comment(before index: Int) -> [Int] {
    lines[..<index].indices.reversed()
      .prefix { lines[$0].hasPrefix("  ///") || lines[$0].hasPrefix("  @") }
      .filter { lines[$0].hasPrefix("  ///") }.reversed()
  }

  /// The fences marked `text`: the number of the first line inside, and the lines.
  private func diagrams(in comment: [Int]) -> [(line: Int, text: [String])] {
    var found: [(line: Int, text: [String])] = []
    var isInside = false
    for index in comment {
      let words = Self.words(of: lines[index])
      switch (words, isInside) {
      case ("```text", false):
        isInside = true
        found.append((index + 2, []))
      case ("```", true): isInside = false
      case (_, true): found[found.count - 1].text.append(words)
      default: break
      }
    }
    return found
  }

  private static func words(of line: String) -> String {
    String(line.drop { $0 == " " }.dropFirst(3).drop { $0 == " " })
  }
}
