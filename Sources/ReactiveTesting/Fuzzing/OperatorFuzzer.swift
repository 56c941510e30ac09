/// Puts operators together at random, plays random scripts, and compares what comes with models.
///
/// Each seed gives a chain of operators and a script that sends, ends, requests, returns demand, cancels and moves
/// virtual time. After every step it has to be so that:
///
/// - the values so far are the first ones of what the models say, none before its moment;
/// - all that have come are delivered, unless all demand is used up;
/// - the end is there when all values are, and only then, and is the one of the models; without demand it may be later
///   if an operator before the last one `keepsValues`;
/// - while something is owed, some source is being asked or some work is planned;
/// - no rule is broken, between the operators neither;
/// - after the end, and after a cancel, no value, closure or subscriber is alive, though the subscription still is.
///
/// Half of the chains have a `strict()` after each operator; an eighth of the sources ignore cancels and their own ends.
///
/// In a script without unlimited demand, an operator that `needsUnlimited` is followed by a `buffer`, and everything is
/// requested before a source fails if an operator would lose what waits.
///
///     var fuzzer = OperatorFuzzer()
///     fuzzer.add(
///       FuzzedOperator(".doubled()", model: .each { [2 * $0] }) { upstream, _ in upstream.doubled() })
///     if let failure = fuzzer.firstFailure(in: 0..<1000) { print(failure) }
public struct OperatorFuzzer {
  /// How many operators a chain has at most.
  public var mostOperators = 8
  /// How many steps a script has at most, before everything is requested and the sources end.
  public var mostSteps = 200

  private var kinds: [(inout FuzzChoices) -> FuzzedOperator] = []

  /// Makes a fuzzer without operators.
  public init() {}

  /// Adds an operator; with several, chains mix them.
  ///
  /// - Parameter fuzzed: The operator.
  public mutating func add(_ fuzzed: FuzzedOperator) {
    kinds.append { _ in fuzzed }
  }

  /// Adds an operator with parameters, which are chosen anew for each place in a chain.
  ///
  /// - Parameter make: Makes the operator; what is random in it must come from the choices.
  public mutating func add(_ make: @escaping (inout FuzzChoices) -> FuzzedOperator) {
    kinds.append(make)
  }

  /// The operators of the chain that a seed gives.
  ///
  /// - Parameter seed: The seed.
  public func chain(seed: UInt64) -> [String] {
    kinds.isEmpty ? [] : makeCase(seed).links.map(\.operator.source)
  }

  /// How many operators were added.
  var kindCount: Int { kinds.count }

  /// The same with one of the operators alone.
  func only(_ kind: Int) -> OperatorFuzzer {
    var copy = self
    copy.kinds = [kinds[kind]]
    return copy
  }

  /// Which of the added operators the chain of a seed has.
  func kinds(seed: UInt64) -> [Int] {
    makeCase(seed).links.map(\.kind)
  }

  /// Runs one seed; without operators nothing is run.
  ///
  /// - Parameter seed: The seed.
  /// - Returns: What is wrong, with as few operators and steps as show it; nil when nothing is.
  public func failure(seed: UInt64) -> FuzzFailure? {
    guard !kinds.isEmpty else { return nil }
    let fuzzCase = makeCase(seed)
    guard FuzzRun(fuzzCase).difference() != nil else { return nil }
    let smallest = shrunk(fuzzCase)
    return FuzzRun(smallest).difference().map { FuzzFailure(smallest, $0) }
  }

  /// Runs one seed after the other.
  ///
  /// - Parameter seeds: The seeds.
  /// - Returns: What is wrong with the first seed that fails; nil when none does.
  public func firstFailure<S: Sequence>(in seeds: S) -> FuzzFailure? where S.Element == UInt64 {
    for seed in seeds {
      if let failure = failure(seed: seed) { return failure }
    }
    return nil
  }

  /// The seeds to run: the one in the variable `REACTIVE_FUZZ_SEED`, or as many as `REACTIVE_FUZZ_SEEDS` says.
  ///
  /// - Parameter count: How many without these variables.
  public static func seeds(_ count: Int) -> Range<UInt64> {
    if let seed = environmentVariable("REACTIVE_FUZZ_SEED").flatMap({ UInt64($0) }), seed < .max {
      return seed..<seed + 1
    }
    let wanted = environmentVariable("REACTIVE_FUZZ_SEEDS").flatMap { Int($0) }
    return 0..<UInt64(max(wanted ?? count, 0))
  }

  private func makeCase(_ seed: UInt64) -> FuzzCase {
    FuzzCase(seed: seed, kinds: kinds, mostOperators: mostOperators, mostSteps: mostSteps)
  }

  private func shrunk(_ fuzzCase: FuzzCase) -> FuzzCase {
    func fails(_ change: (inout FuzzCase) -> Void, of fuzzCase: FuzzCase) -> Bool {
      var changed = fuzzCase
      change(&changed)
      return FuzzRun(changed).difference() != nil
    }
    var smallest = fuzzCase
    var size = Int.max
    while smallest.links.count + smallest.steps.count < size {
      size = smallest.links.count + smallest.steps.count
      // The longer the script, the fewer operators it needs.
      let longer = smallest
      smallest.links = Shrinking.smallest(longer.links) { links in fails({ $0.links = links }, of: longer) }
      let before = smallest
      smallest.steps = Shrinking.smallest(before.steps) { steps in fails({ $0.steps = steps }, of: before) }
    }
    for trait in [\FuzzCase.isRude, \.isWatched] {
      if smallest[keyPath: trait], fails({ $0[keyPath: trait] = false }, of: smallest) {
        smallest[keyPath: trait] = false
      }
    }
    return smallest
  }
}

/// What a fuzzer has found, made as small as it can be.
public struct FuzzFailure: Error, Hashable, Sendable, CustomStringConvertible {
  /// The seed that led to it.
  public let seed: UInt64
  /// The operators that it takes.
  public let operators: [String]
  /// The steps that it takes; afterwards everything is requested, time goes on, and the sources end.
  public let steps: [FuzzStep]
  /// What was to be.
  public let expected: String
  /// What was.
  public let got: String
  /// The chain and the script in words.
  private let story: String

  init(_ fuzzCase: FuzzCase, _ difference: FuzzDifference) {
    seed = fuzzCase.seed
    operators = fuzzCase.links.map(\.operator.source)
    steps = fuzzCase.steps
    expected = difference.expected
    got = difference.got
    let script = fuzzCase.script.map { "\n  " + $0 }.joined()
    story =
      "\(fuzzCase.chain)\nscript\(fuzzCase.isRude ? ", with sources that ignore cancels and go on after their end" : ""):"
      + (script.isEmpty ? "\n  nothing, then the end" : script)
  }

  /// The seed, the chain, the script, and what was expected and came instead.
  public var description: String {
    "seed \(seed) (REACTIVE_FUZZ_SEED=\(seed) runs it again):\n\(story)\nexpected: \(expected)\ngot:      \(got)"
  }
}
