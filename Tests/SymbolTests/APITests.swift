import Foundation
import SymbolGraph
import Testing

@Suite struct APITests {
  private static let file = "Docs/API.txt"
  private static let command = "REACTIVE_WRITE_API=1 swift test --filter SymbolTests"

  @Test func `the public declarations are the recorded ones`() throws {
    let current = try Self.page(Surface.current())
    if ProcessInfo.processInfo.environment["REACTIVE_WRITE_API"] == "1" {
      try current.write(to: Repository.root.appending(path: Self.file), atomically: true, encoding: .utf8)
    }
    let changes = try Self.changes(from: Repository.text(Self.file), to: current)
    #expect(
      changes.isEmpty,
      """
      The API has changed. If that is meant: \(Self.command)
      \(changes.joined(separator: "\n"))
      """)
  }

  @Test func `a change is shown as the lines that went and those that came`() {
    #expect(Self.changes(from: "a\nb\nc", to: "a\nx\nc\nd") == ["- b", "+ x", "+ d"])
    #expect(Self.changes(from: "a\n", to: "a\n") == [])
    #expect(Self.changes(from: "a", to: "a\n") == ["+ "])
  }

  /// What the file should be.
  private static func page(_ surface: Surface) -> String {
    let head = """
      The public declarations of each module, as the compiler knows them.
      A change of this file is a change of API. A test compares it; what rewrites it is
      \(command)
      """
    let modules = surface.modules.map { "\n# \($0.name)\n\n" + $0.lines.joined(separator: "\n") }
    return ([head] + modules).joined(separator: "\n") + "\n"
  }

  private static func changes(from old: String, to new: String) -> [String] {
    let (old, new) = (lines(old), lines(new))
    let difference = new.difference(from: old)
    return (difference.removals + difference.insertions).map { change in
      switch change {
      case .remove(_, let line, _): "- \(line)"
      case .insert(_, let line, _): "+ \(line)"
      }
    }
  }

  private static func lines(_ text: String) -> [Substring] {
    text.split(separator: "\n", omittingEmptySubsequences: false)
  }
}
