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

  /// Publishes all values but the first ones.
  ///
  /// ```text
  /// source.dropFirst(2)
  /// source    -   a-b-c-d-|
  /// demand    1   -----1
  /// output    -   ----c-d-|
  /// upstream  (21)-----1
  /// ```
  ///
  /// The values to leave out are requested in addition to what downstream requests. Completion, failure and cancel
  /// pass.
  ///
  /// - Parameter count: How many values to leave out; a negative number traps.
  @inlinable @inline(__always)
  public func dropFirst(_ count: Int = 1) -> Publishers.Drop<Self> {
    Publishers.Drop(upstream: self, count: count)
  }

  /// Publishes all values from the first one that a closure refuses.
  ///
  /// ```text
  /// source.drop(while: { $0 < "c" })
  /// source    -a-b-c-a-|
  /// demand    2
  /// output    -----c-a-|
  /// upstream  21-1
  /// ```
  ///
  /// A value left out is made up for by requesting another one. Completion, failure and cancel pass.
  ///
  /// - Parameter predicate: Whether to leave a value out; called on the thread that delivers, and no more after it has
  ///   refused.
  @inlinable @inline(__always)
  public func drop(while predicate: @escaping (Output) -> Bool) -> Publishers.DropWhile<Self> {
    Publishers.DropWhile(upstream: self, predicate: predicate)
  }

  /// Publishes all values from the first one that a closure refuses, and fails when it throws.
  ///
  /// ```text
  /// source.tryDrop(while: { try check($0) < "c" })
  /// source    -a-x-c-|
  /// demand    1
  /// output    ---#
  /// upstream  11-!
  /// ```
  ///
  /// A value left out is made up for by requesting another one. Completion, failure and cancel pass. An error thrown
  /// cancels upstream and becomes the failure.
  ///
  /// - Parameter predicate: Whether to leave a value out; called on the thread that delivers, and no more after it has
  ///   refused.
  @inlinable @inline(__always)
  public func tryDrop(while predicate: @escaping (Output) throws -> Bool) -> Publishers.TryDropWhile<Self> {
    Publishers.TryDropWhile(upstream: self, predicate: predicate)
  }
}

extension Publishers {
  /// Publishes the values at some positions, then finishes; see `output(in:)`.
  public struct Output<Upstream: Publisher>: LogicOperator {
    /// Where the values come from.
    public let upstream: Upstream
    /// The positions, from 0.
    public let range: CountableRange<Int>

    /// The value of upstream.
    public typealias Output = Upstream.Output
    /// The failure of upstream.
    public typealias Failure = Upstream.Failure

    @inlinable var logic: Taking<Output, Failure> { Taking(range: range) }

    /// Makes the publisher; see `output(in:)`.
    @inlinable
    public init(upstream: Upstream, range: CountableRange<Int>) {
      precondition(range.lowerBound >= 0, "There is no value at this position: \(range.lowerBound)")
      self.upstream = upstream
      self.range = range
    }
  }
}

extension Publishers.Output: Equatable where Upstream: Equatable {}

/// The logic of `output` and `prefix`.
@usableFromInline
struct Taking<Input, Failure: Error>: Stage {
  @usableFromInline typealias Rule = Keeping<Failure>
  @inlinable var name: String { "Output" }

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
  public struct PrefixWhile<Upstream: Publisher>: LogicOperator {
    /// Where the values come from.
    public let upstream: Upstream
    /// Whether to go on.
    public let predicate: (Upstream.Output) -> Bool

    /// The value of upstream.
    public typealias Output = Upstream.Output
    /// The failure of upstream.
    public typealias Failure = Upstream.Failure

    @inlinable var logic: Applying<Plain<Bool>, TakingWhile<Output>> { Applying(Plain(predicate)) }

    /// Makes the publisher; see `prefix(while:)`.
    @inlinable
    public init(upstream: Upstream, predicate: @escaping (Upstream.Output) -> Bool) {
      self.upstream = upstream
      self.predicate = predicate
    }
  }

  /// Publishes values as long as a closure accepts them, then finishes, and fails when the closure throws; see
  /// `tryPrefix(while:)`.
  public struct TryPrefixWhile<Upstream: Publisher>: LogicOperator {
    /// Where the values come from.
    public let upstream: Upstream
    /// Whether to go on.
    public let predicate: (Upstream.Output) throws -> Bool

    /// The value of upstream.
    public typealias Output = Upstream.Output
    /// Any error: the closure's or upstream's.
    public typealias Failure = any Error

    @inlinable var logic: Applying<Throwing<Bool>, TakingWhile<Output>> { Applying(Throwing(predicate)) }

    /// Makes the publisher; see `tryPrefix(while:)`.
    @inlinable
    public init(upstream: Upstream, predicate: @escaping (Upstream.Output) throws -> Bool) {
      self.upstream = upstream
      self.predicate = predicate
    }
  }
}

/// The logic of `prefix(while:)` and `tryPrefix(while:)`.
@usableFromInline
enum TakingWhile<Value>: AnswerMeaning {
  @inlinable static var name: String { "PrefixWhile" }
  @inlinable static var isTransparent: Bool { false }

  @inlinable @inline(__always)
  static func step(for input: Value, _ goesOn: Bool) -> Step<Value> { goesOn ? .emit(input) : .finish }
}

extension Publishers {
  /// Publishes all values but the first ones; see `dropFirst(_:)`.
  public struct Drop<Upstream: Publisher>: LogicOperator {
    /// Where the values come from.
    public let upstream: Upstream
    /// How many values to leave out.
    public let count: Int

    /// The value of upstream.
    public typealias Output = Upstream.Output
    /// The failure of upstream.
    public typealias Failure = Upstream.Failure

    @inlinable var logic: Dropping<Output, Failure> { Dropping(count: count) }

    /// Makes the publisher; see `dropFirst(_:)`.
    @inlinable
    public init(upstream: Upstream, count: Int) {
      precondition(count >= 0, "The number of values to drop cannot be negative: \(count)")
      self.upstream = upstream
      self.count = count
    }
  }
}

extension Publishers.Drop: Equatable where Upstream: Equatable {}

/// The logic of `dropFirst`.
@usableFromInline
struct Dropping<Input, Failure: Error>: Stage {
  @usableFromInline typealias Rule = Keeping<Failure>
  @inlinable var name: String { "Drop" }

  @usableFromInline let prefetch: Subscribers.Demand
  @usableFromInline var remaining: Int

  @inlinable
  init(count: Int) {
    prefetch = .max(count)
    remaining = count
  }

  @inlinable @inline(__always)
  mutating func receive(_ input: Input) -> Step<Input> {
    guard remaining > 0 else { return .emit(input) }
    remaining -= 1
    return .swallow
  }
}

extension Publishers {
  /// Publishes all values from the first one that a closure refuses; see `drop(while:)`.
  public struct DropWhile<Upstream: Publisher>: LogicOperator {
    /// Where the values come from.
    public let upstream: Upstream
    /// Whether to leave a value out.
    public let predicate: (Upstream.Output) -> Bool

    /// The value of upstream.
    public typealias Output = Upstream.Output
    /// The failure of upstream.
    public typealias Failure = Upstream.Failure

    @inlinable var logic: DroppingWhile<Plain<Bool>> { DroppingWhile(Plain(predicate)) }

    /// Makes the publisher; see `drop(while:)`.
    @inlinable
    public init(upstream: Upstream, predicate: @escaping (Upstream.Output) -> Bool) {
      self.upstream = upstream
      self.predicate = predicate
    }
  }

  /// Publishes all values from the first one that a closure refuses, and fails when it throws; see `tryDrop(while:)`.
  public struct TryDropWhile<Upstream: Publisher>: LogicOperator {
    /// Where the values come from.
    public let upstream: Upstream
    /// Whether to leave a value out.
    public let predicate: (Upstream.Output) throws -> Bool

    /// The value of upstream.
    public typealias Output = Upstream.Output
    /// Any error: the closure's or upstream's.
    public typealias Failure = any Error

    @inlinable var logic: DroppingWhile<Throwing<Bool>> { DroppingWhile(Throwing(predicate)) }

    /// Makes the publisher; see `tryDrop(while:)`.
    @inlinable
    public init(upstream: Upstream, predicate: @escaping (Upstream.Output) throws -> Bool) {
      self.upstream = upstream
      self.predicate = predicate
    }
  }
}

/// The logic of `drop(while:)` and `tryDrop(while:)`.
@usableFromInline
struct DroppingWhile<Function: StageFunction>: Stage where Function.Output == Bool {
  @usableFromInline typealias Rule = Function.Rule
  @inlinable var name: String { "DropWhile" }

  @usableFromInline let predicate: Function
  @usableFromInline var isDropping = true

  @inlinable
  init(_ predicate: Function) {
    self.predicate = predicate
  }

  @inlinable @inline(__always)
  mutating func receive(_ input: Function.Input) throws(Rule.Thrown) -> Step<Function.Input> {
    if isDropping {
      isDropping = try predicate(input)
      if isDropping { return .skip }
    }
    return .emit(input)
  }
}
