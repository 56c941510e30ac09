public import Reactive
internal import Synchronization

/// Lets threads use an object at once, in random ways, and insists on results that its specification allows.
///
/// A scenario is a short list of operations for each thread. All orders of their steps are played on the specification, a
/// pure value; what is seen of the object afterwards must be what one of them leads to. An order counts only if it
/// respects what was over before an operation was called, so that a result that comes too late is found as well. As with
/// a race, silence means something only after the same check has caught something faulty.
///
///     func check(_ make: @escaping () -> Counter) -> Linearizability<Count, Counter> {
///       Linearizability(
///         "Counter", .c07, specification: Count(), operations: [.increment, .read], make: make,
///         perform: { counter, operation, call in counter.perform(operation, call) }, observe: { $0.observation })
///     }
///     try check { Counter() }.verify(twin: check { CarelessCounter() })
public struct Linearizability<Model: Specification, Object> {
  let name: String
  let rule: Rule
  let environment: VerificationEnvironment
  let model: Model
  let operations: [Model.Operation]
  let threads: Int
  let length: Int
  let make: () -> Object
  let perform: (Object, Model.Operation, Call) -> Void
  let observe: (Object) -> Model.Observation

  /// Prepares a check.
  ///
  /// - Parameters:
  ///   - name: What reports call the object.
  ///   - rule: The rule that is broken by a result that is not allowed.
  ///   - environment: How many rounds, with which skews and which seed; a scenario takes 256 rounds.
  ///   - specification: The object as it is made, as a value.
  ///   - operations: What scenarios are made of: each is as likely as the others; name one twice to see it more often.
  ///   - threads: How many threads, at least two; more than there are cores find less.
  ///   - length: How many operations each thread does.
  ///   - make: Makes the object.
  ///   - perform: Does an operation, and keeps what it returned where `observe` finds it.
  ///   - observe: Tells what can be seen when all threads are done.
  public init(
    _ name: String, _ rule: Rule, environment: VerificationEnvironment = .current, specification: Model,
    operations: [Model.Operation], threads: Int = 2, length: Int = 3, make: @escaping () -> Object,
    perform: @escaping (Object, Model.Operation, Call) -> Void, observe: @escaping (Object) -> Model.Observation
  ) {
    precondition(!operations.isEmpty && threads > 1 && length > 0, "a scenario needs operations and two threads")
    self.name = name
    self.rule = rule
    self.environment = environment
    self.model = specification
    self.operations = operations
    self.threads = threads
    self.length = length
    self.make = make
    self.perform = perform
    self.observe = observe
  }

  /// Catches the twin, then checks the object.
  ///
  /// - Parameter twin: The same check of something that breaks the specification.
  /// - Throws: `VerificationFailure` when a result was not allowed, or when nothing was found in the twin.
  public func verify<Twin>(twin: Linearizability<Model, Twin>) throws {
    try outcome(twin: twin).orThrow()
  }

  /// Catches the twin, then checks the object, on a thread of its own: the task that calls blocks nobody.
  ///
  /// - Parameter twin: The same check of something that breaks the specification.
  /// - Throws: `VerificationFailure` when a result was not allowed, or when nothing was found in the twin.
  public func verify<Twin>(twin: Linearizability<Model, Twin>) async throws {
    try await TestThread.run { outcome(twin: twin) }.orThrow()
  }

  /// Catches the twin, then checks the object.
  ///
  /// - Parameter twin: The same check of something that breaks the specification.
  /// - Returns: Failed with the first results that were not allowed, or inconclusive when nothing was found in the twin.
  public func outcome<Twin>(twin: Linearizability<Model, Twin>) -> Outcome {
    Arena.outcome(
      unnoticed: "no result of the twin of \(name) was wrong", isCaught: { twin.isCaught() },
      violations: { runAll(stoppingAfter: 4) })
  }

  /// Checks the object without a proof that a fault would have been seen.
  ///
  /// - Parameter limit: After how many violations to stop.
  /// - Returns: The results that were not allowed, each with its scenario, skew and seed.
  public func violations(stoppingAfter limit: Int = 4) -> [Violation] {
    Arena.alone { runAll(stoppingAfter: limit) }
  }

  private func runAll(stoppingAfter limit: Int) -> [Violation] {
    var found: [Violation] = []
    let scenarios = max(1, environment.rounds / Self.roundsPerScenario)
    for skew in environment.skews {
      for index in 0..<scenarios where found.count < limit {
        found += run(seed: environment.seed &+ UInt64(index), skew: skew).prefix(limit - found.count)
      }
    }
    return found
  }

  private func isCaught() -> Bool {
    Arena.isCaught(environment, batchesOf: Self.roundsPerScenario) { index, skew in
      !run(seed: environment.seed &+ UInt64(index), skew: skew).isEmpty
    }
  }

  private static var roundsPerScenario: Int { 256 }

  /// Plays one scenario many times.
  private func run(seed: UInt64, skew: Int) -> [Violation] {
    var generator = SeededGenerator(seed: seed)
    let scenario = (0..<threads).map { _ in
      (0..<length).map { _ in operations[Int.random(in: 0..<operations.count, using: &generator)] }
    }
    let trials = (0..<Self.roundsPerScenario).map { _ in Trial(make(), threads: threads) }
    let parties = scenario.enumerated().map { thread, operations in
      { (trial: Trial<Object>, pace: inout Pace) in
        for (number, operation) in operations.enumerated() {
          if number > 0 { pace.pause() }
          trial.begin(thread)
          perform(trial.object, operation, Call(thread: thread, number: number))
          trial.end(thread)
        }
      }
    }
    func violation(_ rule: Rule, _ detail: String) -> Violation {
      let program = scenario.map { "[\($0.map { "\($0)" }.joined(separator: ", "))]" }.joined(separator: " beside ")
      return Violation(rule, "\(program) with a skew of \(skew): \(detail)", subject: name, seed: seed)
    }
    let batch = Batch(trials, skew: skew, seed: seed)
    // The trials of those that are stuck are theirs.
    guard batch.run(atMost: environment.partyTimeout, parties) else {
      return [violation(.c08, "the threads wait for each other")]
    }
    defer { batch.letGo() }
    var verdicts = Verdicts(model, scenario)
    for trial in trials {
      let observation = observe(trial.object)
      if let allowed = verdicts.contradiction(of: observation, in: trial.precedence) {
        // One is as good as the others.
        return [violation(rule, "\(observation) is not among the \(allowed) results that are allowed")]
      }
    }
    return []
  }
}

/// An object that threads use, and what each thread knew to be over when its calls began.
private final class Trial<Object>: Cancellable, @unchecked Sendable {
  // Sendable: each thread writes its own part; others read only its counter, which is atomic.
  private final class Progress: Sendable {
    let finished = Atomic<Int>(0)
    nonisolated(unsafe) var past: [[Int]] = []
  }

  let object: Object
  private let progress: [Progress]

  init(_ object: Object, threads: Int) {
    self.object = object
    progress = (0..<threads).map { _ in Progress() }
  }

  func cancel() {
    (object as? any Cancellable)?.cancel()
  }

  func begin(_ thread: Int) {
    progress[thread].past.append(progress.map { $0.finished.load(ordering: .acquiring) })
  }

  func end(_ thread: Int) {
    progress[thread].finished.wrappingAdd(1, ordering: .releasing)
  }

  var precedence: [Call: [Int]] {
    var precedence: [Call: [Int]] = [:]
    for (thread, progress) in progress.enumerated() {
      for (number, past) in progress.past.enumerated() { precedence[Call(thread: thread, number: number)] = past }
    }
    return precedence
  }
}

/// What a specification allows in one scenario, worked out as it is asked for.
private struct Verdicts<Model: Specification> {
  private let model: Model
  private let scenario: [[Model.Operation]]
  private var allowed: [Exploration<Model>.Precedence: Set<Model.Observation>] = [:]

  init(_ model: Model, _ scenario: [[Model.Operation]]) {
    self.model = model
    self.scenario = scenario
  }

  /// Looks for an order that leads to an observation.
  ///
  /// - Returns: Nil when there is one, else how many other observations there can be.
  mutating func contradiction(of observation: Model.Observation, in precedence: Exploration<Model>.Precedence) -> Int? {
    let results =
      allowed[precedence]
      ?? Exploration.observations(of: model, threads: scenario, precedence: precedence)
    allowed[precedence] = results
    return results.contains(observation) ? nil : results.count
  }
}
