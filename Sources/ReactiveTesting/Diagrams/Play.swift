public import Reactive

/// Plays a diagram through an operator and compares what comes out.
///
///     source    -a--b--z--c-|
///     demand    *
///     output    -a--b--|
///     upstream  *------!
///
/// Each line is a lane: a name, then one character for each tick. A tick is a second of the stage's scheduler.
///
/// - `source` is played: a letter is a value, `|` the normal end, `#` a failure with `TestFailure`. `source2`, `source3`
///   and so on are further sources, `inner a` an inner publisher; all are on the same time, from the same start.
/// - `every 3` is played too: a source without an end that begins anew after three ticks, until the longest of the other
///   lanes is over.
/// - `demand` is played: `1` to `9` and `*` are requests, `*` for unlimited, `!` cancels. Without this lane everything
///   is requested at the start.
/// - `output` is compared: what the subscriber gets.
/// - `upstream` is compared: the requests and cancels that reach `source`; so are `upstream2` and `upstream a`.
/// - `-` is a tick without an event. What is in parentheses, as `(ab|)`, falls into one tick. Blanks take no time; they
///   align the lanes. Silence at the end of a lane need not be written.
/// - `x = [a, b]` on a line of its own says what the letter `x` stands for in `output`: a value that is described so.
///
/// Lanes that are not there are not compared. In one tick, `demand` comes first, then the sources in the order of the
/// text, then timers. The time runs on for ten ticks after the last mark, in which nothing more may come. Whoever
/// breaks a rule of the protocol meanwhile, fails the diagram too.
///
/// - Parameters:
///   - text: The diagram.
///   - operation: Makes the publisher under test out of the stage, which is the publisher of `source`.
/// - Throws: `MalformedDiagram`, `DiagramMismatch`, or what `operation` throws.
public func play<P: Publisher>(_ text: String, _ operation: (DiagramStage<String>) throws -> P) throws {
  try DiagramPlayer(Diagram(text)) { String($0) }.run(operation)
}

/// Plays a diagram with values of any type through an operator and compares what comes out.
///
/// The diagram is as in `play(_:_:)`. A letter in `output` stands for a value with the same description as the value
/// that the letter is given here, unless a line of the diagram says something else; a letter without a value stands for
/// itself.
///
/// - Parameters:
///   - text: The diagram.
///   - values: The values of the letters; each letter of a source needs one.
///   - operation: Makes the publisher under test out of the stage, which is the publisher of `source`.
/// - Throws: `MalformedDiagram`, `MissingValue`, `DiagramMismatch`, or what `operation` throws.
public func play<Value, P: Publisher>(
  _ text: String, values: [Character: Value], _ operation: (DiagramStage<Value>) throws -> P
) throws {
  try DiagramPlayer(Diagram(text)) { values[$0] }.run(operation)
}

/// What was played is not what the diagram shows.
public struct DiagramMismatch: Error, Hashable, Sendable, CustomStringConvertible {
  /// The diagram as it should have been.
  public let expected: String
  /// The diagram as it was played.
  public let played: String
  /// What the played diagram cannot show, and the rules that were broken.
  public let notes: [String]

  /// Both diagrams and the notes.
  public var description: String {
    let remarks = notes.isEmpty ? "" : "\nnotes\n" + notes.map { "  " + $0 }.joined(separator: "\n")
    return "The diagram was played differently.\nexpected\n\(expected)\nplayed\n\(played)\(remarks)"
  }
}

/// A letter of a source has no value.
public struct MissingValue: Error, Hashable, Sendable, CustomStringConvertible {
  /// The letter.
  public let letter: Character
  /// The lane it stands in.
  public let lane: String

  /// The letter and the lane.
  public var description: String { "The letter `\(letter)` in the lane `\(lane)` was given no value" }
}

/// One performance of a diagram.
private final class DiagramPlayer<Value> {
  private let diagram: Diagram
  private let value: (Character) -> Value?
  private let stage: DiagramStage<Value>
  private let letters: [(letter: Character, text: String)]
  private var output: Diagram.Ticks = []
  private var notes: [String] = []

  init(_ diagram: Diagram, value: @escaping (Character) -> Value?) {
    self.diagram = diagram
    self.value = value
    stage = DiagramStage(diagram)
    // Letters of the output come first: two may stand for values of one description.
    let marks = [diagram[.output] ?? []].joined().joined() + diagram.lanes.flatMap { $0.ticks.joined() }
    letters = marks.compactMap { mark in
      guard case .value(let letter) = mark else { return nil }
      return (letter, diagram.legend[letter] ?? value(letter).map { String(describing: $0) } ?? String(letter))
    }
  }

  func run<P: Publisher>(_ operation: (DiagramStage<Value>) throws -> P) throws {
    let subscriber = TestSubscriber<P.Output, P.Failure> { [unowned self] signal in
      switch signal {
      case .subscription: break
      case .value(let value): output.add(mark(of: value), at: stage.tick)
      case .completion(.finished): output.add(.finished, at: stage.tick)
      case .completion(.failure): output.add(.failed, at: stage.tick)
      }
      return .proceed
    }
    // What is scheduled first comes first in its tick; the operator's own timers come later than all of this.
    stage.schedule(diagram[.demand] ?? [[.demand(.unlimited)]]) { mark in
      switch mark {
      case .demand(let demand): subscriber.request(demand)
      case .cancel: subscriber.cancel()
      default: break
      }
    }
    try scheduleSources()
    try operation(stage).subscribe(subscriber)
    stage.scheduler.advance(to: .init(.seconds(diagram.length + 10)))
    defer { subscriber.cancel() }
    try compare(violations: subscriber.violations + stage.publishers.values.flatMap(\.violations))
  }

  private func scheduleSources() throws {
    for (lane, ticks) in diagram.lanes {
      guard let publisher = stage.publishers[lane] else { continue }
      for case .value(let letter) in ticks.joined() where value(letter) == nil {
        throw MissingValue(letter: letter, lane: lane.description)
      }
      let ticks = lane.period.map { ticks.repeated(every: $0, until: diagram.length) } ?? ticks
      stage.schedule(ticks) { [value] mark in
        switch mark {
        case .value(let letter): if let value = value(letter) { publisher.send(value) }
        case .finished: publisher.send(completion: .finished)
        case .failed: publisher.send(completion: .failure(TestFailure()))
        case .demand, .cancel, .other: break
        }
      }
    }
  }

  private func mark(of value: Any) -> Diagram.Mark {
    let text = String(describing: value)
    if let known = letters.first(where: { $0.text == text }) { return .value(known.letter) }
    if text.count == 1, let letter = text.first, let mark = Diagram.Mark(letter, in: .output), mark != .finished,
      mark != .failed, !letters.contains(where: { $0.letter == letter })
    {
      return mark
    }
    notes.append("tick \(stage.tick): ? is \(text)")
    return .other
  }

  private func compare(violations: [Violation]) throws {
    let played = diagram.lanes.map { lane, ticks in
      switch lane {
      case .source, .inner, .every, .demand: (lane: lane, ticks: ticks)
      case .output: (lane: lane, ticks: output)
      case .upstream, .innerUpstream: (lane: lane, ticks: stage.upstreams[lane] ?? [])
      }
    }
    let isSame = zip(diagram.lanes, played).allSatisfy { $0.ticks.trimmed == $1.ticks.trimmed }
    let missing = stage.missing.map { "the operator asked for a lane `\($0)`, which is not there" }
    guard !isSame || !violations.isEmpty || !missing.isEmpty else { return }
    let width = DiagramWriter.columns(of: diagram.lanes.map(\.ticks) + played.map(\.ticks))
    throw DiagramMismatch(
      expected: DiagramWriter.text(of: diagram.lanes, columns: width),
      played: DiagramWriter.text(of: played, columns: width),
      notes: notes + missing + violations.map(\.description))
  }
}

/// Writes lanes so that equal ticks stand in one column.
private enum DiagramWriter {
  /// How wide each tick has to be.
  static func columns(of lanes: [Diagram.Ticks]) -> [Int] {
    (0..<(lanes.map(\.count).max() ?? 0)).map { tick in
      lanes.map { tick < $0.count ? text(of: $0[tick]).count : 1 }.max() ?? 1
    }
  }

  static func text(of lanes: [(lane: Diagram.Lane, ticks: Diagram.Ticks)], columns: [Int]) -> String {
    let width = (lanes.map { $0.lane.description.count }.max() ?? 0) + 2
    return lanes.map { lane, ticks in
      let timeline = zip(ticks, columns).map { padded(text(of: $0), to: $1) }.joined()
      return "  " + (padded(lane.description, to: width) + timeline).trimmingSpaces
    }.joined(separator: "\n")
  }

  private static func text(of marks: [Diagram.Mark]) -> String {
    let symbols = String(marks.map(\.symbol))
    return switch marks.count {
    case 0: "-"
    case 1: symbols
    default: "(" + symbols + ")"
    }
  }

  private static func padded(_ text: String, to width: Int) -> String {
    text + String(repeating: " ", count: max(0, width - text.count))
  }
}
