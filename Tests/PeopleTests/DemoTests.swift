import Foundation
import Testing

@testable import People

@MainActor @Suite struct DemoTests {
  @Test(arguments: [false, true])
  func `both models follow every edit, and the summary says so`(polls: Bool) async throws {
    var options = Options()
    options.polls = polls
    var lines: [String] = []
    let demo = Demo(options: options, show: { lines.append($0) }, deadline: .seconds(20))
    #expect(try await demo.run(on: #require(People.bundledFile)))
    // How often exactly depends on what else this process does with files; CommandLineTests has the count.
    let summary = try #require(
      lines.last?.firstMatch(of: /^fetches: 2 subscriptions \+ (\d+) updates, models agree: true$/))
    #expect(try #require(Int(summary.1)) >= 4)
    #expect(lines.filter { $0.hasSuffix("not a list of people: the JSON is broken") }.count == 1)
  }

  @Test func `an edit that does not arrive fails at the deadline`() async throws {
    let nothing = Edit(title: "does nothing", script: ":", changesAverages: true)
    let (succeeds, lines) = try await run(nothing)
    #expect(!succeeds)
    #expect(lines.last == "  ! no update within 0.2 seconds")
  }

  @Test func `averages that should have changed and did not are a failure`() async throws {
    let touch = Edit(title: "writes the same", script: #"cp "$1" "$1.new" && mv "$1.new" "$1""#, changesAverages: true)
    let (succeeds, lines) = try await run(touch)
    #expect(!succeeds)
    #expect(lines.last == "  ! the averages should have changed")
  }

  @Test func `a script that fails is a failure`() async throws {
    let (succeeds, lines) = try await run(Edit(title: "fails", script: "exit 3", changesAverages: true))
    #expect(!succeeds)
    #expect(lines.last == "  ! /bin/sh failed")
  }

  private func run(_ edit: Edit) async throws -> (Bool, [String]) {
    var lines: [String] = []
    let deadline: Duration = edit.script == ":" ? .seconds(0.2) : .seconds(20)
    let demo = Demo(options: Options(), show: { lines.append($0) }, edits: [edit], deadline: deadline)
    let succeeds = try await demo.run(on: #require(People.bundledFile))
    return (succeeds, lines)
  }
}
