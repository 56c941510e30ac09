import Foundation

/// The example that runs by itself: four edits by another process, and what they lead to.
@MainActor
struct Demo {
  let options: Options
  let show: (String) -> Void
  var edits = Edit.all
  var deadline = Duration.seconds(4)

  /// Runs on a copy of a file, in a directory of its own.
  ///
  /// - Parameter original: The file that comes with the example.
  /// - Returns: Whether everything happened as it should.
  func run(on original: URL) async throws -> Bool {
    let directory = FileManager.default.temporaryDirectory.appending(path: "People-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: directory) }
    let file = PeopleFile(url: directory.appending(path: "people.json"))
    try FileManager.default.copyItem(at: original, to: file.url)

    let log = FetchLog(show: show)
    let watcher = try FileWatcher.watching(file.url, polls: options.polls, on: .main)
    var repository: PeopleRepository? = PeopleRepository(
      read: file.read, log: log.add, report: { [show] in show("  ! \($0)") })
    repository?.follow(watcher.changes)
    show("Two models subscribe to \(file.url.path)")
    guard let screen = repository.map({ Screen($0, filter: options.filter, show: show) }) else { return false }

    var people = try file.read()
    for edit in edits {
      show("Another process \(edit.title)")
      let (updates, averages) = (log.updates, screen.timesAveragesShown)
      guard await edit.perform(on: file.url) else {
        show("  ! /bin/sh failed")
        return false
      }
      people = (try? file.read()) ?? people
      let agree = { screen.shows(people, filter: options.filter) }
      // The system may tell of one save twice, so what counts is what the models show in the end.
      guard await eventually(within: deadline, { log.updates > updates && agree() }) else {
        show(log.updates > updates ? "  ! the models differ from the file" : "  ! no update within \(deadline)")
        return false
      }
      guard (screen.timesAveragesShown > averages) == edit.changesAverages else {
        show("  ! the averages should \(edit.changesAverages ? "have changed" : "be silent")")
        return false
      }
      if !edit.changesAverages { show("  the averages are the same, so their model is silent") }
    }

    repository = nil
    guard await eventually(within: deadline, { screen.isFinished }) else {
      show("  ! the streams should end with the repository")
      return false
    }
    show("The repository goes, and both streams end")
    let agrees = screen.shows(people, filter: options.filter)
    show("\(log.summary), models agree: \(agrees)")
    return agrees
  }
}
