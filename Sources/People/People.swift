import Foundation

/// The example: a directory of people in a file, one repository, two view models.
@main
struct People {
  @MainActor
  static func main() async {
    do {
      exit(try await run(Options(CommandLine.arguments.dropFirst())) ? 0 : 1)
    } catch let mistake as Options.Mistake {
      write("People: \(mistake.message)\n\(Options.usage)", to: .standardError)
      exit(2)
    } catch {
      write("People: \(error)\n", to: .standardError)
      exit(1)
    }
  }

  /// The file of people that comes with the example.
  static var bundledFile: URL? { Bundle.module.url(forResource: "people", withExtension: "json") }

  @MainActor
  private static func run(_ options: Options) async throws -> Bool {
    let show = { (line: String) in write(line + "\n", to: .standardOutput) }
    if options.showsHelp {
      write(Options.usage, to: .standardOutput)
      return true
    }
    if let path = options.watchedFile {
      try await Watch(options: options, show: show).run(on: path)
      return true
    }
    guard let bundledFile else {
      write("People: the bundled people.json is missing\n", to: .standardError)
      return false
    }
    return try await Demo(options: options, show: show).run(on: bundledFile)
  }

  private static func write(_ text: String, to handle: FileHandle) {
    handle.write(Data(text.utf8))
  }
}
