import Testing

@testable import ReactiveTesting

@Suite struct ExplorationTests {
  /// A list to which each operation appends a number, and once more in a second step when it is even.
  struct Appending: Specification {
    var observation: [Int] = []

    mutating func begin(_ operation: Int, _ call: Call) -> Bool {
      observation.append(operation)
      return operation.isMultiple(of: 2)
    }

    mutating func proceed(_ operation: Int, _ call: Call) -> Bool {
      observation.append(operation)
      return false
    }
  }

  @Test func `keeps the order of each thread`() {
    let results = Exploration.observations(of: Appending(), threads: [[1, 3], [5]])
    #expect(results == [[1, 3, 5], [1, 5, 3], [5, 1, 3]])
  }

  @Test func `knows all twenty orders of three operations beside three`() {
    let results = Exploration.observations(of: Appending(), threads: [[1, 3, 5], [7, 9, 11]])
    #expect(results.count == 20)
  }

  @Test func `lets others come between two steps`() {
    let results = Exploration.observations(of: Appending(), threads: [[2], [1]])
    #expect(results == [[2, 2, 1], [2, 1, 2], [1, 2, 2]])
  }

  @Test func `leaves out orders in which a call comes before what was over`() {
    let results = Exploration.observations(
      of: Appending(), threads: [[1, 3], [5]], precedence: [Call(thread: 1, number: 0): [1, 0]])
    #expect(results == [[1, 3, 5], [1, 5, 3]])
  }

  @Test func `waits for every step of what was over`() {
    let results = Exploration.observations(
      of: Appending(), threads: [[2], [1]], precedence: [Call(thread: 1, number: 0): [1, 0]])
    #expect(results == [[2, 2, 1]])
  }
}
