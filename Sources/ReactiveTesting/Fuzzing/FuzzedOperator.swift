public import Reactive

/// The values of fuzzed chains: numbers that are counted while they are alive.
public typealias FuzzValue = Tracked<Int>

/// An operator with a model of what it has to do.
///
///     FuzzedOperator(".map { 3 * $0 }", model: .each { [3 * $0] }) { upstream, bench in
///       upstream.map(bench.track { $0.map { 3 * $0 } })
///     }
public struct FuzzedOperator {
  /// What the operators of a chain are applied to.
  public typealias Stream = AnyPublisher<FuzzValue, TestFailure>

  /// The operator as a program would spell it.
  public let source: String
  /// What has to be known about it before it is put into a chain.
  public let traits: Traits
  let model: FuzzModel
  let build: (Stream, FuzzBench) -> Stream

  /// Makes an operator.
  ///
  /// - Parameters:
  ///   - source: The operator as a program would spell it, for reports.
  ///   - traits: What has to be known about it before it is put into a chain.
  ///   - model: What it has to do.
  ///   - build: Applies it.
  public init<P: Publisher>(
    _ source: String, _ traits: Traits = [], model: FuzzModel, build: @escaping (Stream, FuzzBench) -> P
  ) where P.Output == FuzzValue, P.Failure == TestFailure {
    self.source = source
    self.traits = traits
    self.model = model
    self.build = { build($0, $1).eraseToAnyPublisher() }
  }

  /// What has to be known about an operator before it is put into a chain.
  ///
  /// A model knows no demand. An operator for which it is more than a limit gets all demand: where a script, or an
  /// operator further down, asks for a few values at a time, it is followed by a large `buffer`.
  public struct Traits: OptionSet, Hashable, Sendable {
    /// The bits.
    public let rawValue: Int

    /// Makes a set out of bits.
    public init(rawValue: Int) {
      self.rawValue = rawValue
    }

    /// It subscribes to a second source, which the bench makes.
    public static var hasOther: Self { Self(rawValue: 1) }
    /// What it gives depends on when values are asked for: it does without some, or orders those of several sources.
    public static var needsUnlimited: Self { Self(rawValue: 2) }
    /// It keeps values until they are asked for.
    public static var keepsValues: Self { Self(rawValue: 256) }
    /// It keeps values until they are asked for, and drops them when upstream fails.
    public static var losesOnFailure: Self { [Self(rawValue: 4), keepsValues] }
    /// It asks upstream for a few values at a time, or later than at once, even if everything was requested.
    public static var asksForFew: Self { Self(rawValue: 512) }
    /// It needs a value of another source for each value of upstream, and asks one after the other.
    public static var pairs: Self { Self(rawValue: 1024) }
    /// It may fail though upstream does not.
    public static var mayFail: Self { Self(rawValue: 8) }
    /// It depends on virtual time, and so on when it is subscribed to.
    public static var isTimed: Self { Self(rawValue: 16) }
    /// It subscribes to upstream only when something else was asked for.
    public static var subscribesLate: Self { Self(rawValue: 32) }
    /// Its publisher is an object that remembers its first subscription.
    public static var remembers: Self { Self(rawValue: 64) }
    /// It may subscribe to upstream more than once.
    public static var resubscribes: Self { Self(rawValue: 128) }
  }
}

/// What an operator is built with.
public struct FuzzBench {
  /// The scheduler of the script, with virtual time.
  public let scheduler: TestScheduler
  /// Counts what is alive.
  public let live: LiveObjects
  /// The second source, driven by the script as the first one; only for an operator that `hasOther`.
  public let other: FuzzedOperator.Stream
  let label: String

  /// A closure that has to be released with the subscription.
  ///
  /// - Parameter body: What it does.
  public func track<A, R>(_ body: @escaping (A) -> R) -> (A) -> R {
    live.track(label, body)
  }

  /// A closure of two parameters that has to be released with the subscription.
  ///
  /// - Parameter body: What it does.
  public func track<A, B, R>(_ body: @escaping (A, B) -> R) -> (A, B) -> R {
    live.track(label, body)
  }

  /// A closure that may throw, and has to be released with the subscription.
  ///
  /// - Parameter body: What it does.
  public func tryTrack<A, R>(_ body: @escaping (A) throws -> R) -> (A) throws -> R {
    live.tryTrack(label, body)
  }

  /// A closure of two parameters that may throw, and has to be released with the subscription.
  ///
  /// - Parameter body: What it does.
  public func tryTrack<A, B, R>(_ body: @escaping (A, B) throws -> R) -> (A, B) throws -> R {
    live.tryTrack(label, body)
  }

  /// A value that has to be released with the subscription.
  ///
  /// - Parameter number: The value.
  public func value(_ number: Int) -> FuzzValue {
    live.value(number, label)
  }
}

/// Chooses the parameters of operators.
public struct FuzzChoices {
  var generator: SeededGenerator
  private(set) var intervals = 0

  init(seed: UInt64) {
    generator = SeededGenerator(seed: seed)
  }

  /// A number.
  ///
  /// - Parameter range: From where to where.
  public mutating func number(_ range: ClosedRange<Int>) -> Int {
    Int.random(in: range, using: &generator)
  }

  /// A length of virtual time that has no sum in common with the others of the chain, so that no two things happen at
  /// the same time.
  public mutating func interval() -> TestScheduler.SchedulerTimeType.Stride {
    intervals += 1
    let trifle = (1..<intervals).reduce(1) { sum, _ in sum * 1000 }
    return .seconds(number(1...3)) + .nanoseconds(trifle)
  }
}
