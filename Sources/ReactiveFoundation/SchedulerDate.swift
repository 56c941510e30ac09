public import Foundation
public import Reactive

/// A point in time on the clock of a scheduler that goes by dates.
///
/// `Context` is that scheduler, so that the times of a run loop are not those of an operation queue.
public struct SchedulerDate<Context>: Strideable, Codable, Hashable, Sendable {
  /// The date.
  public var date: Date

  /// Makes a point in time.
  public init(_ date: Date) {
    self.date = date
  }

  /// The distance to another point in time, positive when that is later.
  public func distance(to other: SchedulerDate) -> Stride {
    Stride(other.date.timeIntervalSince(date))
  }

  /// The point in time at a distance.
  public func advanced(by n: Stride) -> SchedulerDate {
    SchedulerDate(date.addingTimeInterval(n.magnitude))
  }

  /// A length of time in seconds.
  ///
  /// Literals are seconds, and a product is one in seconds, so that `2 * .milliseconds(500)` is one second.
  public struct Stride: SchedulerTimeIntervalConvertible, Comparable, SignedNumeric, ExpressibleByFloatLiteral,
    Codable, Sendable
  {
    /// What a floating-point literal is made of.
    public typealias FloatLiteralType = TimeInterval
    /// What an integer literal is made of.
    public typealias IntegerLiteralType = TimeInterval
    /// What the length is counted in.
    public typealias Magnitude = TimeInterval

    /// The number of seconds, with its sign.
    public var magnitude: TimeInterval

    /// The number of seconds.
    public var timeInterval: TimeInterval { magnitude }

    /// Makes a length from seconds.
    public init(_ timeInterval: TimeInterval) {
      magnitude = timeInterval
    }

    /// Makes a length from seconds.
    public init(floatLiteral value: TimeInterval) {
      magnitude = value
    }

    /// Makes a length from seconds.
    public init(integerLiteral value: TimeInterval) {
      magnitude = value
    }

    /// Makes a length from seconds, if a floating-point number can express them.
    public init?<T: BinaryInteger>(exactly source: T) {
      guard let seconds = TimeInterval(exactly: source) else { return nil }
      magnitude = seconds
    }

    /// Whether the left length is smaller.
    public static func < (lhs: Stride, rhs: Stride) -> Bool { lhs.magnitude < rhs.magnitude }

    /// The product of two lengths in seconds.
    public static func * (lhs: Stride, rhs: Stride) -> Stride { Stride(lhs.magnitude * rhs.magnitude) }

    /// The sum.
    public static func + (lhs: Stride, rhs: Stride) -> Stride { Stride(lhs.magnitude + rhs.magnitude) }

    /// The difference.
    public static func - (lhs: Stride, rhs: Stride) -> Stride { Stride(lhs.magnitude - rhs.magnitude) }

    /// Multiplies by a length in seconds.
    public static func *= (lhs: inout Stride, rhs: Stride) { lhs.magnitude *= rhs.magnitude }

    /// Adds a length.
    public static func += (lhs: inout Stride, rhs: Stride) { lhs.magnitude += rhs.magnitude }

    /// Takes a length away.
    public static func -= (lhs: inout Stride, rhs: Stride) { lhs.magnitude -= rhs.magnitude }

    /// This many seconds.
    public static func seconds(_ s: Int) -> Stride { Stride(TimeInterval(s)) }

    /// This many seconds, with a fraction.
    public static func seconds(_ s: Double) -> Stride { Stride(s) }

    /// This many thousandths of a second.
    public static func milliseconds(_ ms: Int) -> Stride { Stride(TimeInterval(ms) / 1_000) }

    /// This many millionths of a second.
    public static func microseconds(_ us: Int) -> Stride { Stride(TimeInterval(us) / 1_000_000) }

    /// This many billionths of a second.
    public static func nanoseconds(_ ns: Int) -> Stride { Stride(TimeInterval(ns) / 1_000_000_000) }
  }
}
