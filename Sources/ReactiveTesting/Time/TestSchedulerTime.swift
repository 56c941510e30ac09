public import Reactive

extension TestScheduler {
  /// A point in virtual time; the scheduler starts at 0.
  public struct SchedulerTimeType: Strideable, Hashable, Codable, Sendable, CustomStringConvertible {
    /// The time since the start.
    public let elapsed: Stride

    /// Makes a point in time.
    ///
    /// - Parameter elapsed: The time since the start.
    public init(_ elapsed: Stride) {
      self.elapsed = elapsed
    }

    /// How long it is from this point to another one; negative when that one is earlier.
    public func distance(to other: SchedulerTimeType) -> Stride { other.elapsed - elapsed }

    /// The point that is a stride later; at the ends of time it stays there.
    public func advanced(by n: Stride) -> SchedulerTimeType { SchedulerTimeType(elapsed + n) }

    /// The time since the start, in seconds.
    public var description: String { elapsed.description }
  }
}

extension TestScheduler.SchedulerTimeType {
  /// A length of virtual time, in whole nanoseconds.
  ///
  /// Literals are seconds. What does not fit becomes the longest stride, or the shortest.
  public struct Stride: SchedulerTimeIntervalConvertible, Comparable, SignedNumeric, ExpressibleByFloatLiteral,
    Hashable, Codable, Sendable, CustomStringConvertible
  {
    /// The length in nanoseconds.
    public var magnitude: Int

    private init(_ nanoseconds: Int) {
      magnitude = nanoseconds
    }

    /// Makes a stride of whole seconds.
    public init(integerLiteral value: Int) {
      self = .seconds(value)
    }

    /// Makes a stride of seconds with a fraction.
    public init(floatLiteral value: Double) {
      self = .seconds(value)
    }

    /// Makes a stride of whole seconds; nil when the number does not fit an `Int`.
    public init?<T: BinaryInteger>(exactly source: T) {
      guard let value = Int(exactly: source) else { return nil }
      self = .seconds(value)
    }

    /// The length in seconds.
    public var timeInterval: Double { Double(magnitude) / 1_000_000_000 }

    /// The length in seconds, such as `1.5`.
    public var description: String {
      let (seconds, rest) = magnitude.quotientAndRemainder(dividingBy: 1_000_000_000)
      return rest == 0 ? "\(seconds)" : "\(timeInterval)"
    }

    /// Whether the left stride is shorter.
    public static func < (lhs: Stride, rhs: Stride) -> Bool { lhs.magnitude < rhs.magnitude }

    /// The sum.
    public static func + (lhs: Stride, rhs: Stride) -> Stride {
      let (sum, overflow) = lhs.magnitude.addingReportingOverflow(rhs.magnitude)
      return overflow ? limit(isNegative: lhs.magnitude < 0) : Stride(sum)
    }

    /// The difference.
    public static func - (lhs: Stride, rhs: Stride) -> Stride {
      let (difference, overflow) = lhs.magnitude.subtractingReportingOverflow(rhs.magnitude)
      return overflow ? limit(isNegative: lhs.magnitude < 0) : Stride(difference)
    }

    /// The product of two lengths counted in seconds, so that `stride * 2` is twice as long.
    public static func * (lhs: Stride, rhs: Stride) -> Stride {
      let isNegative = (lhs.magnitude < 0) != (rhs.magnitude < 0)
      let (high, low) = lhs.magnitude.magnitude.multipliedFullWidth(by: rhs.magnitude.magnitude)
      guard high < 1_000_000_000 else { return limit(isNegative: isNegative) }
      let nanoseconds = UInt(1_000_000_000).dividingFullWidth((high, low)).quotient
      guard nanoseconds <= UInt(Int.max) else { return limit(isNegative: isNegative) }
      return Stride(isNegative ? -Int(nanoseconds) : Int(nanoseconds))
    }

    /// Adds a stride to this one.
    public static func += (lhs: inout Stride, rhs: Stride) { lhs = lhs + rhs }

    /// Takes a stride from this one.
    public static func -= (lhs: inout Stride, rhs: Stride) { lhs = lhs - rhs }

    /// Multiplies this stride by another one, counted in seconds.
    public static func *= (lhs: inout Stride, rhs: Stride) { lhs = lhs * rhs }

    /// This many seconds.
    public static func seconds(_ s: Int) -> Stride { whole(s, of: 1_000_000_000) }

    /// This many seconds, to the nearest nanosecond; not a number counts as none.
    public static func seconds(_ s: Double) -> Stride {
      let nanoseconds = (s * 1_000_000_000).rounded()
      guard !nanoseconds.isNaN else { return Stride(0) }
      return Int(exactly: nanoseconds).map { Stride($0) } ?? limit(isNegative: nanoseconds < 0)
    }

    /// This many milliseconds.
    public static func milliseconds(_ ms: Int) -> Stride { whole(ms, of: 1_000_000) }

    /// This many microseconds.
    public static func microseconds(_ us: Int) -> Stride { whole(us, of: 1000) }

    /// This many nanoseconds.
    public static func nanoseconds(_ ns: Int) -> Stride { Stride(ns) }

    private static func whole(_ count: Int, of unit: Int) -> Stride {
      let (product, overflow) = count.multipliedReportingOverflow(by: unit)
      return overflow ? limit(isNegative: count < 0) : Stride(product)
    }

    private static func limit(isNegative: Bool) -> Stride { Stride(isNegative ? .min : .max) }
  }
}
