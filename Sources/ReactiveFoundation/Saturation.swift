internal import Foundation

// What every scheduler here does with numbers that do not fit: they become the nearest one that does, because an
// interval such as `.seconds(Int.max)` or `.infinity` means "very long", and is no reason to trap.

let nanosecondsPerSecond = 1_000_000_000

extension Int {
  /// The nearest integer; not-a-number becomes 0.
  init(saturating value: Double) {
    self = Int(exactly: value.rounded()) ?? (value > 0 ? .max : value < 0 ? .min : 0)
  }

  /// A sum, difference or product that was computed with room to spare.
  init(saturating value: Int128) {
    self.init(clamping: value)
  }

  /// A number of units as nanoseconds.
  init(nanosecondsIn units: Int, of nanoseconds: Int) {
    self.init(saturating: Int128(units) * Int128(nanoseconds))
  }
}

extension TimeInterval {
  /// The shortest interval of a repetition: what Foundation's timers take instead of none and of a negative one.
  static let shortestRepetition: TimeInterval = 0.000_1

  /// An interval that a timer can repeat at: some sixteen years at most, and also for not-a-number.
  var repeatable: TimeInterval {
    let longest: TimeInterval = 500_000_000
    return isNaN ? longest : min(max(self, .shortestRepetition), longest)
  }

  /// A tolerance that a timer can take: neither negative nor not-a-number.
  var tolerable: TimeInterval {
    self > 0 ? self : 0
  }
}

extension Date {
  /// A date that a timer can be set to: between the distant past and the distant future; now for not-a-number.
  var schedulable: Date {
    timeIntervalSinceReferenceDate.isNaN ? Date() : Swift.min(Swift.max(self, .distantPast), .distantFuture)
  }
}
