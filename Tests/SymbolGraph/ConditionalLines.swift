import Foundation

/// The lines of a source file that are compiled on some platforms only.
package struct ConditionalLines: Sendable {
  private let lines: Set<Int>

  /// Reads the text of a source file.
  package init(_ source: String) {
    var lines: Set<Int> = []
    /// For each `#if` that is open, whether it asks for the platform.
    var conditions: [Bool] = []
    for (number, line) in source.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
      let line = line.drop { $0 == " " }
      if line.hasPrefix("#if ") {
        conditions.append(Self.asksForPlatform(line))
      } else if line.hasPrefix("#elseif "), let last = conditions.popLast() {
        conditions.append(last || Self.asksForPlatform(line))
      } else if line.hasPrefix("#endif") {
        conditions.removeLast()
      } else if conditions.contains(true), !line.hasPrefix("#else") {
        lines.insert(number)
      }
    }
    self.lines = lines
  }

  /// Whether a line, counted from 0, is compiled on some platforms only.
  package func contains(_ line: Int) -> Bool {
    lines.contains(line)
  }

  private static func asksForPlatform(_ line: Substring) -> Bool {
    line.contains("canImport(") || line.contains("os(")
  }
}
