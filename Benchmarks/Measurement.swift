import Foundation

/// The middle of several samples, and how far they spread.
struct Spread: Equatable, Codable {
  let low: Double
  let median: Double
  let high: Double

  /// Sorts the samples into the median and the quartiles on either side.
  ///
  /// - Parameter samples: At least one.
  init(of samples: [Double]) {
    precondition(!samples.isEmpty, "A spread needs samples")
    let sorted = samples.sorted()
    func quantile(_ fraction: Double) -> Double {
      let position = fraction * Double(sorted.count - 1)
      let below = Int(position)
      let above = min(below + 1, sorted.count - 1)
      return sorted[below] + (sorted[above] - sorted[below]) * (position - Double(below))
    }
    low = quantile(0.25)
    median = quantile(0.5)
    high = quantile(0.75)
  }
}

/// The result of one row.
struct Measurement: Codable {
  /// What was measured.
  let name: String
  /// What one operation is.
  let operation: String
  /// What the limit is.
  let limitName: String
  /// `ns` or `bytes`.
  let unit: String
  /// The figure of one operation.
  let work: Spread
  /// The figure of the limit.
  let limit: Spread
  /// The work in terms of the limit; each sample against the one taken right after it.
  let ratio: Spread
}

/// How long to measure.
struct Effort {
  let samples: Int
  let sampleTime: Duration

  static let full = Effort(samples: 15, sampleTime: .milliseconds(20))
  static let quick = Effort(samples: 7, sampleTime: .milliseconds(4))
}

extension Row {
  /// Measures the row.
  func measure(_ effort: Effort) -> Measurement {
    let pairs: [(work: Double, limit: Double)]
    let unit: String
    switch method {
    case .time(let prepare):
      pairs = prepare().samples(effort)
      unit = "ns"
    case .bytes(let count):
      pairs = [count()]
      unit = "bytes"
    }
    return Measurement(
      name: name, operation: operation, limitName: limit, unit: unit,
      work: Spread(of: pairs.map(\.work)),
      limit: Spread(of: pairs.map(\.limit)),
      ratio: Spread(of: pairs.map { $0.work / $0.limit }))
  }
}

extension Comparison {
  /// Times both loops by turns, so that whatever slows the machine down slows both.
  fileprivate func samples(_ effort: Effort) -> [(work: Double, limit: Double)] {
    let workPasses = passes(of: work, toLast: effort.sampleTime)
    let limitPasses = passes(of: limit, toLast: effort.sampleTime)
    return (0..<effort.samples).map { _ in
      (perOperation(work, passes: workPasses), perOperation(limit, passes: limitPasses))
    }
  }

  private func perOperation(_ loop: (Int) -> Void, passes: Int) -> Double {
    time(loop, passes: passes) / Double(passes * operations)
  }

  /// Nanoseconds, never zero.
  private func time(_ loop: (Int) -> Void, passes: Int) -> Double {
    switch clock {
    case .wall:
      let components = ContinuousClock().measure { loop(passes) }.components
      return max(1, Double(components.seconds) * 1e9 + Double(components.attoseconds) / 1e9)
    case .processor:
      let start = Foundation.clock()
      loop(passes)
      return max(1, Double(Foundation.clock() - start) * 1e9 / Double(CLOCKS_PER_SEC))
    }
  }

  /// Doubles the passes until they take half of the time; this warms up as well.
  private func passes(of loop: (Int) -> Void, toLast duration: Duration) -> Int {
    let goal = Double(duration.components.attoseconds) / 1e9
    var passes = 1
    while true {
      let elapsed = time(loop, passes: passes)
      if elapsed * 2 >= goal { return max(1, Int(Double(passes) * goal / elapsed)) }
      passes *= 2
    }
  }
}
