import Reactive
import Testing

@Suite struct ComparingTests {
  typealias Oracle = AccumulatingOracle

  /// A value that equals others with the same key.
  struct Entry: Comparable {
    let key: Int
    let position: Int

    static func == (lhs: Entry, rhs: Entry) -> Bool { lhs.key == rhs.key }
    static func < (lhs: Entry, rhs: Entry) -> Bool { lhs.key < rhs.key }
  }

  /// The inputs for which the operator does not choose the entry at the position the standard library chooses.
  func differences<P: Publisher>(
    _ make: (Oracle.Plain<Publishers.Sequence<[Entry], Never>>) -> P, _ expected: ([Entry]) -> Entry?
  ) -> [[Int]] where P.Output == Entry {
    Oracle.inputs.filter { input in
      let entries = input.enumerated().map { Entry(key: $1, position: $0) }
      let outcome = Oracle.outcome(of: make(Oracle.Plain(entries.publisher)))
      return outcome.values.map(\.position) != (expected(entries).map { [$0.position] } ?? [])
        || outcome.end != .finished
    }
  }

  @Test func `max gives the largest value, of equal ones the first`() {
    #expect(differences({ $0.max() }, { $0.max() }) == [])
  }

  @Test func `min gives the smallest value, of equal ones the first`() {
    #expect(differences({ $0.min() }, { $0.min() }) == [])
  }

  @Test func `max(by:) gives the largest value in the order, of equal ones the first`() {
    #expect(differences({ $0.max(by: >) }, { $0.max(by: >) }) == [])
  }

  @Test func `min(by:) gives the smallest value in the order, of equal ones the first`() {
    #expect(differences({ $0.min(by: >) }, { $0.min(by: >) }) == [])
  }

  @Test func `tryMax(by:) gives the largest value in the order, of equal ones the first`() {
    #expect(differences({ $0.tryMax(by: >) }, { $0.max(by: >) }) == [])
  }

  @Test func `tryMin(by:) gives the smallest value in the order, of equal ones the first`() {
    #expect(differences({ $0.tryMin(by: >) }, { $0.min(by: >) }) == [])
  }

  @Test func `the stored order of min is that of max with its arguments swapped`() throws {
    let source = PassthroughSubject<Int, Never>()
    #expect(source.max().areInIncreasingOrder(1, 2) && !source.min().areInIncreasingOrder(1, 2))
    #expect(try source.tryMin(by: <).areInIncreasingOrder(2, 1))
  }
}
