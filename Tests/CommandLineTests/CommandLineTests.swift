import Foundation
import Testing

@Suite struct CommandLineTests {
  @Test(arguments: [
    ("People", ["--fast"], "People: unknown option: --fast"),
    ("People", ["--watch"], "People: --watch needs an argument"),
    ("Benchmarks", ["--fast"], "Benchmarks: unknown option: --fast"),
    ("Benchmarks", ["--json"], "Benchmarks: --json needs an argument"),
    ("Benchmarks", ["--filter", "nothing like it"], "Benchmarks: no row contains: nothing like it"),
  ])
  func `a mistake and the usage go to standard error, and the exit code is 2`(
    program: String, arguments: [String], message: String
  ) throws {
    let run = try Run(program, arguments)
    #expect(run.code == 2 && run.output.isEmpty)
    #expect(run.errors.hasPrefix("\(message)\nusage: \(program) "))
  }

  @Test func `a file that cannot be written is an error before anything is measured`() throws {
    let run = try Run("Benchmarks", ["--quick", "--json", "/no/such/directory/out.json"])
    #expect(run.code == 2 && run.output.isEmpty)
    #expect(run.errors.hasPrefix("Benchmarks: cannot write /no/such/directory/out.json: No such file or directory\n"))
  }

  @Test(arguments: ["People", "Benchmarks"])
  func `help goes to standard output`(program: String) throws {
    let run = try Run(program, ["--help"])
    #expect(run.code == 0 && run.errors.isEmpty)
    #expect(run.output.hasPrefix("usage: \(program) "))
  }

  @Test func `rows are listed one a line`() throws {
    let run = try Run("Benchmarks", ["--list", "--filter", "PassthroughSubject to 100"])
    let names = ["", "0", "00"].map { "fan-out / PassthroughSubject to 100\($0)\n" }
    #expect(run.code == 0 && run.output == names.joined())
  }

  @Test func `figures are written as JSON, and progress only to a terminal`() throws {
    let file = FileManager.default.temporaryDirectory.appending(path: "Benchmarks-\(UUID().uuidString).json")
    defer { try? FileManager.default.removeItem(at: file) }
    let run = try Run("Benchmarks", ["--quick", "--filter", "PassthroughSubject to 1000", "--json", file.path])
    #expect(run.code == 0 && !run.errors.contains("measuring"))
    let rows = try JSONSerialization.jsonObject(with: Data(contentsOf: file)) as? [[String: Any]]
    let names = rows?.compactMap { $0["name"] as? String }
    #expect(names == ["fan-out / PassthroughSubject to 1000", "fan-out / PassthroughSubject to 10000"])
    #expect(rows?.first?["ratio"] is [String: Any])
  }

  @Test func `a directory that does not exist is one line and the exit code 1`() throws {
    let run = try Run("People", ["--watch", "/no/such/people.json"])
    #expect(run.code == 1)
    #expect(run.errors == "People: /no/such: cannot be watched: No such file or directory\n")
  }

  @Test func `the example exits with 0 after its summary`() throws {
    let run = try Run("People", [])
    #expect(run.code == 0 && run.errors.isEmpty)
    #expect(run.output.hasSuffix("\nfetches: 2 subscriptions + 4 updates, models agree: true\n"))
  }
}

/// A finished run of a program of the package.
private struct Run {
  let code: Int32
  let output: String
  let errors: String

  init(_ program: String, _ arguments: [String]) throws {
    let process = Process()
    let (output, errors) = (Pipe(), Pipe())
    process.executableURL = Self.products.appending(path: program)
    process.arguments = arguments
    process.standardOutput = output
    process.standardError = errors
    try process.run()
    // What is written to standard error fits into its pipe.
    self.output = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    self.errors = String(decoding: errors.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    process.waitUntilExit()
    code = process.terminationStatus
  }

  /// Where the build puts the programs: next to the tests.
  private static var products: URL {
    let bundle = Bundle.allBundles.first { $0.bundlePath.hasSuffix(".xctest") }
    return (bundle?.bundleURL ?? URL(fileURLWithPath: CommandLine.arguments[0])).deletingLastPathComponent()
  }
}
