import Testing

@testable import Benchmarks

@Suite struct MeasurementTests {
  @Test func `a spread is the median and the quartiles`() {
    let spread = Spread(of: [5, 1, 4, 2, 3])
    #expect(spread.low == 2 && spread.median == 3 && spread.high == 4)
  }

  @Test func `a spread of one sample is that sample`() {
    let spread = Spread(of: [7])
    #expect(spread.low == 7 && spread.median == 7 && spread.high == 7)
  }

  @Test func `both loops run the same number of times in turn`() {
    var order: [String] = []
    let row = Row(
      name: "a row", operation: "call", limit: "another call",
      method: .time {
        Comparison(operations: 1) {
          order.append("work \($0)")
        } limit: {
          order.append("limit \($0)")
        }
      })
    let measurement = row.measure(Effort(samples: 3, sampleTime: .microseconds(1)))
    let last = order.suffix(6).map { $0.prefix { $0 != " " } }
    #expect(last == ["work", "limit", "work", "limit", "work", "limit"])
    #expect(measurement.unit == "ns")
  }

  @Test func `bytes are held against the limit as they are`() {
    let row = Row(name: "a row", operation: "object", limit: "80 bytes", method: .bytes { (160, 80) })
    let measurement = row.measure(.quick)
    #expect(measurement.work.median == 160 && measurement.ratio.median == 2)
    #expect(measurement.unit == "bytes")
  }

  @Test func `what stays for good is not what each one leaves`() {
    var (rounds, bytes) = (0, 0)
    let comeAndGo = {
      bytes += rounds == 0 ? 5_000 : 300
      rounds += 1
    }
    let left = bytesLeft(byEachOf: 100, allocated: { bytes }, comeAndGo)
    #expect(left == 3 && rounds == 2)
  }
}
