import Reactive
import ReactiveTesting
import Testing

@Suite struct OracleTests {
  @Test(arguments: OracleRow.all)
  func `publishes what the standard library says, however demand is chopped`(row: OracleRow) {
    let differences = row.differences()
    #expect(differences.isEmpty, "\(differences.count) of 200 runs, the first: \(differences.first ?? "")")
  }

  @Test func `every operator has a row that makes its publisher`() {
    for this in DocumentedOperator.all {
      let rows = OracleRow.all.filter { $0.signature == this.signature }
      #expect(rows.contains { $0.publisher.contains("\(this.publisher)<") }, "\(this.place) has no row")
    }
  }

  @Test func `every row names an operator`() {
    let known = Set(DocumentedOperator.all.map(\.signature))
    for row in OracleRow.all { #expect(known.contains(row.signature), "\(row.signature)") }
  }

  @Test func `an operator that loses one value is found out`() {
    let row = oracle("map(_:)") { $0.source.filter { $0 != 5 } }.gives { $0.passing($0.values) }
    #expect(row.differences().contains { $0.contains("for a demand of") })
  }

  @Test func `an operator with the wrong end is found out`() {
    let row = oracle("map(_:)") { $0.source.replaceError(with: 0).filter { _ in false } }.gives { $0.passing([Int]()) }
    #expect(row.differences().contains { $0.contains("with the other end") })
  }

  @Test func `an operator with the wrong values is found out`() {
    let row = oracle("map(_:)") { $0.source.map { $0 == 5 ? 6 : $0 } }.gives { $0.passing($0.values) }
    let differences = row.differences()
    #expect(!differences.isEmpty && differences.count < 200)
  }
}
