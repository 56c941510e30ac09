import Foundation
import SymbolGraph
import Testing

@Suite struct SymbolTests {
  @Test func `every public declaration has a documentation comment of its own`() throws {
    for module in try Surface.current().modules {
      let silent = module.declarations.filter { !$0.isDocumented }
      #expect(silent.map(\.text) == [], "\(module.name)")
    }
  }

  @Test(arguments: [("Reactive", 1000), ("ReactiveFoundation", 80), ("ReactiveTesting", 150), ("Retrievers", 10)])
  func `declarations of every module are found`(module: String, count: Int) throws {
    let found = try Surface.current().modules.first { $0.name == module }
    #expect(found?.declarations.count ?? 0 > count)
  }

  @Test func `a declaration is one line with its full name, and with what its extension demands`() throws {
    let lines = try Surface.current().modules.flatMap(\.lines)
    for line in [
      "func Publisher.filter(_ isIncluded: @escaping (Self.Output) -> Bool) -> Publishers.Filter<Self>",
      "func Publisher.removeDuplicates() -> Publishers.RemoveDuplicates<Self> where Self.Output: Equatable",
      "Publishers.Drop.init(upstream: Upstream, count: Int)",
      "extension Just: Equatable where Output: Equatable",
      "extension DispatchQueue: Scheduler",
    ] {
      #expect(lines.filter { $0 == line }.count == 1, "\(line)")
    }
    #expect(lines.allSatisfy { !$0.contains("\n") && !$0.contains("/") && !$0.contains("s:8Reactive") })
  }

  @Test func `what the compiler adds by itself is left out`() throws {
    let names = try Set(Surface.current().modules.flatMap(\.declarations).map(\.name))
    #expect(names.contains("Violation.Rule") && !names.contains("Violation.Rule.init(rawValue:)"))
  }

  @Test func `lines that depend on the platform are found`() {
    let lines = ConditionalLines(
      """
      a
      #if canImport(Combine)
        b
        #if DEBUG
          c
        #endif
      #else
        d
      #endif
      #if DEBUG
        e
      #elseif os(Linux)
        f
      #endif
      g
      """)
    #expect((0..<15).filter(lines.contains) == [2, 4, 7, 12])
  }

  @Test func `generic arguments are no part of a name`() {
    #expect("Optional<Output>.Publisher".withoutGenericArguments == "Optional.Publisher")
    #expect("Publishers.Map<Just<(Int) -> Int>, String>".withoutGenericArguments == "Publishers.Map")
    #expect("(Int) -> Bool".withoutGenericArguments == "(Int) -> Bool")
  }

  @Test func `a type is called here what it is called there`() {
    #expect(symbolName(of: Surface.Module.self) == "Surface.Module")
    #expect(symbolName(of: [Surface.Module].self) == "Array")
  }
}
