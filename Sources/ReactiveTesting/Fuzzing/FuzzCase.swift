public import Reactive

/// One thing that a script does.
public enum FuzzStep: Hashable, Sendable, CustomStringConvertible {
  /// A source sends a value; the first source is 0, and one of an operator has the number of its place in the chain.
  case send(Int, from: Int)
  /// A source ends.
  case end(Subscribers.Completion<TestFailure>, of: Int)
  /// The subscriber requests values.
  case request(Subscribers.Demand)
  /// From now on the subscriber returns a demand from each value.
  case answer(Subscribers.Demand)
  /// The subscriber cancels.
  case cancel
  /// The subscriber cancels from inside a later value; the next one is 1.
  case cancelInside(Int)
  /// Virtual time goes on, by seconds.
  case advance(Int)

  /// The step in words.
  public var description: String {
    switch self {
    case .send(let value, from: 0): "send \(value)"
    case .send(let value, let source): "send \(value) from the source of operator \(source)"
    case .end(let completion, of: 0): "\(completion)"
    case .end(let completion, let source): "\(completion) from the source of operator \(source)"
    case .request(let demand): "request \(demand)"
    case .answer(let demand): "return \(demand) from each value"
    case .cancel: "cancel"
    case .cancelInside(let place): "cancel inside value \(place) from here"
    case .advance(let seconds): "advance by \(seconds)"
    }
  }
}

/// A chain of operators and a script for it.
struct FuzzCase {
  /// An operator with its place in the chain, which it keeps when others are taken out; the first is 1.
  typealias Link = (place: Int, kind: Int, operator: FuzzedOperator)

  var seed: UInt64
  var links: [Link]
  var steps: [FuzzStep]
  /// Whether everything is requested at the start.
  var isUnlimited: Bool
  /// Whether the sources go on after a cancel and after their end.
  var isRude: Bool
  /// Whether each operator is followed by a `strict()`, which checks the rules, and would hide what an operator keeps.
  var isWatched: Bool

  /// Makes the case of a seed.
  ///
  /// - Parameters:
  ///   - kinds: What the operators are chosen from.
  ///   - mostOperators: How many operators there may be.
  ///   - mostSteps: How many steps there may be.
  init(
    seed: UInt64, kinds: [(inout FuzzChoices) -> FuzzedOperator], mostOperators: Int, mostSteps: Int
  ) {
    var choices = FuzzChoices(seed: seed)
    self.seed = seed
    links = []
    let length = choices.number(min(1, mostOperators)...mostOperators)
    var refused = 0
    // A fuzzer may have too few operators for a longer chain.
    while links.count < length, refused < 100 {
      var changed = choices
      let kind = changed.number(0...kinds.count - 1)
      let next = kinds[kind](&changed)
      choices.generator = changed.generator
      guard changed.intervals <= 3, !Self.excludes(links, next) else {
        refused += 1
        continue
      }
      refused = 0
      choices = changed
      links.append((links.count + 1, kind, next))
    }
    isRude = choices.number(0...7) == 0
    isWatched = choices.number(0...1) == 0
    let wish = choices.number(0...2) == 0
    isUnlimited = wish || Self.needsUnlimited(links)
    // Long scripts are rarer than short ones: most streams have ended by then.
    let count = choices.number(0...choices.number(1...max(1, mostSteps)))
    steps = []
    let others = links.filter { $0.operator.traits.contains(.hasOther) }.map(\.place)
    let isTimed = links.contains { $0.operator.traits.contains(.isTimed) }
    for _ in 0..<count { steps.append(choices.step(others, isTimed: isTimed, isUnlimited: isUnlimited)) }
  }

  /// Whether there is no telling what an operator does at the end of a chain.
  private static func excludes(_ links: [Link], _ next: FuzzedOperator) -> Bool {
    // What was shared is over; and a failure that comes while one source is asked hides what the other one has.
    next.traits.contains(.resubscribes) && links.contains { $0.operator.traits.contains(.remembers) }
      || next.traits.contains(.pairs) && links.contains { $0.operator.traits.contains(.mayFail) }
  }

  /// Whether the models of a chain hold only if everything is requested.
  private static func needsUnlimited(_ links: [Link]) -> Bool {
    links.indices.contains { index in
      let (traits, following) = (links[index].operator.traits, links[(index + 1)...].map(\.operator.traits))
      return traits.contains(.mayFail)
        && (traits.losesOnFailure || following.contains { $0.losesOnFailure || $0.contains(.resubscribes) })
        || traits.contains(.isTimed) && following.contains { $0.contains(.subscribesLate) }
        || traits.keepsValues && following.contains { $0.contains(.pairs) }
    }
  }

  /// Whether an operator of the chain keeps values that are lost when a source fails.
  var losesOnFailure: Bool {
    links.contains(where: \.operator.traits.losesOnFailure)
  }

  /// Whether an end may wait for demand although every value is there: what an operator keeps may become nothing later.
  var mayKeepTheEnd: Bool {
    links.dropLast().contains(where: \.operator.traits.keepsValues)
  }

  /// Whether an operator is followed by a buffer, so that it gets all demand.
  func isBuffered(_ link: Link) -> Bool {
    guard link.operator.traits.contains(.needsUnlimited) else { return false }
    return !isUnlimited || links.contains { $0.place > link.place && $0.operator.traits.contains(.asksForFew) }
  }

  static let buffer = ".buffer(size: .max, prefetch: .byRequest, whenFull: .dropNewest)"

  /// The chain as a program would spell it.
  var chain: String {
    let operators = links.flatMap { link in
      isBuffered(link) ? [link.operator.source, Self.buffer] : [link.operator.source]
    }.flatMap { isWatched ? [$0, ".strict()"] : [$0] }
    return (["source"] + operators.map { "  " + $0 }).joined(separator: "\n")
  }

  /// What the script does.
  var script: [String] {
    (isUnlimited ? ["request unlimited"] : []) + steps.map(\.description)
  }
}

extension FuzzedOperator.Traits {
  /// Whether values are lost here, or in the buffer that follows.
  fileprivate var losesOnFailure: Bool { contains(.losesOnFailure) || contains(.needsUnlimited) }
  /// Whether values are kept here, or in the buffer that follows.
  fileprivate var keepsValues: Bool { contains(.keepsValues) || contains(.needsUnlimited) }
}

extension FuzzChoices {
  fileprivate mutating func step(_ others: [Int], isTimed: Bool, isUnlimited: Bool) -> FuzzStep {
    let source = others.isEmpty || number(0...2) > 0 ? 0 : others[number(0...others.count - 1)]
    switch number(0...99) {
    case 0...1: return .end(.finished, of: source)
    case 2...4: return .end(.failure(TestFailure("\(number(1...3))")), of: source)
    case 5: return number(0...1) == 0 ? .cancel : .cancelInside(number(1...5))
    case 6...8: return .answer(.max(number(0...2)))
    case 9...35 where isTimed: return .advance(number(0...3))
    case 36...60 where !isUnlimited: return .request(number(0...19) == 0 ? .unlimited : .max(number(1...4)))
    case 9: return .advance(1)
    default: return .send(number(-3...9), from: source)
    }
  }
}
