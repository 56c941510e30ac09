internal import Reactive

/// A parsed diagram: what happens in each lane at each tick.
struct Diagram {
  /// The lanes there are.
  enum Lane: Hashable {
    /// The values of a source; the first one is 1.
    case source(Int)
    /// The values of an inner publisher.
    case inner(Character)
    /// The values of a source that begins anew after a number of ticks.
    case every(Int)
    /// What the subscriber asks for.
    case demand
    /// What the subscriber gets.
    case output
    /// What a source is asked for.
    case upstream(Int)
    /// What an inner publisher is asked for.
    case innerUpstream(Character)
  }

  /// Something in a lane.
  enum Mark: Hashable {
    case value(Character)
    case finished
    case failed
    case demand(Subscribers.Demand)
    case cancel
    /// Something that was played and that the syntax cannot say.
    case other
  }

  /// What happens in a lane, tick after tick.
  typealias Ticks = [[Mark]]

  /// The lanes in the order of the text.
  private(set) var lanes: [(lane: Lane, ticks: Ticks)] = []
  /// What letters stand for, as far as the text says.
  private(set) var legend: [Character: String] = [:]

  init(_ text: String) throws(MalformedDiagram) {
    for (index, line) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
      var reader = LineReader(line: line, number: index + 1)
      guard let content = try reader.read() else { continue }
      switch content {
      case .meaning(let letter, let text):
        legend[letter] = text
      case .lane(let lane, let ticks):
        guard self[lane] == nil else { throw reader.malformed(at: 0, "there are two lanes named `\(lane)`") }
        lanes.append((lane, ticks))
      }
    }
    guard lanes.contains(where: { $0.lane.isCompared }) else {
      throw MalformedDiagram(
        line: 1, column: 1, problem: "there is no lane to compare: no output, no upstream", text: text)
    }
  }

  subscript(lane: Lane) -> Ticks? { lanes.first { $0.lane == lane }?.ticks }

  var length: Int { lanes.map(\.ticks.count).max() ?? 0 }
}

extension Diagram.Ticks {
  /// Adds a mark to a tick.
  mutating func add(_ mark: Diagram.Mark, at tick: Int) {
    while count <= tick { append([]) }
    self[tick].append(mark)
  }

  /// The ticks again and again.
  func repeated(every period: Int, until end: Int) -> Self {
    (0..<end).map { tick in tick % period < count ? self[tick % period] : [] }
  }

  /// The ticks without the silence at the end.
  var trimmed: Self { Array(prefix((lastIndex { !$0.isEmpty } ?? -1) + 1)) }
}

extension Diagram.Lane: CustomStringConvertible {
  /// The lane of what this lane's publisher is asked for; nil for a lane without a publisher.
  var upstream: Diagram.Lane? {
    switch self {
    case .source(let number): .upstream(number)
    case .inner(let letter): .innerUpstream(letter)
    default: nil
    }
  }

  var isCompared: Bool {
    switch self {
    case .output, .upstream, .innerUpstream: true
    case .source, .inner, .every, .demand: false
    }
  }

  /// After how many ticks it begins anew; nil for a lane that does not.
  var period: Int? {
    if case .every(let period) = self { period } else { nil }
  }

  /// Whether it is the values of a publisher that the stage offers.
  var isPublisher: Bool {
    switch self {
    case .source, .inner, .every: true
    case .output, .upstream, .innerUpstream, .demand: false
    }
  }

  var description: String {
    switch self {
    case .source(let number): number == 1 ? "source" : "source\(number)"
    case .inner(let letter): "inner \(letter)"
    case .every(let period): "every \(period)"
    case .demand: "demand"
    case .output: "output"
    case .upstream(let number): number == 1 ? "upstream" : "upstream\(number)"
    case .innerUpstream(let letter): "upstream \(letter)"
    }
  }

  init?(_ words: [Substring]) {
    switch words {
    case ["demand"]: self = .demand
    case ["output"]: self = .output
    default:
      if words.count > 1, words[0] == "every", let period = Int(words[1]), period > 0 {
        self = .every(period)
        return
      }
      guard let first = words.first, let (name, number) = Self.numbered(first) else { return nil }
      switch (name, words.dropFirst().first?.first) {
      case ("source", nil): self = .source(number)
      case ("upstream", nil): self = .upstream(number)
      case ("upstream", let letter?): self = .innerUpstream(letter)
      case ("inner", let letter?): self = .inner(letter)
      default: return nil
      }
    }
  }

  private static func numbered(_ word: Substring) -> (name: Substring, number: Int)? {
    let name = word.prefix { $0.isLetter }
    let digits = word.dropFirst(name.count)
    if digits.isEmpty { return (name, 1) }
    return Int(digits).flatMap { $0 > 1 ? (name, $0) : nil }
  }
}

extension Diagram.Mark {
  /// What the mark looks like.
  var symbol: Character {
    switch self {
    case .value(let letter): letter
    case .finished: "|"
    case .failed: "#"
    case .cancel: "!"
    case .demand(let demand):
      switch demand.max {
      case nil: "*"
      case .some(let count) where 1...9 ~= count: Character(String(count))
      case .some: "?"
      }
    case .other: "?"
    }
  }

  /// The mark that a character is in a lane; nil for none.
  init?(_ character: Character, in lane: Diagram.Lane) {
    let speaksOfDemand =
      switch lane {
      case .demand, .upstream, .innerUpstream: true
      case .source, .inner, .every, .output: false
      }
    // A source that begins anew has no end.
    if case .every = lane, character == "|" || character == "#" { return nil }
    switch (character, speaksOfDemand) {
    case ("!", true): self = .cancel
    case ("*", true): self = .demand(.unlimited)
    case ("1"..."9", true): self = .demand(.max(character.wholeNumberValue ?? 0))
    case ("|", false): self = .finished
    case ("#", false): self = .failed
    case ("a"..."z", false), ("A"..."Z", false): self = .value(character)
    default: return nil
    }
  }
}

/// The text of a diagram that cannot be read: where, and why.
public struct MalformedDiagram: Error, Hashable, Sendable, CustomStringConvertible {
  /// The line: the first is 1.
  public let line: Int
  /// The column in that line: the first is 1.
  public let column: Int
  /// What is wrong there.
  public let problem: String
  /// The line itself.
  public let text: String

  /// The place, the problem, and the line with a mark under the column.
  public var description: String {
    let mark = String(repeating: " ", count: column - 1) + "^"
    return "The diagram is malformed in line \(line), column \(column): \(problem)\n\(text)\n\(mark)"
  }
}

/// Reads one line of a diagram.
private struct LineReader {
  enum Content {
    case lane(Diagram.Lane, Diagram.Ticks)
    case meaning(Character, String)
  }

  let line: Substring
  let number: Int
  private let characters: [Character]

  init(line: Substring, number: Int) {
    self.line = line
    self.number = number
    characters = Array(line)
  }

  func malformed(at index: Int, _ problem: String) -> MalformedDiagram {
    MalformedDiagram(line: number, column: index + 1, problem: problem, text: String(line))
  }

  mutating func read() throws(MalformedDiagram) -> Content? {
    guard let start = characters.firstIndex(where: { $0 != " " }) else { return nil }
    var words = wordEnds(from: start)
    // `inner a`, `upstream a` and `every 3` have a name of two words; a letter alone can also be the whole timeline of
    // a lane such as `output a`, so only these names take it.
    let first = String(characters[start..<words[0]])
    if words.count > 1, first.count == 1, characters[start].isLetter, word(words, 1) == "=" {
      let text = String(characters[words[1]...])
      return .meaning(characters[start], text.trimmingSpaces)
    }
    if first == "every", words.count < 2 || Int(word(words, 1)).map({ $0 < 1 }) ?? true {
      let place = words.count < 2 ? words[0] : words[1] - word(words, 1).count
      throw malformed(at: place, "`every` needs a number of ticks, as in `every 3`")
    }
    let takesLetter = first == "inner" || first == "upstream"
    let isLetter = words.count > 1 && word(words, 1).count == 1 && characters[words[1] - 1].isLetter
    let isTwoWords = first == "every" || takesLetter && isLetter
    words = Array(words.prefix(isTwoWords ? 2 : 1))
    guard let lane = Diagram.Lane(words.indices.map { $0 == 0 ? Substring(first) : Substring(word(words, $0)) }) else {
      throw malformed(at: start, "there is no lane named `\(first)`")
    }
    return .lane(lane, try ticks(of: lane, from: words[words.count - 1]))
  }

  /// Where the words of the line end.
  private func wordEnds(from start: Int) -> [Int] {
    characters.indices.filter { index in
      index >= start && characters[index] != " " && (index + 1 == characters.count || characters[index + 1] == " ")
    }.map { $0 + 1 }
  }

  private func word(_ ends: [Int], _ index: Int) -> String {
    let start = characters[..<ends[index]].lastIndex(of: " ").map { $0 + 1 } ?? 0
    return String(characters[start..<ends[index]])
  }

  private func ticks(of lane: Diagram.Lane, from start: Int) throws(MalformedDiagram) -> Diagram.Ticks {
    var ticks: Diagram.Ticks = []
    var group: (start: Int, marks: [Diagram.Mark])?
    var hasEnded = false
    for index in start..<characters.count {
      if group == nil, characters[index] != " ", ticks.count == lane.period {
        throw malformed(at: index, "no more than \(ticks.count) ticks fit into `\(lane)`")
      }
      switch characters[index] {
      case " ": break
      case "-":
        if group != nil { throw malformed(at: index, "a tick inside a group") }
        ticks.append([])
      case "(":
        if group != nil { throw malformed(at: index, "a group inside a group") }
        group = (index, [])
      case ")":
        guard let closed = group else { throw malformed(at: index, "no group is open") }
        if closed.marks.isEmpty { throw malformed(at: index, "the group is empty") }
        ticks.append(closed.marks)
        group = nil
      case let character:
        guard let mark = Diagram.Mark(character, in: lane) else {
          throw malformed(at: index, "`\(character)` has no meaning in the lane `\(lane)`")
        }
        if hasEnded { throw malformed(at: index, "nothing can follow the end of `\(lane)`") }
        hasEnded = lane == .output && (mark == .finished || mark == .failed)
        if group == nil { ticks.append([mark]) } else { group?.marks.append(mark) }
      }
    }
    if let group { throw malformed(at: group.start, "the group is not closed") }
    return ticks
  }
}

extension String {
  /// The text without blanks at both ends.
  var trimmingSpaces: String {
    let start = drop { $0 == " " }
    return String(start.reversed().drop { $0 == " " }.reversed())
  }
}
