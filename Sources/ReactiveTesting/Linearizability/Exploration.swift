/// Goes through every order in which threads can do the steps of their operations.
struct Exploration<Model: Specification> {
  /// How many operations each thread knew to be over when a call began.
  typealias Precedence = [Call: [Int]]

  private struct Position: Hashable {
    var model: Model
    var begun: [Int]
    var isInside: [Bool]

    /// How many operations of a thread are over.
    func finished(_ thread: Int) -> Int { begun[thread] - (isInside[thread] ? 1 : 0) }
  }

  private let threads: [[Model.Operation]]
  private let precedence: Precedence
  private var seen: Set<Position> = []
  private var results: Set<Model.Observation> = []

  /// What can be seen in the end.
  ///
  /// - Parameters:
  ///   - model: What to begin with.
  ///   - threads: What each thread does.
  ///   - precedence: What must have been over before a call; an order without it is allowed for calls that are absent.
  static func observations(
    of model: Model, threads: [[Model.Operation]], precedence: Precedence = [:]
  ) -> Set<Model.Observation> {
    var exploration = Exploration(threads, precedence)
    exploration.explore(
      Position(model: model, begun: threads.map { _ in 0 }, isInside: threads.map { _ in false }))
    return exploration.results
  }

  private init(_ threads: [[Model.Operation]], _ precedence: Precedence) {
    self.threads = threads
    self.precedence = precedence
  }

  private mutating func explore(_ start: Position) {
    var open = [start]
    while let position = open.popLast() {
      guard seen.insert(position).inserted else { continue }
      let next = threads.indices.compactMap { step(of: $0, from: position) }
      // Threads that all wait for what was over already cannot be: each waits for something earlier.
      if next.isEmpty { results.insert(position.model.observation) }
      open += next
    }
  }

  private func step(of thread: Int, from position: Position) -> Position? {
    var position = position
    if position.isInside[thread] {
      let number = position.begun[thread] - 1
      position.isInside[thread] = position.model.proceed(
        threads[thread][number], Call(thread: thread, number: number))
      return position
    }
    let call = Call(thread: thread, number: position.begun[thread])
    guard call.number < threads[thread].count else { return nil }
    if let past = precedence[call], past.indices.contains(where: { position.finished($0) < past[$0] }) { return nil }
    position.begun[thread] += 1
    position.isInside[thread] = position.model.begin(threads[thread][call.number], call)
    return position
  }
}
