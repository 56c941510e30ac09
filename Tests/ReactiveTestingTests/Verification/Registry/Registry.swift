import Reactive
import SymbolGraph
import Synchronization
import Testing

@testable import ReactiveTesting

/// Everything public that publishes or subscribes, each with the verification that it has to pass.
struct Registry {
  private(set) var rows: [RegistryRow] = []

  static let all = {
    var registry = Registry()
    registry.addOrigins()
    registry.addSubjects()
    registry.addValueOperators()
    registry.addEndingOperators()
    registry.addCombiningOperators()
    registry.addTimedOperators()
    registry.addColdOperators()
    registry.addAsynchronousPublishers()
    registry.addHotPublishers()
    registry.addSubscribers()
    return registry
  }()

  /// Adds an operator, which is called what its type is called.
  ///
  /// - Parameters:
  ///   - name: What reports call it.
  ///   - traits: What it does.
  ///   - others: Types that are checked with it, apart from the type that `apply` returns.
  ///   - skipped: Rules that cannot apply to it, and why.
  ///   - apply: Applies it.
  mutating func add<P: Publisher & SendableMetatype>(
    _ name: String, _ traits: OperatorTraits = [], with others: [String] = [], skipping skipped: [Rule: String] = [:],
    _ apply: @escaping @Sendable (TestPublisher<Int, TestFailure>, TestScheduler) -> P
  ) {
    add(name, P.self, others, skipped) { OperatorVerification<Int, P>(name, traits, apply) }
  }

  /// Adds a publisher that delivers on request; `failing` is one that fails at once.
  mutating func addCold<P: Publisher & SendableMetatype>(
    _ name: String, elements: ElementLimit = .any, delivery: Delivery = .synchronous,
    skipping skipped: [Rule: String] = [:], failing: @autoclosure @escaping @Sendable () -> P? = nil,
    _ make: @escaping @Sendable (Int) -> P
  ) {
    add(name, P.self, [], skipped) {
      let verification = PublisherVerification(name, elements: elements, delivery: delivery, make)
      return failing().map { publisher in verification.failing { publisher } } ?? verification
    }
  }

  /// Adds something with a verification of any kind.
  mutating func add<V: Verification & SendableMetatype>(
    _ name: String, _ type: Any.Type, _ others: [String] = [], _ skipped: [Rule: String] = [:],
    _ make: @escaping @Sendable () -> V
  ) {
    let types = [symbolName(of: type)] + others
    rows.append(
      RegistryRow(name, "\(V.self)".prefix { $0 != "<" }.description, types) {
        let verification = make()
        let outcomes = V.rules.map { ($0, skipped[$0].map(Outcome.skipped) ?? verification.verify($0)) }
        return VerificationReport(subject: name, outcomes: Dictionary(uniqueKeysWithValues: outcomes))
      })
  }
}

/// Something public with its verification, which runs once, when its outcome is first asked for.
final class RegistryRow: Sendable, CustomTestStringConvertible {
  let name: String
  /// The name of the type of its verification.
  let verification: String
  /// The names of the types that it checks.
  let types: [String]

  private let verify: @Sendable () -> VerificationReport
  private let known = Mutex<VerificationReport?>(nil)

  init(
    _ name: String, _ verification: String, _ types: [String], _ verify: @escaping @Sendable () -> VerificationReport
  ) {
    self.name = name
    self.verification = verification
    self.types = types
    self.verify = verify
  }

  var testDescription: String { name }

  /// The operator that it checks, when it checks one: what its name begins with.
  var operatorName: Substring { name.prefix { $0 != "," && $0 != "(" } }

  var report: VerificationReport {
    known.withLock { known in
      let report = known ?? verify()
      known = report
      return report
    }
  }
}
