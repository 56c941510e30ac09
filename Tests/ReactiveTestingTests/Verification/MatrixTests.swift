import Foundation
import Reactive
import Testing

@testable import ReactiveTesting

/// What the registry came to, subject by subject and rule by rule, as a page of the documentation.
@Suite struct MatrixTests {
  private static let root = (1...4).reduce(URL(filePath: #filePath)) { url, _ in url.deletingLastPathComponent() }
  private static let page = root.appending(path: "Docs/Verification.md")

  @Test func `the page shows what the registry comes to now`() throws {
    let text = Matrix(Registry.all.rows).page(rules: try Self.rules())
    if ProcessInfo.processInfo.environment["REACTIVE_WRITE_MATRIX"] != nil {
      try text.write(to: Self.page, atomically: true, encoding: .utf8)
    }
    let written = (try? String(contentsOf: Self.page, encoding: .utf8)) ?? ""
    let (now, then) = (text.split(separator: "\n"), written.split(separator: "\n"))
    let differing = zip(now, then).first { $0 != $1 }.map { "\n\($0)\ninstead of\n\($1)" } ?? ""
    #expect(written == text, "Docs/Verification.md is out of date; run \(Matrix.command)\(differing)")
  }

  @Test func `a row shows each outcome, and the legend says why a rule was skipped`() {
    let rows = ["first", "second"].map { name in
      RegistryRow(name, "PublisherVerification", []) {
        VerificationReport(
          subject: name,
          outcomes: [
            .p1_01: .passed, .p1_02: .failed([Violation(.p1_02, "")]), .c12: .inconclusive("?"),
            .p1_10: .skipped(name == "first" ? "for a reason" : "for another"), .c05: .skipped("for a reason"),
          ])
      }
    }
    let lines = Matrix(rows).page(rules: [:]).split(separator: "\n").map(String.init)
    #expect(lines.contains("| Publisher | 1.1 | 1.2 | 1.10 | C5 | C12 |"))
    #expect(lines.contains("| first | ✓ | ✗ | a | a | ? |"))
    #expect(lines.contains("| second | ✓ | ✗ | b | a | ? |"))
    #expect(lines.contains("a: for a reason; b: for another."))
    #expect(lines.contains("Verification: 2 subjects, 5 rules, 2 passed, 4 skipped, 4 failed"))
  }

  /// What each rule says, as its documentation has it.
  private static func rules() throws -> [Rule: String] {
    let source = try String(
      contentsOf: root.appending(path: "Sources/Reactive/Values/Violation.swift"), encoding: .utf8)
    let cases = source.matches(of: #/\/\/\/ (.*)\n +case \w+ = "([^"]+)"/#).compactMap { match in
      Rule(rawValue: String(match.2)).map { ($0, String(match.1)) }
    }
    return Dictionary(uniqueKeysWithValues: cases)
  }

  @Test func `every rule is explained`() throws {
    #expect(Set(try Self.rules().keys) == Set(Rule.allCases))
  }
}

/// The outcomes of rows, as a table for each kind of verification.
struct Matrix {
  static let command = "REACTIVE_WRITE_MATRIX=1 swift test --filter MatrixTests"

  private let rows: [RegistryRow]

  init(_ rows: [RegistryRow]) {
    self.rows = rows
  }

  /// What all rows came to, in one line.
  var summary: String {
    let reports = rows.map(\.report)
    var (passed, skipped, failed) = (0, 0, 0)
    for outcome in reports.flatMap(\.outcomes.values) {
      switch outcome {
      case .passed: passed += 1
      case .skipped: skipped += 1
      case .failed, .inconclusive: failed += 1
      }
    }
    let rules = Set(reports.flatMap(\.outcomes.keys))
    return "Verification: \(reports.count) subjects, \(rules.count) rules, "
      + "\(passed) passed, \(skipped) skipped, \(failed) failed"
  }

  func page(rules: [Rule: String]) -> String {
    let checked = Set(rows.flatMap { Array($0.report.outcomes.keys) })
    let explained = Rule.allCases.filter(checked.contains).compactMap { rule in
      rules[rule].map { "| \(rule.rawValue) | \($0) |" }
    }
    let kinds = [
      ("PublisherVerification", "Publisher", "Publishers that deliver on request"),
      ("OperatorVerification", "Operator", "Operators"),
      ("SubjectVerification", "Publisher", "Subjects and other hot publishers"),
      ("SubscriberVerification", "Subscriber", "Subscribers"),
    ]
    let tables = kinds.flatMap { type, column, title -> [String] in
      let rows = rows.filter { $0.verification == type }
      return rows.isEmpty ? [] : ["", "## \(title)", ""] + table(of: rows, column)
    }
    let head = [
      "# Verification",
      "",
      "What came of checking everything public that publishes or subscribes against the rules that apply to its kind. "
        + "[Verifying.md](Verifying.md) shows how to put a publisher of your own through the same checks.",
      "",
      "```text",
      summary,
      "```",
      "",
      "✓ passed, ✗ failed, ? said nothing, a letter: skipped, for the reason below the table. "
        + "The page is written by a command, and a test compares it:",
      "",
      "```sh",
      Self.command,
      "```",
    ]
    let foot = [
      "", "## Rules", "",
      "1.x to 4.x are the rules of [Reactive Streams](https://www.reactive-streams.org), restated for this framework; "
        + "C1 to C20 are the [contract](Contract.md).",
      "", "| Rule | What it says |", "|---|---|",
    ]
    return (head + tables + foot + explained).joined(separator: "\n") + "\n"
  }

  private func table(of rows: [RegistryRow], _ column: String) -> [String] {
    let reports = rows.map(\.report)
    let checked = Set(reports.flatMap(\.outcomes.keys))
    let rules = Rule.allCases.filter(checked.contains)
    var reasons: [String] = []
    let lines = reports.map { report in
      let marks = rules.map { rule -> String in
        switch report.outcomes[rule] {
        case .passed: return "✓"
        case .failed: return "✗"
        case .inconclusive: return "?"
        case nil: return " "
        case .skipped(let reason):
          let place = reasons.firstIndex(of: reason) ?? reasons.count
          if place == reasons.count { reasons.append(reason) }
          return Self.letter(place)
        }
      }
      return "| \(([report.subject] + marks).joined(separator: " | ")) |"
    }
    let legend = reasons.enumerated().map { "\(Self.letter($0)): \($1)" }.joined(separator: "; ")
    let head = [
      "| \(([column] + rules.map(\.rawValue)).joined(separator: " | ")) |",
      "|---|" + String(repeating: ":-:|", count: rules.count),
    ]
    return head + lines + (legend.isEmpty ? [] : ["", legend + "."])
  }

  private static func letter(_ place: Int) -> String {
    let letters = Array("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ")
    return place < letters.count ? String(letters[place]) : "\(place)"
  }
}
