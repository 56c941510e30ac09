import Foundation

extension Measurement {
  /// The columns of a line, after the name.
  static let header =
    "row".padded(to: 64) + "per operation".leftPadded(to: 26) + "limit".leftPadded(to: 10)
    + "ratio".leftPadded(to: 9) + "target".leftPadded(to: 9)

  /// The line of the report.
  var line: String {
    let spread = unit == "bytes" ? "" : " (\(work.low.figure)-\(work.high.figure))"
    let target = Band.all[name].map { $0.target.figure } ?? "-"
    return name.padded(to: 64)
      + "\(work.median.figure) \(unit)\(spread)".leftPadded(to: 26)
      + limit.median.figure.leftPadded(to: 10)
      + ratio.median.figure.leftPadded(to: 9) + target.leftPadded(to: 9)
  }

  /// What `--guard` has to say about it; nil when the ratio is inside its band.
  var complaint: String? {
    guard let band = Band.all[name] else { return "\(name): has no band" }
    // What disturbs a sample does not disturb three quarters of them, and a lost specialisation is in all.
    guard ratio.low > band.end else { return nil }
    return "\(name): \(ratio.low.figure) times the limit, the band ends at \(band.end.figure)"
  }
}

extension Double {
  /// Three significant digits or the whole part.
  var figure: String {
    String(format: self < 10 ? "%.2f" : self < 100 ? "%.1f" : "%.0f", self)
  }
}

extension String {
  fileprivate func padded(to width: Int) -> String {
    self + String(repeating: " ", count: max(1, width - count))
  }

  fileprivate func leftPadded(to width: Int) -> String {
    String(repeating: " ", count: max(1, width - count)) + self
  }
}

/// The file that `--json` writes.
struct JSONReport {
  let path: String

  /// Opens the file at once, so that a bad path is known before anything is measured.
  init(path: String) throws(UsageError) {
    guard let file = fopen(path, "a") else {
      throw UsageError(message: "cannot write \(path): \(String(cString: strerror(errno)))")
    }
    fclose(file)
    self.path = path
  }

  func write(_ measurements: [Measurement]) throws(UsageError) {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys]
    do {
      try encoder.encode(measurements).write(to: URL(fileURLWithPath: path))
    } catch {
      throw UsageError(message: "cannot write \(path): \(error.localizedDescription)")
    }
  }
}
