import Dispatch
import Foundation

/// Follows a file of the user's until the user interrupts it.
@MainActor
struct Watch {
  let options: Options
  let show: (String) -> Void
  var untilInterrupted: @MainActor () async -> Void = Watch.interrupt

  /// Runs until SIGINT or SIGTERM.
  func run(on path: String) async throws(PeopleFile.Problem) {
    let file = PeopleFile(url: URL(fileURLWithPath: path))
    let log = FetchLog(show: show)
    let watcher = try FileWatcher.watching(file.url, polls: options.polls, on: .main)
    show("Watching \(file.url.path); edit and save it, or interrupt to end")
    let repository = PeopleRepository(read: file.read, log: log.add, report: { [show] in show("  ! \($0)") })
    repository.follow(watcher.changes)
    let screen = Screen(repository, filter: options.filter, show: show)
    await untilInterrupted()
    withExtendedLifetime((repository, watcher, screen)) { show(log.summary) }
  }

  private static func interrupt() async {
    let (interrupts, continuation) = AsyncStream.makeStream(of: Void.self)
    let sources = [SIGINT, SIGTERM].map { number in
      signal(number, SIG_IGN)
      let source = DispatchSource.makeSignalSource(signal: number, queue: .main)
      source.setEventHandler { continuation.yield() }
      source.activate()
      return source
    }
    for await _ in interrupts { break }
    for source in sources { source.cancel() }
  }
}
