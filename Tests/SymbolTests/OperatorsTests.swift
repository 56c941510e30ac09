import SymbolGraph
import Testing

@Suite struct OperatorsTests {
  @Test func `every operator is on one line, and no line has anything else`() throws {
    let operators = try Set(Surface.current().operators.map(\.title))
    let listed = try OperatorsPage.current().operators.flatMap(\.names)
    #expect(operators.count > 90, "so few cannot be all")
    #expect(operators.subtracting(listed).sorted() == [], "these are missing")
    #expect(Set(listed).subtracting(operators).sorted() == [], "these do not exist")
    #expect(listed.twice == [], "these are listed twice")
  }

  @Test func `every line has the types that its operators return`() throws {
    let operators = try Dictionary(grouping: Surface.current().operators, by: \.title)
    for line in try OperatorsPage.current().operators {
      let results = Set(line.names.flatMap { operators[$0] ?? [] }.map(\.result)).subtracting(["()"])
      #expect(line.types.sorted() == results.sorted(), "\(line.names)")
    }
  }

  @Test func `every origin is on one line, with what makes it`() throws {
    let surface = try Surface.current()
    let origins = surface.origins
    let lines = try OperatorsPage.current().origins
    let listed = lines.flatMap(\.names)
    #expect(origins.count > 15, "so few cannot be all")
    #expect(origins.subtracting(listed).sorted() == [], "these are missing")
    #expect(Set(listed).subtracting(origins).sorted() == [], "these do not exist")
    #expect(listed.twice == [], "these are listed twice")
    for line in lines {
      let makers = surface.makers.filter { line.names.contains($0.result) }.map(\.name)
      #expect(line.types.sorted() == Set(makers).sorted(), "\(line.names)")
    }
  }

  @Test func `an operator that an origin or another operator has a form of its own of is listed too`() throws {
    let surface = try Surface.current()
    let listed = try OperatorsPage.current().operators.flatMap(\.names)
    let publishers = surface.publishers
    let special = surface.modules.filter { $0.name == "Reactive" }.flatMap(\.declarations).filter {
      $0.isMethodOrProperty && publishers.contains($0.owner) && publishers.contains($0.result)
    }
    #expect(special.count > 100)
    #expect(Set(special.map(\.title)).subtracting(listed).sorted() == [])
  }

  @Test func `every line says something`() throws {
    let page = try OperatorsPage.current()
    for line in page.operators + page.origins {
      #expect(line.text.hasSuffix(".") && line.text.count > 10, "\(line.names)")
    }
  }

  @Test func `a line of the table is read as names, types and a sentence`() throws {
    let page = OperatorsPage("# Page\n\n| `a(_:)`, `b` | `C.D` | Takes `x`.|\n\n## Origins\n\n| `E` | | Gives it. |")
    #expect(page.operators.map(\.names) == [["a(_:)", "b"]] && page.operators.map(\.types) == [["C.D"]])
    #expect(page.operators.map(\.text) == ["Takes `x`."])
    #expect(page.origins.map(\.names) == [["E"]] && page.origins.map(\.types) == [[]])
  }
}

/// The tables of Docs/Operators.md.
private struct OperatorsPage {
  struct Line {
    let names: [String]
    let types: [String]
    let text: String
  }

  private(set) var operators: [Line] = []
  private(set) var origins: [Line] = []

  static func current() throws -> Self { try Self(Repository.text("Docs/Operators.md")) }

  init(_ page: String) {
    var isAboutOrigins = false
    for line in page.split(separator: "\n") {
      if line.hasPrefix("## ") { isAboutOrigins = line.hasPrefix("## Origins") }
      guard line.hasPrefix("| `") else { continue }
      let cells = line.split(separator: "|", omittingEmptySubsequences: false).dropFirst().map(String.init)
      guard cells.count > 2 else { continue }
      let text = String(cells[2].drop { $0 == " " }.reversed().drop { $0 == " " }.reversed())
      let read = Line(names: cells[0].code, types: cells[1].code, text: text)
      if isAboutOrigins { origins.append(read) } else { operators.append(read) }
    }
  }
}

extension String {
  /// What stands between backticks.
  fileprivate var code: [String] {
    matches(of: #/`([^`]+)`/#).map { String($0.1) }
  }
}

extension [String] {
  /// What is in it more than once.
  fileprivate var twice: [String] {
    Dictionary(grouping: self) { $0 }.filter { $0.value.count > 1 }.keys.sorted()
  }
}
