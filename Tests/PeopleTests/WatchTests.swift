import Foundation
import Testing

@testable import People

@MainActor @Suite struct WatchTests {
  @Test func `a file is followed from before it exists, and a problem is said once`() async throws {
    let scratch = try Scratch()
    let path = scratch.url("people.json").path
    var lines: [String] = []
    var watch = Watch(options: Options(), show: { lines.append($0) })
    watch.untilInterrupted = {
      try? scratch.replace(with: #"[{"name": "Ana", "age": 30, "city": "Cork", "phone": "1"}]"#)
      #expect(await eventually(within: .seconds(20)) { lines.contains("  average age in 1 cities: Cork 30.0") })
      try? scratch.replace(with: "[")
      #expect(await eventually(within: .seconds(20)) { lines.contains { $0.hasSuffix("the JSON is broken") } })
    }
    try await watch.run(on: path)
    #expect(lines.filter { $0.hasPrefix("  !") }.count == 2)
    #expect(lines.contains("  ! \(path): there is no such file"))
    #expect(lines.contains("  1 names with \"an\": Ana"))
    #expect(lines.last?.hasPrefix("fetches: 2 subscriptions + ") == true)
  }
}
