import Reactive
import ReactiveTesting
import Synchronization
import Testing

@Suite struct LinearizabilityRaceTests {
  /// A number that can be counted up and read.
  struct Count: Specification {
    enum Operation: Hashable, Sendable {
      case increment
      case read
    }

    private var number = 0
    private(set) var observation: [Call: Int] = [:]

    mutating func begin(_ operation: Operation, _ call: Call) -> Bool {
      if operation == .increment { number += 1 }
      observation[call] = number
      return false
    }
  }

  /// A counter whose results are what its parts make of it.
  final class Counter: Sendable {
    private let number = Atomic<Int>(0)
    private let results = Guarded<[Call: Int]>([:])
    private let increment: @Sendable (borrowing Atomic<Int>) -> Int
    private let read: @Sendable (borrowing Atomic<Int>) -> Int

    init(
      increment: @escaping @Sendable (borrowing Atomic<Int>) -> Int,
      read: @escaping @Sendable (borrowing Atomic<Int>) -> Int = { $0.load(ordering: .sequentiallyConsistent) }
    ) {
      self.increment = increment
      self.read = read
    }

    func perform(_ operation: Count.Operation, _ call: Call) {
      let result = operation == .increment ? increment(number) : read(number)
      results.update { $0[call] = result }
    }

    var observation: [Call: Int] { results.value }

    static func atomic() -> Counter {
      Counter(increment: { $0.add(1, ordering: .sequentiallyConsistent).newValue })
    }

    /// Another thread can count between its two steps, and one of the two is lost.
    static func careless() -> Counter {
      Counter(increment: { number in
        let next = number.load(ordering: .sequentiallyConsistent) + 1
        TestThread.linger()
        number.store(next, ordering: .sequentiallyConsistent)
        return next
      })
    }
  }

  func check(
    _ make: @escaping () -> Counter, _ environment: VerificationEnvironment = VerificationEnvironment()
  ) -> Linearizability<Count, Counter> {
    Linearizability(
      "Counter", .c07, environment: environment, specification: Count(), operations: [.increment, .read], make: make,
      perform: { $0.perform($1, $2) }, observe: \.observation)
  }

  @Test func `an atomic counter passes`() async throws {
    try await check(Counter.atomic).verify(twin: check(Counter.careless))
  }

  @Test func `a lost update is found, and reported with scenario and seed`() throws {
    guard case .failed(let violations) = check(Counter.careless).outcome(twin: check(Counter.careless)) else {
      Issue.record("not found")
      return
    }
    let report = try #require(violations.first)
    #expect(report.rule == .c07)
    #expect(report.seed > 0)
    #expect(report.detail.contains("increment"))
    #expect(report.detail.contains("is not among"))
  }

  // A build for ThreadSanitizer leaves the twin out.
  #if !REACTIVE_TSAN
    @Test func `a twin that is right makes the check inconclusive`() {
      var environment = VerificationEnvironment()
      environment.sensitivityRounds = 2_000
      guard case .inconclusive = check(Counter.atomic).outcome(twin: check(Counter.atomic, environment)) else {
        Issue.record("a twin without a fault was caught")
        return
      }
    }
  #endif

  /// Each read alone could have come first: only the order of calls shows that it is too old.
  @Test func `a result that comes too late is found`() {
    let stale = check {
      Counter(increment: { $0.add(1, ordering: .sequentiallyConsistent).newValue }, read: { _ in 0 })
    }
    #expect(!stale.violations().isEmpty)
  }

  @Test func `the seed of a report brings its scenario back`() throws {
    func wrong() -> Counter { Counter(increment: { _ in -1 }, read: { _ in -1 }) }
    let found = check(wrong).violations(stoppingAfter: 3)
    #expect(found.count == 3)
    for violation in found {
      var environment = VerificationEnvironment()
      environment.seed = violation.seed
      let again = try #require(check(wrong, environment).violations(stoppingAfter: 1).first)
      // Up to what was seen, which has no order.
      #expect(again.detail.prefix { $0 != ":" } == violation.detail.prefix { $0 != ":" })
    }
  }
}
