import Foundation
import Testing

@Suite struct SnippetTests {
  @Test(arguments: Page.all)
  func `every Swift block stands word for word in a test`(page: Page) {
    for block in page.blocks where block.language == "swift" {
      #expect(Page.tests.contains { $0.contains(block) }, "\(page.name):\(block.line) stands in no test")
    }
  }

  @Test(arguments: Page.all)
  func `every other block says that it is text or for the shell`(page: Page) {
    for block in page.blocks {
      #expect(["swift", "sh", "text"].contains(block.language), "\(page.name):\(block.line)")
    }
  }

  @Test func `pages and blocks are found`() {
    #expect(Page.all.map(\.name).contains("README.md") && Page.all.count >= 11)
    #expect(Page.all.flatMap(\.blocks).filter { $0.language == "swift" }.count >= 20)
  }

  @Test(arguments: Page.all)
  func `every link to a file leads to one`(page: Page) {
    for target in page.links {
      let url = page.url.deletingLastPathComponent().appending(path: target)
      #expect(FileManager.default.fileExists(atPath: url.path), "\(page.name) links to \(target)")
    }
  }

  @Test func `a block that differs in one character is not found`() throws {
    let page = Page(name: "page", url: URL(fileURLWithPath: "/page"), lines: ["```swift", "let a = 1", "```"])
    let block = try #require(page.blocks.first)
    #expect(["  let a = 1", "  let b = 2"].contains(block))
    #expect(!["  let a = 2"].contains(block))
    #expect(!["  let a = 1 "].contains(block))
  }
}

/// A page of documentation.
struct Page: CustomTestStringConvertible, Sendable {
  let name: String
  let url: URL
  let lines: [String]

  var testDescription: String { name }

  /// Fenced lines.
  struct Block {
    let language: String
    let line: Int
    var text: [String] = []
  }

  var blocks: [Block] {
    var blocks: [Block] = []
    var isInside = false
    for (index, line) in lines.enumerated() {
      if line.hasPrefix("```") {
        isInside.toggle()
        if isInside { blocks.append(Block(language: String(line.dropFirst(3)), line: index + 1)) }
      } else if isInside {
        blocks[blocks.count - 1].text.append(line)
      }
    }
    return blocks
  }

  /// The files that the page links to.
  var links: [String] {
    lines.flatMap { line in
      line.matches(of: /\]\(([^)#]+)[^)]*\)/).map { String($0.1) }.filter { !$0.contains("://") }
    }
  }

  private static let root = URL(fileURLWithPath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

  /// README.md and everything in Docs.
  static let all: [Page] =
    ([root.appending(path: "README.md")] + files(in: "Docs", withExtension: "md")).map { url in
      Page(name: url.lastPathComponent, url: url, lines: lines(of: url))
    }

  /// The lines of each test file.
  static let tests: [[String]] = files(in: "Tests", withExtension: "swift").map(lines)

  private static func files(in directory: String, withExtension suffix: String) -> [URL] {
    let urls = FileManager.default.enumerator(at: root.appending(path: directory), includingPropertiesForKeys: nil)
    return (urls?.compactMap { $0 as? URL } ?? []).filter { $0.pathExtension == suffix }
  }

  private static func lines(of url: URL) -> [String] {
    let text = (try? String(contentsOf: url, encoding: .utf8)) ?? ""
    return text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
  }
}

extension [String] {
  /// Whether the lines of a block follow each other here, all indented alike.
  func contains(_ block: Page.Block) -> Bool {
    guard let first = block.text.first else { return true }
    return indices.contains { start in
      guard self[start].hasSuffix(first), start + block.text.count <= count else { return false }
      let indentation = self[start].dropLast(first.count)
      guard indentation.allSatisfy({ $0 == " " }) else { return false }
      return zip(self[start...], block.text).allSatisfy { line, expected in
        line == (expected.isEmpty ? "" : indentation + expected)
      }
    }
  }
}
