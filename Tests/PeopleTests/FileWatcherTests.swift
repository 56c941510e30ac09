import Dispatch
import Foundation
import Retrievers
import Synchronization
import Testing

@testable import People

@Suite struct FileWatcherTests {
  private let scratch: Scratch
  private let queue = DispatchQueue(label: "FileWatcherTests")

  init() throws {
    scratch = try Scratch()
    try scratch.write("[]")
  }

  @Test(arguments: [false, true])
  func `a file written in place is a change`(polls: Bool) async throws {
    try await expectChange(polls: polls) { try scratch.write("[1]") }
  }

  @Test(arguments: [false, true])
  func `a file moved into place is a change, again and again`(polls: Bool) async throws {
    try await expectChange(polls: polls) { try scratch.replace(with: "[1]") }
    try await expectChange(polls: polls) { try scratch.replace(with: "[1, 2]") }
  }

  @Test(arguments: [false, true])
  func `a file that is deleted, and one that comes back, is a change`(polls: Bool) async throws {
    try await expectChange(polls: polls) { try FileManager.default.removeItem(at: scratch.url("people.json")) }
    try await expectChange(polls: polls) { try scratch.write("[]") }
  }

  @Test func `other files in the directory are none of its business`() async throws {
    let watcher = try FileWatcher.watching(scratch.url("followed.json"), polls: false, on: queue)
    let changes = Changes(watcher)
    // Links are never open for writing, so each is one event and nothing comes later.
    try scratch.moveLink(to: "other.json")
    // The kernel keeps the order, so when this one has come, the other one would have.
    try scratch.moveLink(to: "followed.json")
    #expect(await changes.arrive(1))
    queue.sync {}
    #expect(changes.count == 1)
  }

  #if os(Linux)
    @Test func `a directory that does not exist cannot be watched`() {
      let problem = PeopleFile.Problem(
        file: URL(fileURLWithPath: "/no/such"), what: "cannot be watched: No such file or directory")
      #expect(throws: problem) {
        try FileWatcher.watching(URL(fileURLWithPath: "/no/such/people.json"), polls: false, on: queue)
      }
    }
  #endif

  private func expectChange(polls: Bool, when edit: () throws -> Void) async throws {
    let watcher = try FileWatcher.watching(scratch.url("people.json"), polls: polls, on: queue)
    let changes = Changes(watcher)
    try edit()
    #expect(await changes.arrive(1))
  }

  /// Counts what a watcher sends, and keeps it.
  private final class Changes: @unchecked Sendable {
    // Sendable: the count has a lock, the rest is set once.
    private let counted = Mutex(0)
    private var token: AnyCancellable?
    private let watcher: FileWatcher

    init(_ watcher: FileWatcher) {
      self.watcher = watcher
      token = watcher.changes.sink { [weak self] in self?.counted.withLock { $0 += 1 } }
    }

    var count: Int { counted.withLock { $0 } }

    func arrive(_ expected: Int) async -> Bool {
      await eventually(within: .seconds(10)) { count >= expected }
    }
  }
}
