extension Publisher {
  /// Publishes the first values, then finishes.
  ///
  /// ```text
  /// source.prefix(2)
  /// source    -a-b-c-|
  /// output    -a-(b|)
  /// upstream  *--!
  /// ```
  ///
  /// Demand passes. Finishes right after the last value, having cancelled upstream; with a length of zero at once,
  /// without requesting anything. An earlier completion, failure and cancel pass.
  ///
  /// - Parameter maxLength: How many values to publish at most; a negative number traps.
  @inlinable @inline(__always)
  public func prefix(_ maxLength: Int) -> Publishers.Output<Self> {
    precondition(maxLength >= 0, "The number of values to take cannot be negative: \(maxLength)")
    return output(in: ..<maxLength)
  }

  /// Publishes one value, counted from the start, then finishes.
  ///
  /// ```text
  /// source.output(at: 1)
  /// source    -a-b-c-|
  /// demand    1
  /// output    ---(b|)
  /// upstream  11-!
  /// ```
  ///
  /// A value before it is made up for by requesting another one. Finishes right after its value, having cancelled
  /// upstream. An earlier completion, failure and cancel pass.
  ///
  /// - Parameter index: The position of the value, from 0; a negative one and `Int.max` trap.
  @inlinable @inline(__always)
  public func output(at index: Int) -> Publishers.Output<Self> {
    precondition(index < .max, "There is no value at this position: \(index)")
    return output(in: index..<(index + 1))
  }

  /// Publishes the values at some positions, counted from the start, then finishes.
  ///
  /// ```text
  /// source.output(in: 1...2)
  /// source    -a-b-c-d-|
  /// demand    2
  /// output    ---b-(c|)
  /// upstream  21---!
  /// ```
  ///
  /// A value before them is made up for by requesting another one. Finishes right after the last of them, having
  /// cancelled upstream; with an empty range at once, without requesting anything. An earlier completion, failure and
  /// cancel pass.
  ///
  /// - Parameter range: The positions, from 0; a negative one traps.
  @inlinable @inline(__always)
  public func output<R: RangeExpression>(in range: R) -> Publishers.Output<Self> where R.Bound == Int {
    Publishers.Output(upstream: self, range: range.relative(to: 0..<Int.max))
  }

  /// Publishes values as long as a closure accepts them, then finishes.
  ///
  /// ```text
  /// source.prefix(while: { $0 != "c" })
  /// source    -a-b-c-d-|
  /// output    -a-b-|
  /// upstream  *----!
  /// ```
  ///
  /// Demand passes. Finishes at the first value refused, having cancelled upstream. An earlier completion, failure and
  /// cancel pass.
  ///
  /// - Parameter predicate: Whether to go on; called on the thread that delivers.
  @inlinable @inline(__always)
  public func prefix(while predicate: @escaping (Output) -> Bool) -> Publishers.PrefixWhile<Self> {
    Publishers.PrefixWhile(upstream: self, predicate: predicate)
  }

  /// Publishes values as long as a closure accepts them, then finishes, and fails when the closure throws.
  ///
  /// ```text
  /// source.tryPrefix(while: { try check($0) != "c" })
  /// source    -a-x-b-|
  /// output    -a-#
  /// upstream  *--!
  /// ```
  ///
  /// Demand passes. Finishes at the first value refused, having cancelled upstream. An earlier completion, failure and
  /// cancel pass. An error thrown cancels upstream and becomes the failure.
  ///
  /// - Parameter predicate: Whether to go on; called on the thread that delivers.
  @inlinable @inline(__always)
  public func tryPrefix(while predicate: @escaping (Output) throws -> Bool) -> Publishers.TryPrefixWhile<Self> {
    Publishers.TryPrefixWhile(upstream: self, predicate: predicate)
  }
}

extension Publishers {
  /// Publishes the values at some positions, then finishes; see `output(in:)`.
  public struct Output<Upstream: Publisher>: Publisher {
    /// The value of upstream.
    public typealias Output = Upstream.Output
    /// The failure of upstream.
    public typealias Failure = Upstream.Failure
    /// Where the values come from.
    public let upstream: Upstream
    /// The positions, from 0.
    public let range: CountableRange<Int>

    /// Makes the publisher; see `output(in:)`.
    @inlinable
    public init(upstream: Upstream, range: CountableRange<Int>) {
      precondition(range.lowerBound >= 0, "There is no value at this position: \(range.lowerBound)")
      self.upstream = upstream
      self.range = range
    }

    /// Attaches a subscriber.
    @inlinable @inline(__always)
    public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
      upstream.receive(subscriber: Conduit(Taking<Output, Failure>(range: range), subscriber))
    }
  }
}

extension Publishers.Output: Equatable where Upstream: Equatable {}

/// The logic of `output` and `prefix`.
@usableFromInline
struct Taking<Input, Failure: Error>: Stage {
  @usableFromInline typealias Rule = Keeping<Failure>
  @inlinable static var name: String { "Output" }

  @usableFromInline var skipping: Int
  @usableFromInline var taking: Int
  @inlinable var isFinished: Bool { taking == 0 }

  @inlinable
  init(range: CountableRange<Int>) {
    skipping = range.lowerBound
    taking = range.count
  }

  @inlinable @inline(__always)
  mutating func receive(_ input: Input) -> Step<Input> {
    guard skipping == 0 else {
      skipping -= 1
      return .skip
    }
    taking -= 1
    return taking > 0 ? .emit(input) : .emitAndFinish(input)
  }
}

extension Publishers {
  /// Publishes values as long as a closure accepts them, then finishes; see `prefix(while:)`.
  public struct PrefixWhile<Upstream: Publisher>: Publisher {
    /// The value of upstream.
    public typealias Output = Upstream.Output
    /// The failure of upstream.
    public typealias Failure = Upstream.Failure
    /// Where the values come from.
    public let upstream: Upstream
    /// Whether to go on.
    public let predicate: (Output) -> Bool

    /// Makes the publisher; see `prefix(while:)`.
    @inlinable
    public init(upstream: Upstream, predicate: @escaping (Output) -> Bool) {
      self.upstream = upstream
      self.predicate = predicate
    }

    /// Attaches a subscriber.
    @inlinable @inline(__always)
    public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
      upstream.receive(subscriber: Conduit(TakingWhile(PlainFunction<_, _, Failure>(predicate)), subscriber))
    }
  }

  /// Publishes values as long as a closure accepts them, then finishes, and fails when the closure throws; see
  /// `tryPrefix(while:)`.
  public struct TryPrefixWhile<Upstream: Publisher>: Publisher {
    /// The value of upstream.
    public typealias Output = Upstream.Output
    /// Any error: the closure's or upstream's.
    public typealias Failure = any Error
    /// Where the values come from.
    public let upstream: Upstream
    /// Whether to go on.
    public let predicate: (Output) throws -> Bool

    /// Makes the publisher; see `tryPrefix(while:)`.
    @inlinable
    public init(upstream: Upstream, predicate: @escaping (Output) throws -> Bool) {
      self.upstream = upstream
      self.predicate = predicate
    }

    /// Attaches a subscriber.
    @inlinable @inline(__always)
    public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
      upstream.receive(
        subscriber: Conduit(TakingWhile(ThrowingFunction<_, _, Upstream.Failure>(predicate)), subscriber))
    }
  }
}

/// The logic of `prefix(while:)` and `tryPrefix(while:)`.
@usableFromInline
struct TakingWhile<Function: StageFunction>: Stage where Function.Output == Bool {
  @usableFromInline typealias Rule = Function.Rule
  @inlinable static var name: String { "PrefixWhile" }

  @usableFromInline let predicate: Function

  @inlinable
  init(_ predicate: Function) {
    self.predicate = predicate
  }

  @inlinable @inline(__always)
  func receive(_ input: Function.Input) throws(Rule.Thrown) -> Step<Function.Input> {
    try predicate(input) ? .emit(input) : .finish
  }
}
