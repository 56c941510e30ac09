import Foundation

/// Measures the package, row by row, each against a limit timed in the same run.
@main
struct Benchmarks {
  static func main() {
    do {
      let isInside = try run(Options(CommandLine.arguments.dropFirst()))
      exit(isInside ? 0 : 1)
    } catch {
      standardError("Benchmarks: \(error.message)\n\(Options.usage)")
      exit(2)
    }
  }

  /// Does what the options say.
  ///
  /// - Returns: False when a guarded ratio has left its band.
  static func run(_ options: Options) throws(UsageError) -> Bool {
    if options.showsHelp {
      print(Options.usage, terminator: "")
      return true
    }
    let groups = try options.selected(from: Group.all)
    if options.listsOnly {
      for row in groups.flatMap(\.rows) { print(row.name) }
      return true
    }
    var file: JSONReport?
    if let path = options.jsonFile { file = try JSONReport(path: path) }
    warnAboutDebug()
    let measurements = measure(groups, options.isQuick ? .quick : .full)
    try file?.write(measurements)
    guard options.guardsBands else { return true }
    let complaints = measurements.compactMap(\.complaint)
    for complaint in complaints { standardError("Benchmarks: \(complaint)\n") }
    if complaints.isEmpty { print("\nguard: all \(measurements.count) ratios are inside their bands") }
    return complaints.isEmpty
  }

  private static func measure(_ groups: [Group], _ effort: Effort) -> [Measurement] {
    let showsProgress = isatty(STDERR_FILENO) != 0
    var measurements: [Measurement] = []
    print(Measurement.header)
    for group in groups {
      print("\n\(group.title)")
      for row in group.rows {
        if showsProgress { standardError("measuring \(row.name) ...\r") }
        let measurement = row.measure(effort)
        if showsProgress { standardError("\u{1B}[2K\r") }
        print(measurement.line)
        measurements.append(measurement)
      }
    }
    return measurements
  }

  /// Unoptimized figures mislead, so say so.
  private static func warnAboutDebug() {
    assert(
      {
        standardError("Benchmarks: this is a debug build; use swift run -c release Benchmarks\n")
        return true
      }())
  }

  private static func standardError(_ text: String) {
    FileHandle.standardError.write(Data(text.utf8))
  }
}
