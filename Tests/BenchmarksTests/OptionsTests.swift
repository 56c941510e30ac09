import Testing

@testable import Benchmarks

@Suite struct OptionsTests {
  @Test func `every option is read`() throws {
    let options = try Options(["--quick", "--filter", "fan", "--json", "out.json", "--guard", "--list", "--help"])
    #expect(options.isQuick && options.guardsBands && options.listsOnly && options.showsHelp)
    #expect(options.filter == "fan")
    #expect(options.jsonFile == "out.json")
  }

  @Test(arguments: [["--fast"], ["quick"], ["--quick", "-h"]])
  func `an unknown option is an error that names it`(arguments: [String]) throws {
    let error = #expect(throws: UsageError.self) { try Options(arguments) }
    #expect(error?.message == "unknown option: \(arguments[arguments.count - 1])")
  }

  @Test(arguments: [["--filter"], ["--json"], ["--filter", "--quick"], ["--json", ""]])
  func `an option without its argument is an error that names it`(arguments: [String]) throws {
    let error = #expect(throws: UsageError.self) { try Options(arguments) }
    #expect(error?.message == "\(arguments[0]) needs an argument")
  }

  @Test func `a filter keeps the rows that contain its text in any case`() throws {
    let groups = try Options(["--filter", "SUBJECT to 100"]).selected(from: Group.all)
    let names = groups.flatMap(\.rows).map(\.name)
    #expect(names.contains("fan-out / PassthroughSubject to 100"))
    #expect(names.allSatisfy { $0.contains("Subject to 100") })
  }

  @Test func `a filter that fits nothing is an error`() throws {
    let options = try Options(["--filter", "no such row"])
    let error = #expect(throws: UsageError.self) { try options.selected(from: Group.all) }
    #expect(error?.message == "no row contains: no such row")
  }

  @Test func `a file that cannot be written is an error before anything is measured`() throws {
    let error = #expect(throws: UsageError.self) { try JSONReport(path: "/no/such/directory/out.json") }
    #expect(error?.message == "cannot write /no/such/directory/out.json: No such file or directory")
  }
}
