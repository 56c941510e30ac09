import Reactive
import SymbolGraph
import Testing

@testable import ReactiveTesting

/// Every public publisher against the rules.
@Suite struct RegistryTests {
  @Test(arguments: Registry.all.rows)
  func `keeps the rules`(row: RegistryRow) throws {
    try row.report.orThrow()
  }

  /// Public publishers without a row, and why.
  private static let others = [
    "CarelessSubject": "has the faults that races are there to find",
    "DiagramStage": "is the TestPublisher of the diagram that is played",
    "TestPublisher": "is what the verifications work with, and breaks the rules when told to",
    "URLSession.DataTaskPublisher": "is tested with its module",
  ]

  @Test func `every public publisher has a row, or a reason to have none`() throws {
    let publishers = try Surface.current().publishers
    let checked = Set(Registry.all.rows.flatMap(\.types))
    #expect(publishers.count > 100, "so few cannot be all")
    #expect(publishers.subtracting(checked).subtracting(Self.others.keys).sorted() == [], "these have no row")
    #expect(Self.others.keys.filter(checked.contains) == [], "these have a row after all")
    #expect(Set(Self.others.keys).subtracting(publishers).sorted() == [], "these are gone")
  }

  @Test func `every operator has a row of its name, with the publisher that it returns`() throws {
    let surface = try Surface.current()
    let publishers = surface.publishers
    let operators = surface.operators.filter { publishers.contains($0.result) }
    #expect(operators.count > 100, "so few cannot be all")
    let unchecked = operators.filter { declaration in
      let name = declaration.title.prefix { $0 != "(" }
      return !Registry.all.rows.contains { $0.operatorName == name && $0.types.contains(declaration.result) }
    }
    #expect(unchecked.map(\.text) == [])
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
}
