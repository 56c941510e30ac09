public import Reactive

/// Checks something against rules, one by one.
public protocol Verification {
  /// What is checked, as reports name it.
  var name: String { get }
  /// The rules that can be checked.
  static var rules: [Rule] { get }
  /// Checks one rule; one that is not in `rules` is skipped.
  func verify(_ rule: Rule) -> Outcome
}

extension Verification {
  /// Checks all rules.
  public func verifyAll() -> VerificationReport {
    let outcomes = Self.rules.map { ($0, verify($0)) }
    return VerificationReport(subject: name, outcomes: Dictionary(uniqueKeysWithValues: outcomes))
  }

  /// Checks all rules on a thread of its own.
  ///
  /// A check waits for threads to come. One that waits on a thread of Swift's tasks keeps that thread from the tasks of
  /// the publisher, so a publisher that runs tasks is checked with this.
  public func verifyAll() async -> VerificationReport {
    await TestThread.run { verifyAll() }
  }

  /// Checks one rule on a thread of its own; one that is not in `rules` is skipped.
  ///
  /// - Parameter rule: Which one.
  /// - Returns: What it came to.
  public func verify(_ rule: Rule) async -> Outcome {
    await TestThread.run { verify(rule) }
  }
}

/// The check of one rule on a kind of verification.
struct Check<Subject> {
  let rule: Rule
  let run: (Subject, Findings) throws -> Void

  init(_ rule: Rule, _ run: @escaping (Subject, Findings) throws -> Void) {
    self.rule = rule
    self.run = run
  }
}

/// Why a rule cannot be checked here.
struct Skip: Error {
  let reason: String
}

/// Why a check is not able to tell.
struct Undecided: Error {
  let reason: String
}

/// What one check has found.
final class Findings {
  private let rule: Rule
  private let subject: String
  private let seed: UInt64
  private var own: [Violation] = []
  private var watched: [() -> [Violation]] = []

  init(_ rule: Rule, subject: String, seed: UInt64) {
    self.rule = rule
    self.subject = subject
    self.seed = seed
  }

  /// Records a broken rule unless something is true.
  func expect(_ isTrue: Bool, _ detail: @autoclosure () -> String) {
    if !isTrue { own.append(Violation(rule, detail(), subject: subject, seed: seed)) }
  }

  /// Records two things that should be equal and are not.
  func expect<T: Equatable>(_ actual: T, is expected: T, _ what: String) {
    expect(actual == expected, "\(what): \(actual), not \(expected)")
  }

  func add(_ violations: [Violation]) {
    own += violations
  }

  /// Also counts what a probe finds, up to the end of the check.
  func watch<Input, Failure>(_ probe: TestSubscriber<Input, Failure>) {
    watched.append { probe.violations }
  }

  func watch<Output, Failure>(_ source: TestPublisher<Output, Failure>) {
    watched.append { source.violations }
  }

  var violations: [Violation] {
    own + watched.flatMap { $0() }.map { Violation($0.rule, $0.detail, subject: subject, seed: seed, trace: $0.trace) }
  }

  /// Holds the thread that delivers inside a signal, lets another thread act, and lets the first one go on.
  ///
  /// - Parameters:
  ///   - probe: Whose signal it is.
  ///   - place: The signal.
  ///   - limit: How long to wait for a thread.
  ///   - deliver: Leads to the signal.
  ///   - name: What the other thread does, in words; it must not wait.
  ///   - act: What it does.
  ///   - inspect: Looks at things while the first thread is still held.
  func interleave<Input, Failure>(
    _ probe: TestSubscriber<Input, Failure>, at place: SignalSelector, within limit: Duration,
    deliver: @escaping () -> Void, name: String, act: @escaping () -> Void, inspect: () -> Void = {}
  ) throws {
    let gate = probe.park(at: place)
    let delivery = TestThread(deliver)
    try gate.waitUntilParked(atMost: limit)
    let other = TestThread(act)
    expect(other.join(atMost: limit), "\(name) waits for a delivery on another thread")
    inspect()
    gate.open()
    delivery.join()
    other.join()
  }

  /// Runs a check of a list.
  static func outcome<Subject>(
    of rule: Rule, in checks: [Check<Subject>], on subject: Subject, name: String, seed: UInt64
  ) -> Outcome {
    guard let check = checks.first(where: { $0.rule == rule }) else {
      return .skipped("there is no check of this rule")
    }
    let findings = Findings(rule, subject: name, seed: seed)
    do {
      try check.run(subject, findings)
    } catch let skip as Skip {
      return .skipped(skip.reason)
    } catch let undecided as Undecided {
      // What was found all the same is certain.
      if findings.violations.isEmpty { return .inconclusive(undecided.reason) }
    } catch {
      findings.expect(false, "\(error)")
    }
    let violations = findings.violations
    return violations.isEmpty ? .passed : .failed(violations)
  }
}
