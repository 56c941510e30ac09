/// A scheduler that runs everything at once, on the thread that asks.
///
/// It has no clock: dates and intervals are ignored, its time stands still, and a repeated action runs once.
public struct ImmediateScheduler: Scheduler, Sendable {
  /// There are no options.
  public typealias SchedulerOptions = Never

  /// The one scheduler of this kind.
  public static let shared = ImmediateScheduler()

  /// The one moment there is.
  public struct SchedulerTimeType: Strideable, Sendable {
    fileprivate init() {}

    /// The distance to another moment: none.
    public func distance(to other: SchedulerTimeType) -> Stride { 0 }

    /// The moment at a distance: the same.
    public func advanced(by n: Stride) -> SchedulerTimeType { self }

    /// A length of time, which is counted but has no meaning.
    public struct Stride: ExpressibleByFloatLiteral, Comparable, SignedNumeric, Codable, Sendable,
      SchedulerTimeIntervalConvertible
    {
      /// What a floating-point literal is made of.
      public typealias FloatLiteralType = Double
      /// What an integer literal is made of.
      public typealias IntegerLiteralType = Int
      /// What a length is counted in.
      public typealias Magnitude = Int

      /// The length.
      public var magnitude: Int

      /// Makes a length.
      public init(_ value: Int) {
        magnitude = value
      }

      /// Makes a length from an integer literal.
      public init(integerLiteral value: Int) {
        magnitude = value
      }

      /// Makes a length from a floating-point literal, without its fraction; one beyond `Int` becomes the nearest.
      public init(floatLiteral value: Double) {
        magnitude = Int(exactly: value.rounded(.towardZero)) ?? (value < 0 ? .min : value > 0 ? .max : 0)
      }

      /// Makes a length from an integer of another type, if it fits.
      public init?<T: BinaryInteger>(exactly source: T) {
        guard let value = Int(exactly: source) else { return nil }
        magnitude = value
      }

      /// Whether the left length is smaller.
      public static func < (lhs: Stride, rhs: Stride) -> Bool { lhs.magnitude < rhs.magnitude }
      private init(clamping value: Int128) {
        magnitude = Int(clamping: value)
      }

      /// The product; one beyond `Int` becomes the nearest.
      public static func * (lhs: Stride, rhs: Stride) -> Stride {
        Stride(clamping: Int128(lhs.magnitude) * Int128(rhs.magnitude))
      }
      /// The sum; one beyond `Int` becomes the nearest.
      public static func + (lhs: Stride, rhs: Stride) -> Stride {
        Stride(clamping: Int128(lhs.magnitude) + Int128(rhs.magnitude))
      }
      /// The difference; one beyond `Int` becomes the nearest.
      public static func - (lhs: Stride, rhs: Stride) -> Stride {
        Stride(clamping: Int128(lhs.magnitude) - Int128(rhs.magnitude))
      }
      /// Takes a length away, as `-` does.
      public static func -= (lhs: inout Stride, rhs: Stride) { lhs = lhs - rhs }
      /// Multiplies by a length, as `*` does.
      public static func *= (lhs: inout Stride, rhs: Stride) { lhs = lhs * rhs }
      /// Adds a length, as `+` does.
      public static func += (lhs: inout Stride, rhs: Stride) { lhs = lhs + rhs }

      /// No length: there is no clock.
      public static func seconds(_ s: Int) -> Stride { 0 }
      /// No length: there is no clock.
      public static func seconds(_ s: Double) -> Stride { 0 }
      /// No length: there is no clock.
      public static func milliseconds(_ ms: Int) -> Stride { 0 }
      /// No length: there is no clock.
      public static func microseconds(_ us: Int) -> Stride { 0 }
      /// No length: there is no clock.
      public static func nanoseconds(_ ns: Int) -> Stride { 0 }
    }
  }

  /// The one moment there is.
  public var now: SchedulerTimeType { SchedulerTimeType() }
  /// Nothing deviates.
  public var minimumTolerance: SchedulerTimeType.Stride { 0 }

  /// Runs the action before it returns.
  public func schedule(options: Never?, _ action: @escaping () -> Void) {
    action()
  }

  /// Runs the action before it returns, whatever the date.
  public func schedule(
    after date: SchedulerTimeType, tolerance: SchedulerTimeType.Stride, options: Never?,
    _ action: @escaping () -> Void
  ) {
    action()
  }

  /// Runs the action once, before it returns.
  ///
  /// - Returns: Nothing that could be cancelled.
  public func schedule(
    after date: SchedulerTimeType, interval: SchedulerTimeType.Stride, tolerance: SchedulerTimeType.Stride,
    options: Never?, _ action: @escaping () -> Void
  ) -> any Cancellable {
    action()
    return Subscriptions.empty
  }
}
