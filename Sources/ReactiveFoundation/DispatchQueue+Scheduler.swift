public import Dispatch
public import Reactive

extension DispatchQueue: Scheduler {
  /// A point in time on the clock that does not run while the machine sleeps.
  public struct SchedulerTimeType: Strideable, Codable, Hashable, Sendable {
    /// The same point as Dispatch understands it.
    public var dispatchTime: DispatchTime

    /// Makes a point in time.
    public init(_ time: DispatchTime) {
      dispatchTime = time
    }

    /// Reads the nanoseconds that `encode(to:)` wrote.
    public init(from decoder: any Decoder) throws {
      let nanoseconds = try decoder.singleValueContainer().decode(UInt64.self)
      dispatchTime = DispatchTime(uptimeNanoseconds: nanoseconds)
    }

    /// Writes the time as nanoseconds since the machine was started.
    public func encode(to encoder: any Encoder) throws {
      var container = encoder.singleValueContainer()
      try container.encode(dispatchTime.uptimeNanoseconds)
    }

    /// Feeds the time into a hasher.
    public func hash(into hasher: inout Hasher) {
      hasher.combine(dispatchTime.rawValue)
    }

    /// The distance to another point in time, positive when that is later.
    public func distance(to other: SchedulerTimeType) -> Stride {
      let difference = Int128(other.dispatchTime.uptimeNanoseconds) - Int128(dispatchTime.uptimeNanoseconds)
      return Stride(magnitude: Int(saturating: difference))
    }

    /// The point in time at a distance.
    ///
    /// What lies beyond 146 years, or beyond `DispatchTime.distantFuture`, is the distant future, and what lies before
    /// the start of the machine is its first nanosecond.
    public func advanced(by n: Stride) -> SchedulerTimeType {
      // From there on Dispatch takes the upper bits for the name of another clock; 0 it takes for "now".
      let end = Int128(1) << 62
      let time = Int128(dispatchTime.uptimeNanoseconds) + Int128(n.magnitude)
      guard n.magnitude < .max, dispatchTime < .distantFuture, time < end else {
        return SchedulerTimeType(.distantFuture)
      }
      return SchedulerTimeType(DispatchTime(uptimeNanoseconds: UInt64(max(time, 1))))
    }

    /// A length of time in whole nanoseconds.
    ///
    /// Literals are seconds, and a product is one in seconds too, so that `2 * .milliseconds(500)` is one second.
    /// Whatever does not fit becomes the longest length, which stands for "never", or the shortest.
    public struct Stride: SchedulerTimeIntervalConvertible, Comparable, SignedNumeric, ExpressibleByFloatLiteral,
      Hashable, Codable, Sendable
    {
      /// What a floating-point literal is made of.
      public typealias FloatLiteralType = Double
      /// What an integer literal is made of.
      public typealias IntegerLiteralType = Int
      /// What the length is counted in.
      public typealias Magnitude = Int

      /// The number of nanoseconds, with its sign.
      public var magnitude: Int

      /// The length as Dispatch understands it.
      public var timeInterval: DispatchTimeInterval { .nanoseconds(magnitude) }

      init(magnitude: Int) {
        self.magnitude = magnitude
      }

      /// Makes a length from Dispatch's; `.never` is the longest.
      public init(_ timeInterval: DispatchTimeInterval) {
        switch timeInterval {
        case .seconds(let seconds): self = .seconds(seconds)
        case .milliseconds(let milliseconds): self = .milliseconds(milliseconds)
        case .microseconds(let microseconds): self = .microseconds(microseconds)
        case .nanoseconds(let nanoseconds): self = .nanoseconds(nanoseconds)
        case .never: magnitude = .max
        @unknown default: magnitude = .max
        }
      }

      /// Makes a length from seconds.
      public init(floatLiteral value: Double) {
        self = .seconds(value)
      }

      /// Makes a length from seconds.
      public init(integerLiteral value: Int) {
        self = .seconds(value)
      }

      /// Makes a length from seconds, if that many nanoseconds fit.
      public init?<T: BinaryInteger>(exactly source: T) {
        guard let seconds = Int(exactly: source) else { return nil }
        let (nanoseconds, overflow) = seconds.multipliedReportingOverflow(by: nanosecondsPerSecond)
        guard !overflow else { return nil }
        magnitude = nanoseconds
      }

      /// Whether the left length is smaller.
      public static func < (lhs: Stride, rhs: Stride) -> Bool { lhs.magnitude < rhs.magnitude }

      /// The product of two lengths in seconds.
      public static func * (lhs: Stride, rhs: Stride) -> Stride {
        let product = Int128(lhs.magnitude) * Int128(rhs.magnitude)
        return Stride(magnitude: Int(saturating: product / Int128(nanosecondsPerSecond)))
      }

      /// The sum.
      public static func + (lhs: Stride, rhs: Stride) -> Stride {
        Stride(magnitude: Int(saturating: Int128(lhs.magnitude) + Int128(rhs.magnitude)))
      }

      /// The difference.
      public static func - (lhs: Stride, rhs: Stride) -> Stride {
        Stride(magnitude: Int(saturating: Int128(lhs.magnitude) - Int128(rhs.magnitude)))
      }

      /// Multiplies by a length in seconds.
      public static func *= (lhs: inout Stride, rhs: Stride) { lhs = lhs * rhs }

      /// Adds a length.
      public static func += (lhs: inout Stride, rhs: Stride) { lhs = lhs + rhs }

      /// Takes a length away.
      public static func -= (lhs: inout Stride, rhs: Stride) { lhs = lhs - rhs }

      /// This many seconds, to the nearest nanosecond; none for not-a-number.
      public static func seconds(_ s: Double) -> Stride {
        Stride(magnitude: Int(saturating: s * Double(nanosecondsPerSecond)))
      }

      /// This many seconds.
      public static func seconds(_ s: Int) -> Stride {
        Stride(magnitude: Int(nanosecondsIn: s, of: nanosecondsPerSecond))
      }

      /// This many thousandths of a second.
      public static func milliseconds(_ ms: Int) -> Stride {
        Stride(magnitude: Int(nanosecondsIn: ms, of: 1_000_000))
      }

      /// This many millionths of a second.
      public static func microseconds(_ us: Int) -> Stride {
        Stride(magnitude: Int(nanosecondsIn: us, of: 1_000))
      }

      /// This many billionths of a second.
      public static func nanoseconds(_ ns: Int) -> Stride {
        Stride(magnitude: ns)
      }
    }
  }

  /// How an action runs on a queue.
  public struct SchedulerOptions {
    /// The quality of service of the action.
    public var qos: DispatchQoS

    /// How the action relates to others on the queue, for example as a barrier.
    public var flags: DispatchWorkItemFlags

    /// The group that an action belongs to from the call that schedules it until it has run; a repeated action belongs
    /// to none.
    public var group: DispatchGroup?

    /// Makes options; without arguments, the queue's own.
    public init(qos: DispatchQoS = .unspecified, flags: DispatchWorkItemFlags = [], group: DispatchGroup? = nil) {
      self.qos = qos
      self.flags = flags
      self.group = group
    }
  }

  /// The present time.
  public var now: SchedulerTimeType { SchedulerTimeType(.now()) }

  /// No tolerance: Dispatch adds its own.
  public var minimumTolerance: SchedulerTimeType.Stride { 0 }

  /// Runs an action on the queue as soon as it is its turn.
  public func schedule(options: SchedulerOptions?, _ action: @escaping () -> Void) {
    nonisolated(unsafe) let action = action
    let options = options ?? SchedulerOptions()
    async(group: options.group, qos: options.qos, flags: options.flags) { action() }
  }

  /// Runs an action on the queue at a time or, within the tolerance, later.
  ///
  /// - Parameters:
  ///   - date: When; a time that has passed means as soon as possible.
  ///   - tolerance: How much later it may run, to save energy; a negative one counts as none.
  ///   - options: How it runs; nil for the queue's own way.
  ///   - action: What to run.
  public func schedule(
    after date: SchedulerTimeType, tolerance: SchedulerTimeType.Stride, options: SchedulerOptions?,
    _ action: @escaping () -> Void
  ) {
    let options = options ?? SchedulerOptions()
    options.group?.enter()
    nonisolated(unsafe) let run = {
      action()
      options.group?.leave()
    }
    guard tolerance > 0 else {
      asyncAfter(deadline: date.dispatchTime, qos: options.qos, flags: options.flags) { run() }
      return
    }
    let source = DispatchSource.makeTimerSource(queue: self)
    source.setEventHandler(qos: options.qos, flags: options.flags) {
      run()
      // The handler keeps its source until here.
      source.cancel()
    }
    source.schedule(deadline: date.dispatchTime, leeway: tolerance.timeInterval)
    source.resume()
  }

  /// Runs an action on the queue at a time and then again at each interval.
  ///
  /// Runs do not overlap, and those that were missed while the queue was busy are made up for by one.
  ///
  /// - Parameters:
  ///   - date: When it runs first.
  ///   - interval: The time between two runs; a tenth of a millisecond at least when it is not positive.
  ///   - tolerance: How much later it may run, to save energy; a negative one counts as none.
  ///   - options: How it runs; nil for the queue's own way.
  ///   - action: What to run.
  /// - Returns: Ends the repetition, and releases the action, when cancelled or released.
  public func schedule(
    after date: SchedulerTimeType, interval: SchedulerTimeType.Stride, tolerance: SchedulerTimeType.Stride,
    options: SchedulerOptions?, _ action: @escaping () -> Void
  ) -> any Cancellable {
    let options = options ?? SchedulerOptions()
    let scheduled = ScheduledAction(action)
    let source = DispatchSource.makeTimerSource(queue: self)
    source.setEventHandler(qos: options.qos, flags: options.flags) { scheduled.run() }
    source.schedule(
      deadline: date.dispatchTime,
      repeating: (interval > 0 ? interval : .seconds(.shortestRepetition)).timeInterval,
      leeway: max(tolerance, 0).timeInterval)
    source.resume()
    return AnyCancellable {
      scheduled.drop()
      source.cancel()
    }
  }
}
