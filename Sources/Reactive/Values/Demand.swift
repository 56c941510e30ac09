extension Subscribers {
  /// How many values a subscriber is ready to take: a number, or any number.
  ///
  /// Sums that no longer fit become `.unlimited`, which nothing diminishes (Reactive Streams rule 3.17).
  @frozen
  public struct Demand: Equatable, Comparable, Hashable, Codable, CustomStringConvertible, Sendable {
    /// The number of values; one more than `Int.max` stands for any number.
    @usableFromInline
    let count: UInt

    @inlinable
    init(count: UInt) {
      self.count = count
    }

    /// As many values as there are.
    @inlinable
    public static var unlimited: Demand { Demand(count: UInt(Int.max) + 1) }

    /// No value; the same as `max(0)`.
    @inlinable
    public static var none: Demand { Demand(count: 0) }

    /// At most this many values.
    ///
    /// - Parameter value: The number of values; a negative one traps.
    @inlinable
    public static func max(_ value: Int) -> Demand {
      precondition(value >= 0, "A demand cannot be negative: \(value)")
      return Demand(count: UInt(bitPattern: value))
    }

    /// The number of values, or nil when it is unlimited.
    @inlinable
    public var max: Int? {
      isUnlimited ? nil : Int(bitPattern: count)
    }

    @inlinable
    package var isUnlimited: Bool { count > UInt(Int.max) }

    /// `unlimited`, or `max(3)` for a demand of three.
    public var description: String {
      max.map { "max(\($0))" } ?? "unlimited"
    }
  }
}

extension Subscribers.Demand {
  /// Reads the number that `encode(to:)` wrote; a larger one than `.unlimited` becomes `.unlimited`.
  public init(from decoder: any Decoder) throws {
    let raw = try decoder.singleValueContainer().decode(UInt.self)
    count = Swift.min(raw, Self.unlimited.count)
  }

  /// Writes the number of values; unlimited is one more than the largest `Int`.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(count)
  }

  /// The demand for an arithmetic result, or a substitute where that overflowed.
  private static func checked(_ result: (partialValue: Int, overflow: Bool), otherwise: Self) -> Self {
    result.overflow ? otherwise : .max(result.partialValue)
  }

  /// The sum; unlimited when either is, or when the sum exceeds `Int.max`.
  @inlinable
  public static func + (lhs: Self, rhs: Self) -> Self {
    // Both are at most Int.max + 1, so the sum overflows only for twice unlimited.
    let (sum, overflow) = lhs.count.addingReportingOverflow(rhs.count)
    return overflow || sum > UInt(Int.max) ? .unlimited : Self(count: sum)
  }

  /// Adds a demand to this one.
  @inlinable
  public static func += (lhs: inout Self, rhs: Self) {
    lhs = lhs + rhs
  }

  /// The sum with a number; a negative result traps.
  public static func + (lhs: Self, rhs: Int) -> Self {
    guard let value = lhs.max else { return .unlimited }
    return checked(value.addingReportingOverflow(rhs), otherwise: .unlimited)
  }

  /// Adds a number to this demand; a negative result traps.
  public static func += (lhs: inout Self, rhs: Int) {
    lhs = lhs + rhs
  }

  /// The product with a number; unlimited stays unlimited, a negative result traps.
  public static func * (lhs: Self, rhs: Int) -> Self {
    guard let value = lhs.max else { return .unlimited }
    return checked(value.multipliedReportingOverflow(by: rhs), otherwise: .unlimited)
  }

  /// Multiplies this demand by a number; unlimited stays unlimited, a negative result traps.
  public static func *= (lhs: inout Self, rhs: Int) {
    lhs = lhs * rhs
  }

  /// The difference, but never less than `.none`; unlimited stays unlimited, and a number less unlimited is `.none`.
  public static func - (lhs: Self, rhs: Self) -> Self {
    guard let value = lhs.max else { return .unlimited }
    guard let other = rhs.max else { return .none }
    return .max(Swift.max(value - other, 0))
  }

  /// Takes a demand from this one, down to `.none`; unlimited stays unlimited.
  public static func -= (lhs: inout Self, rhs: Self) {
    lhs = lhs - rhs
  }

  /// The difference with a number, but never less than `.none`; unlimited stays unlimited.
  public static func - (lhs: Self, rhs: Int) -> Self {
    guard let value = lhs.max else { return .unlimited }
    let (difference, overflow) = value.subtractingReportingOverflow(rhs)
    // Combine: a difference that does not fit, as with `Int.min`, counts as no demand.
    return overflow ? .none : .max(Swift.max(difference, 0))
  }

  /// Takes a number from this demand, down to `.none`; unlimited stays unlimited.
  public static func -= (lhs: inout Self, rhs: Int) {
    lhs = lhs - rhs
  }
}

extension Subscribers.Demand {
  /// Whether the left demand is smaller; unlimited is larger than every number.
  @inlinable
  public static func < (lhs: Self, rhs: Self) -> Bool { lhs.count < rhs.count }

  /// Whether the left demand is smaller or equal.
  @inlinable
  public static func <= (lhs: Self, rhs: Self) -> Bool { lhs.count <= rhs.count }

  /// Whether the left demand is larger or equal.
  @inlinable
  public static func >= (lhs: Self, rhs: Self) -> Bool { lhs.count >= rhs.count }

  /// Whether the left demand is larger.
  @inlinable
  public static func > (lhs: Self, rhs: Self) -> Bool { lhs.count > rhs.count }

  /// Whether the demand is larger than a number.
  public static func > (lhs: Self, rhs: Int) -> Bool { lhs.max.map { $0 > rhs } ?? true }

  /// Whether the demand is at least a number.
  public static func >= (lhs: Self, rhs: Int) -> Bool { lhs.max.map { $0 >= rhs } ?? true }

  /// Whether a number is larger than the demand.
  public static func > (lhs: Int, rhs: Self) -> Bool { rhs < lhs }

  /// Whether a number is at least the demand.
  public static func >= (lhs: Int, rhs: Self) -> Bool { rhs <= lhs }

  /// Whether the demand is smaller than a number.
  public static func < (lhs: Self, rhs: Int) -> Bool { lhs.max.map { $0 < rhs } ?? false }

  /// Whether a number is smaller than the demand.
  public static func < (lhs: Int, rhs: Self) -> Bool { rhs > lhs }

  /// Whether the demand is at most a number.
  public static func <= (lhs: Self, rhs: Int) -> Bool { lhs.max.map { $0 <= rhs } ?? false }

  /// Whether a number is at most the demand.
  public static func <= (lhs: Int, rhs: Self) -> Bool { rhs >= lhs }

  /// Whether the demand is exactly this number; unlimited never is.
  public static func == (lhs: Self, rhs: Int) -> Bool { lhs.max == rhs }

  /// Whether the demand is another number, or unlimited.
  public static func != (lhs: Self, rhs: Int) -> Bool { lhs.max != rhs }

  /// Whether a number is exactly the demand; unlimited never is.
  public static func == (lhs: Int, rhs: Self) -> Bool { rhs == lhs }

  /// Whether a number differs from the demand, or the demand is unlimited.
  public static func != (lhs: Int, rhs: Self) -> Bool { rhs != lhs }
}
