public import Reactive

/// The rules between publishers and subscribers.
public typealias Rule = Violation.Rule

/// What checking one rule came to.
public enum Outcome: Hashable, Sendable {
  /// The rule was kept.
  case passed
  /// The rule was broken, or another one on the way.
  case failed([Violation])
  /// The rule was not checked, and why.
  case skipped(String)
  /// The check said nothing, and why: it did not see faults that are certainly there.
  case inconclusive(String)

  /// Throws what was found.
  ///
  /// - Throws: `VerificationFailure` when the rule was broken or the check said nothing.
  public func orThrow() throws {
    switch self {
    case .passed, .skipped: break
    case .failed(let violations): throw VerificationFailure(reasons: violations.firstFew(\.description))
    case .inconclusive(let reason): throw VerificationFailure(reasons: ["inconclusive: \(reason)"])
    }
  }
}

/// What checking all rules of something came to.
public struct VerificationReport: Sendable, CustomStringConvertible {
  /// What was checked.
  public let subject: String
  /// What each rule came to.
  public let outcomes: [Rule: Outcome]

  /// All that was broken.
  public var violations: [Violation] {
    sorted.flatMap { _, outcome -> [Violation] in
      if case .failed(let violations) = outcome { violations } else { [] }
    }
  }

  /// Throws what was found.
  ///
  /// - Throws: `VerificationFailure` when a rule was broken or a check said nothing.
  public func orThrow() throws {
    let reasons = sorted.flatMap { rule, outcome -> [String] in
      switch outcome {
      case .passed, .skipped: []
      case .failed(let violations): violations.firstFew(\.description)
      case .inconclusive(let reason): ["\(subject): rule \(rule.rawValue) inconclusive: \(reason)"]
      }
    }
    if !reasons.isEmpty { throw VerificationFailure(reasons: reasons) }
  }

  private var sorted: [(Rule, Outcome)] {
    Rule.allCases.compactMap { rule in outcomes[rule].map { (rule, $0) } }
  }

  /// One line for each rule.
  public var description: String {
    let lines = sorted.map { rule, outcome -> String in
      switch outcome {
      case .passed: "  \(rule.rawValue) passed"
      case .skipped(let reason): "  \(rule.rawValue) skipped: \(reason)"
      case .inconclusive(let reason): "  \(rule.rawValue) inconclusive: \(reason)"
      case .failed(let violations):
        "  \(rule.rawValue) failed: \(violations.firstFew(\.detail).joined(separator: "; "))"
      }
    }
    return ([subject] + lines).joined(separator: "\n")
  }
}

extension [Violation] {
  /// The texts of the first three, and how many more there are: one fault shows in many signals.
  func firstFew(_ text: (Violation) -> String) -> [String] {
    prefix(3).map(text) + (count > 3 ? ["and \(count - 3) more"] : [])
  }
}

/// A verification that did not pass.
public struct VerificationFailure: Error, Hashable, Sendable, CustomStringConvertible {
  /// What was broken, the first three violations of each check, or why a check said nothing.
  public let reasons: [String]

  /// All reasons.
  public var description: String { reasons.joined(separator: "\n") }
}

/// How thoroughly, and with what patience, to verify.
public struct VerificationEnvironment: Sendable {
  /// How long to wait for a thread that has to come.
  public var signalTimeout = Duration.seconds(10)
  /// How long to look for what an asynchronous publisher must not send.
  public var quietPeriod = Duration.milliseconds(20)
  /// How long a race may take to show that it sees faults, before its check counts as inconclusive.
  public var sensitivityTimeout = Duration.seconds(180)
  /// How many rounds a race may take to show that it sees faults.
  public var sensitivityRounds = 1_000_000
  /// How long the threads of one batch of rounds may take before they count as waiting for each other.
  public var partyTimeout = Duration.seconds(120)
  /// How many times to run two threads against each other, for each skew.
  public var rounds = 2000
  /// By how many turns of a loop one thread may start later than the other: each number is tried.
  public var skews = [0, 64, 512]
  /// Decides all random choices.
  public var seed: UInt64 = 1
  /// The stack in bytes on which recursion is checked.
  public var stackSize = 512 * 1024
  /// How many values recursion is checked with.
  public var recursionElements = 10_000

  /// The usual environment.
  public init() {}

  /// The usual environment, changed by the variables `REACTIVE_RACE_ROUNDS`, `REACTIVE_TCK_SEED` and
  /// `REACTIVE_TCK_ELEMENTS`.
  public static var current: VerificationEnvironment {
    var environment = VerificationEnvironment()
    if let rounds = number("REACTIVE_RACE_ROUNDS") { environment.rounds = rounds }
    if let seed = number("REACTIVE_TCK_SEED") { environment.seed = UInt64(clamping: seed) }
    if let elements = number("REACTIVE_TCK_ELEMENTS") { environment.recursionElements = elements }
    return environment
  }

  private static func number(_ name: String) -> Int? {
    environmentVariable(name).flatMap { Int($0) }
  }
}
