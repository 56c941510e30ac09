import Foundation
import Reactive
import Testing

@testable import ReactiveTesting

/// Every public publisher against the rules.
@Suite struct RegistryTests {
  @Test(arguments: Registry.all.rows)
  func `keeps the rules`(row: RegistryRow) throws {
    try row.report.orThrow()
  }

  /// Public types beside the publishers that are none.
  private static let others: Set = ["Recording"]

  @Test func `every public publisher has a row`() throws {
    let checked = Set(Registry.all.rows.flatMap(\.types))
    let declared = try Set(["Operators", "Origins", "Subjects"].flatMap(Self.types))
    #expect(declared.count > 80, "so few types cannot be all")
    #expect(declared.subtracting(checked).subtracting(Self.others).sorted() == [])
    #expect(Self.others.subtracting(declared).sorted() == [], "these are gone")
  }

  @Test func `no two rows have the same name`() {
    let names = Registry.all.rows.map(\.name)
    #expect(Set(names).count == names.count)
  }

  @Test func `says what it has come to in one line`() {
    let summary = Matrix(Registry.all.rows).summary
    print(summary)
    #expect(summary.hasSuffix(" 0 failed"))
  }

  /// The names of the public structures and classes in a directory of the library.
  private static func types(in directory: String) throws -> [String] {
    let root = (1...4).reduce(URL(filePath: #filePath)) { url, _ in url.deletingLastPathComponent() }
    let path = root.appending(path: "Sources/Reactive/\(directory)")
    let files = try FileManager.default.contentsOfDirectory(at: path, includingPropertiesForKeys: nil)
    return try files.flatMap { file in
      try String(contentsOf: file, encoding: .utf8).matches(of: #/public (?:final )?(?:struct|class) (\w+)/#)
        .map { String($0.1) }
    }
  }
}
