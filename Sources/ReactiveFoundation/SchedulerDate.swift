public import Foundation
public import Reactive

/// A point in time on the clock of a scheduler that goes by dates.
///
/// Each such scheduler has a type of its own, so that the times of a run loop are not those of an operation queue. What
/// they do is the same, and stands here.
public protocol SchedulerDate: Strideable, Codable, Hashable, Sendable where Stride: SchedulerDateStride {
  /// The date.
  var date: Date { get set }

  /// Makes a point in time.
  init(_ date: Date)
}

extension SchedulerDate {
  /// The distance to another point in time, positive when that is later.
  public func distance(to other: Self) -> Stride {
    Stride(other.date.timeIntervalSince(date))
  }

  /// The point in time at a distance.
  public func advanced(by n: Stride) -> Self {
    Self(date.addingTimeInterval(n.magnitude))
  }
}

/// A length of time in seconds between two dates of a scheduler.
///
/// Literals are seconds, and a product is one in seconds, so that `2 * .milliseconds(500)` is one second.
public protocol SchedulerDateStride: SchedulerTimeIntervalConvertible, Comparable, SignedNumeric,
  ExpressibleByFloatLiteral, Codable, Sendable
where Magnitude == TimeInterval, FloatLiteralType == TimeInterval, IntegerLiteralType == TimeInterval {
  /// The number of seconds, with its sign.
  var magnitude: TimeInterval { get set }

  /// Makes a length from seconds.
  init(_ timeInterval: TimeInterval)
}

extension SchedulerDateStride {
  /// The number of seconds.
  public var timeInterval: TimeInterval { magnitude }

  /// Makes a length from seconds.
  public init(floatLiteral value: TimeInterval) {
    self.init(value)
  }

  /// Makes a length from seconds.
  public init(integerLiteral value: TimeInterval) {
    self.init(value)
  }

  /// Makes a length from seconds, if a floating-point number can express them.
  public init?<T: BinaryInteger>(exactly source: T) {
    guard let seconds = TimeInterval(exactly: source) else { return nil }
    self.init(seconds)
  }

  /// Whether the left length is smaller.
  public static func < (lhs: Self, rhs: Self) -> Bool { lhs.magnitude < rhs.magnitude }

  /// The product of two lengths in seconds.
  public static func * (lhs: Self, rhs: Self) -> Self { Self(lhs.magnitude * rhs.magnitude) }

  /// The sum.
  public static func + (lhs: Self, rhs: Self) -> Self { Self(lhs.magnitude + rhs.magnitude) }

  /// The difference.
  public static func - (lhs: Self, rhs: Self) -> Self { Self(lhs.magnitude - rhs.magnitude) }

  /// Multiplies by a length in seconds.
  public static func *= (lhs: inout Self, rhs: Self) { lhs.magnitude *= rhs.magnitude }

  /// Adds a length.
  public static func += (lhs: inout Self, rhs: Self) { lhs.magnitude += rhs.magnitude }

  /// Takes a length away.
  public static func -= (lhs: inout Self, rhs: Self) { lhs.magnitude -= rhs.magnitude }

  /// This many seconds.
  public static func seconds(_ s: Int) -> Self { Self(TimeInterval(s)) }

  /// This many seconds, with a fraction.
  public static func seconds(_ s: Double) -> Self { Self(s) }

  /// This many thousandths of a second.
  public static func milliseconds(_ ms: Int) -> Self { Self(TimeInterval(ms) / 1_000) }

  /// This many millionths of a second.
  public static func microseconds(_ us: Int) -> Self { Self(TimeInterval(us) / 1_000_000) }

  /// This many billionths of a second.
  public static func nanoseconds(_ ns: Int) -> Self { Self(TimeInterval(ns) / 1_000_000_000) }
}
