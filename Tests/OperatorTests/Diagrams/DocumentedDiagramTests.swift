import Foundation
import ReactiveTesting
import Testing

@Suite struct DocumentedDiagramTests {
  /// Operators without a diagram, and why.
  private static let exceptions = [
    "print(_:to:)": "what it writes is in no lane",
    "breakpoint(receiveSubscription:receiveOutput:receiveCompletion:)": "it ends a program without a debugger",
    "breakpointOnError()": "it ends a program without a debugger",
  ]

  @Test(arguments: DocumentedDiagram.all)
  func `plays as the documentation comment shows`(diagram: DocumentedDiagram) {
    if let report = diagram.report() { Issue.record(Comment(rawValue: report)) }
  }

  @Test(arguments: DocumentedDiagram.all)
  func `plays the operator that it stands at`(diagram: DocumentedDiagram) throws {
    let name = diagram.signature.prefix { $0 != "(" }
    #expect(diagram.call.contains(".\(name)"), "\(diagram.place)")
    let row = try #require(diagram.row)
    #expect(row.publisher.contains("\(diagram.publisher)<"), "\(diagram.place)")
  }

  @Test(arguments: DocumentedDiagram.all)
  func `fails when one mark of its output or upstream is another one`(diagram: DocumentedDiagram) {
    let changed = diagram.changed
    #expect(!changed.isEmpty)
    for lanes in changed {
      #expect(throws: DiagramMismatch.self, "\(diagram.place)\n\(lanes)") { try diagram.row?.play(lanes) }
    }
  }

  @Test func `every operator has a diagram, or names another form of it that has one`() {
    let operators = DocumentedOperator.all
    #expect(operators.count > 100)
    for this in operators where this.diagrams.isEmpty && Self.exceptions[this.signature] == nil {
      let hasReference = operators.contains { !$0.diagrams.isEmpty && this.refers(to: $0) }
      #expect(hasReference, "\(this.place) has no diagram")
    }
  }

  @Test func `every operator whose closure may throw shows what follows`() {
    let operators = DocumentedOperator.all.filter { $0.name.hasPrefix("try") }
    #expect(operators.count == 15)
    for this in operators {
      #expect(this.diagrams.contains { $0.lanes.contains { $0.contains(/^output.*#$/) } }, "\(this.place)")
    }
  }

  @Test func `every exception is an operator without a diagram`() {
    for signature in Self.exceptions.keys {
      let operators = DocumentedOperator.all.filter { $0.signature == signature }
      #expect(operators.count == 1 && operators.allSatisfy(\.diagrams.isEmpty), "\(signature)")
    }
  }

  @Test func `every row plays a diagram, and no two are the same`() {
    for row in DiagramRow.all {
      #expect(DocumentedDiagram.all.contains { row.makes($0.call) }, "\(row.place) is in no documentation comment")
    }
    #expect(Set(DiagramRow.all.map(\.call)).count == DiagramRow.all.count)
  }

  @Test(arguments: SourceFile.all.map(\.path))
  func `no diagram stands where no test looks for it`(path: String) {
    for file in SourceFile.all where file.path == path {
      #expect(file.strayDiagrams == [], "\(path)")
    }
  }

  @Test func `the diagram that contributors are shown is the one of an operator`() throws {
    let page = try String(contentsOf: SourceFile.root.appending(path: "Docs/CONTRIBUTING.md"), encoding: .utf8)
    #expect(
      DocumentedDiagram.all.contains { page.contains("```text\n\($0.call)\n\($0.lanes.joined(separator: "\n"))\n```") })
  }

  @Test func `a report names the place and the operator, and shows both diagrams`() throws {
    let diagram = try #require(DocumentedDiagram.all.first { $0.signature == "filter(_:)" })
    let report = diagram.report(lanes: ["source  -a-b-|", "output  -a-b-|"])
    #expect(
      report == """
        Sources/Reactive/Operators/Filtering.swift:\(diagram.line), filter(_:)
        source.filter { $0 != "b" }
        The diagram was played differently.
        expected
          source  -a-b-|
          output  -a-b-|
        played
          source  -a-b-|
          output  -a---|
        """)
  }

  @Test func `a diagram that no row plays is reported`() {
    let file = SourceFile(
      path: "New.swift",
      text: """
        extension Publisher {
          /// Says something else.
          ///
          /// ```text
          /// source.unheard()
          /// source  -a
          /// output  -b
          /// ```
          @inlinable
          public func unheard<T>(of value: @escaping (T, [Int]) -> T = { $0 }, _ other: T) -> Publishers.Unheard<Self>
          {
        }
        """)
    let diagrams = file.operators.flatMap(\.diagrams)
    #expect(diagrams.map(\.line) == [5])
    #expect(diagrams.map(\.signature) == ["unheard(of:_:)"])
    #expect(diagrams.map(\.publisher) == ["Publishers.Unheard"])
    #expect(diagrams.map(\.lanes) == [["source  -a", "output  -b"]])
    #expect(
      diagrams.map { $0.report() } == [
        "New.swift:5, unheard(of:_:)\nsource.unheard()\nNo row of Tests/OperatorTests makes this publisher."
      ])
    #expect(file.strayDiagrams == [])
  }

  @Test(arguments: [
    (text: "/// ```text\n/// source.first()\n/// output  -a\n/// ```", lines: [1, 3, 4]),
    (text: "///     source  -a\n///     output  -a", lines: [1, 2]),
    (text: "/// The source is what it comes from.\n/// The output of it, and upstream.", lines: []),
  ])
  func `a diagram outside an operator's comment is noticed`(text: String, lines: [Int]) {
    #expect(SourceFile(path: "", text: text).strayDiagrams == lines)
  }
}

extension DocumentedDiagram {
  /// What makes the publisher that it shows.
  var row: DiagramRow? { DiagramRow.all.first { $0.makes(call) } }

  /// What is wrong when it is played.
  ///
  /// - Parameter lanes: What to play, if not its own lanes.
  func report(lanes: [String]? = nil) -> String? {
    do {
      guard let row else { return "\(place)\n\(call)\nNo row of Tests/OperatorTests makes this publisher." }
      try row.play((lanes ?? self.lanes).joined(separator: "\n"))
      return nil
    } catch {
      return "\(place)\n\(call)\n\(error)"
    }
  }

  /// Its lanes with one mark changed that is compared, in every way there is a place for it.
  var changed: [String] {
    lanes.indices.flatMap { index -> [String] in
      guard let marks = lanes[index].firstMatch(of: /^(?:output|upstream\d*(?: \w)?)(?= )(.*)/)?.1 else { return [] }
      return marks.indices.compactMap { position in
        guard let other = Self.other(lanes[index][position]) else { return nil }
        var changed = lanes
        changed[index].replaceSubrange(position...position, with: String(other))
        return changed.joined(separator: "\n")
      }
    }
  }

  /// A mark of the same kind.
  private static func other(_ mark: Character) -> Character? {
    switch mark {
    case "|": "#"
    case "#": "|"
    case "*", "!": "1"
    case "1"..."9": "*"
    case _ where mark.isLetter: mark == "k" ? "l" : "k"
    default: nil
    }
  }
}
