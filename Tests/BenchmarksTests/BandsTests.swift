import Testing

@testable import Benchmarks

@Suite struct BandsTests {
  @Test func `every row has a band, and every band a row`() {
    let names = Group.all.flatMap(\.rows).map(\.name)
    #expect(names.sorted() == Band.all.keys.sorted())
  }

  @Test func `a ratio beyond its band is named, with both figures`() {
    let name = "fan-out / PassthroughSubject to 100"
    #expect(measurement(name, 40).complaint == "\(name): 40.0 times the limit, the band ends at 6.00")
  }

  @Test func `a ratio inside its band is no complaint`() {
    #expect(measurement("fan-out / PassthroughSubject to 100", 5).complaint == nil)
  }

  @Test func `a row without a band is a complaint`() {
    #expect(measurement("a new row", 1).complaint == "a new row: has no band")
  }

  private func measurement(_ name: String, _ ratio: Double) -> Measurement {
    Row(name: name, operation: "", limit: "", method: .bytes { (ratio, 1) }).measure(.quick)
  }
}
