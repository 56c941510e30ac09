import Foundation

/// Asks the compiler for the public symbols of a module that has been built with these tests.
enum Extraction {
  struct Failure: Error, CustomStringConvertible {
    let description: String
  }

  static func graph(of module: String) throws -> Graph {
    let output = FileManager.default.temporaryDirectory.appending(path: "symbols-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: output, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: output) }
    try swift(
      "symbolgraph-extract", "-module-name", module, "-I", modules().path, "-minimum-access-level", "public",
      "-skip-synthesized-members", "-skip-inherited-docs", "-output-dir", output.path)
    // One file for the module, and one for each module that it extends.
    let files = try FileManager.default.contentsOfDirectory(at: output, includingPropertiesForKeys: nil)
    let graphs = try files.map { try JSONDecoder().decode(Graph.self, from: Data(contentsOf: $0)) }
    return Graph(symbols: graphs.flatMap(\.symbols), relationships: graphs.flatMap(\.relationships))
  }

  /// Where the build has put the modules: near these tests, whatever the configuration and the scratch path.
  private static func modules() throws -> URL {
    let bundle = Bundle.allBundles.first { $0.bundlePath.hasSuffix(".xctest") }
    var directory = (bundle?.bundleURL ?? URL(fileURLWithPath: CommandLine.arguments[0])).standardizedFileURL
    while directory.pathComponents.count > 1 {
      directory.deleteLastPathComponent()
      for place in [directory.appending(path: "Modules"), directory] {
        let module = place.appending(path: "Reactive.swiftmodule")
        if FileManager.default.fileExists(atPath: module.path) { return place }
      }
    }
    throw Failure(description: "there is no Reactive.swiftmodule near \(CommandLine.arguments[0])")
  }

  private static func swift(_ arguments: String...) throws {
    let process = Process()
    #if os(macOS)
      process.executableURL = URL(fileURLWithPath: "/usr/bin/xcrun")
    #else
      process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    #endif
    process.arguments = ["swift"] + arguments
    let output = Pipe()
    process.standardOutput = output
    process.standardError = output
    try process.run()
    let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    process.waitUntilExit()
    guard process.terminationStatus == 0 else {
      throw Failure(description: "swift \(arguments.joined(separator: " ")) failed:\n\(text)")
    }
  }
}
