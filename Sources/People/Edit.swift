import Foundation

/// What another process does to the file.
struct Edit {
  let title: String
  /// What `/bin/sh` runs.
  ///
  /// `$1` stands for the file. Each script writes a new file and moves it into place, as editors do.
  let script: String
  /// Whether an average must change; the model must be silent otherwise.
  let changesAverages: Bool

  static let all = [
    Edit(
      title: "adds a person",
      script: #"""
        { sed '$d' "$1" | sed '$s/$/,/'
          printf '  {"name": "Ananda Newcomer", "age": 20, "city": "Lisbon", "phone": "+1 202 555 0199"}\n]\n'
        } > "$1.new" && mv "$1.new" "$1"
        """#,
      changesAverages: true),
    Edit(
      title: "changes a phone number",
      script: #"sed 's/+1 202 555 0199/+1 202 555 0100/' "$1" > "$1.new" && mv "$1.new" "$1""#,
      changesAverages: false),
    Edit(
      title: "spoils the file",
      script: #"cp "$1" "$1.good" && head -c 1000 "$1" > "$1.new" && mv "$1.new" "$1""#,
      changesAverages: false),
    Edit(
      title: "repairs it, and the newcomer has had a birthday",
      script: #"sed '/Ananda Newcomer/s/"age": 20/"age": 21/' "$1.good" > "$1.new" && mv "$1.new" "$1""#,
      changesAverages: true),
  ]

  /// Runs the script.
  ///
  /// - Returns: Whether it succeeded.
  func perform(on file: URL) async -> Bool {
    await withCheckedContinuation { continuation in
      let process = Process()
      process.executableURL = URL(fileURLWithPath: "/bin/sh")
      process.arguments = ["-c", script, "sh", file.path]
      process.terminationHandler = { continuation.resume(returning: $0.terminationStatus == 0) }
      do {
        try process.run()
      } catch {
        continuation.resume(returning: false)
      }
    }
  }
}
