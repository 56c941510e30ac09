extension Publisher {
  /// Publishes all values as one array when upstream finishes.
  ///
  /// ```text
  /// source.collect()
  /// source    -a-b-|
  /// demand    ------1
  /// output    ------(p|)
  /// upstream  *
  /// p = ["a", "b"]
  /// ```
  ///
  /// Requests everything at once. Delivers the array when there is demand, then finishes; a failure or a cancel drops
  /// what has been collected.
  @inlinable @inline(__always)
  public func collect() -> Publishers.Collect<Self> {
    Publishers.Collect(upstream: self)
  }

  /// Publishes what a closure makes of all values, one after the other, when upstream finishes.
  ///
  /// ```text
  /// source.reduce("") { $0 + $1 }
  /// source    -a-b-|
  /// output    -----(p|)
  /// upstream  *
  /// p = ab
  /// ```
  ///
  /// Requests everything; the result waits for demand. An upstream without values gives the initial result; a failure
  /// passes and drops the result.
  ///
  /// - Parameters:
  ///   - initialResult: What the closure gets with the first value.
  ///   - nextPartialResult: Makes a new result of the one so far and a value.
  @inlinable @inline(__always)
  public func reduce<T>(
    _ initialResult: T, _ nextPartialResult: @escaping (T, Output) -> T
  ) -> Publishers.Reduce<Self, T> {
    Publishers.Reduce(upstream: self, initial: initialResult, nextPartialResult: nextPartialResult)
  }

  /// Publishes what a closure makes of all values, one after the other; fails when the closure throws.
  ///
  /// ```text
  /// source.tryReduce("") { try $0 + check($1) }
  /// source    -a-x-b-|
  /// output    ---#
  /// upstream  *--!
  /// ```
  ///
  /// Requests everything; the result waits for demand. An upstream without values gives the initial result. An error
  /// thrown cancels upstream and becomes the failure, without demand.
  ///
  /// - Parameters:
  ///   - initialResult: What the closure gets with the first value.
  ///   - nextPartialResult: Makes a new result of the one so far and a value, or throws.
  @inlinable @inline(__always)
  public func tryReduce<T>(
    _ initialResult: T, _ nextPartialResult: @escaping (T, Output) throws -> T
  ) -> Publishers.TryReduce<Self, T> {
    Publishers.TryReduce(upstream: self, initial: initialResult, nextPartialResult: nextPartialResult)
  }

  /// Publishes the number of values when upstream finishes.
  ///
  /// ```text
  /// source.count()
  /// source    -a-b-|
  /// output    -----(n|)
  /// upstream  *
  /// n = 2
  /// ```
  ///
  /// Requests everything; the number waits for demand. A failure passes.
  @inlinable @inline(__always)
  public func count() -> Publishers.Count<Self> {
    Publishers.Count(upstream: self)
  }

  /// Publishes no value, only the completion.
  ///
  /// ```text
  /// source.ignoreOutput()
  /// source    -a-b-|
  /// demand
  /// output    -----|
  /// upstream  *
  /// ```
  ///
  /// Requests everything. Completion and failure pass and need no demand.
  @inlinable @inline(__always)
  public func ignoreOutput() -> Publishers.IgnoreOutput<Self> {
    Publishers.IgnoreOutput(upstream: self)
  }
}

extension Publishers {
  /// Publishes all values as one array when upstream finishes; see `collect()`.
  public struct Collect<Upstream: Publisher>: LogicOperator {
    /// Where the values come from.
    public let upstream: Upstream

    /// All values of upstream.
    public typealias Output = [Upstream.Output]
    /// The failure of upstream.
    public typealias Failure = Upstream.Failure

    @inlinable var logic: Collecting<Upstream.Output, Failure> { Collecting() }

    /// Makes the publisher; see `collect()`.
    @inlinable
    public init(upstream: Upstream) {
      self.upstream = upstream
    }
  }

  /// Publishes what a closure makes of all values; see `reduce(_:_:)`.
  public struct Reduce<Upstream: Publisher, Output>: LogicOperator {
    /// Where the values come from.
    public let upstream: Upstream
    /// What the closure gets with the first value.
    public let initial: Output
    /// Makes a new result of the one so far and a value.
    public let nextPartialResult: (Output, Upstream.Output) -> Output

    /// The failure of upstream.
    public typealias Failure = Upstream.Failure

    @inlinable var logic: Folding<PlainFunction2<Output, Upstream.Output, Output, Failure>> {
      Folding(initial, PlainFunction2(nextPartialResult))
    }

    /// Makes the publisher; see `reduce(_:_:)`.
    @inlinable
    public init(upstream: Upstream, initial: Output, nextPartialResult: @escaping (Output, Upstream.Output) -> Output) {
      self.upstream = upstream
      self.initial = initial
      self.nextPartialResult = nextPartialResult
    }
  }

  /// Publishes what a closure that may throw makes of all values; see `tryReduce(_:_:)`.
  public struct TryReduce<Upstream: Publisher, Output>: LogicOperator {
    /// Where the values come from.
    public let upstream: Upstream
    /// What the closure gets with the first value.
    public let initial: Output
    /// Makes a new result of the one so far and a value.
    public let nextPartialResult: (Output, Upstream.Output) throws -> Output

    /// Any error: the closure's or upstream's.
    public typealias Failure = any Error

    @inlinable var logic: Folding<ThrowingFunction2<Output, Upstream.Output, Output, Upstream.Failure>> {
      Folding(initial, ThrowingFunction2(nextPartialResult))
    }

    /// Makes the publisher; see `tryReduce(_:_:)`.
    @inlinable
    public init(
      upstream: Upstream, initial: Output, nextPartialResult: @escaping (Output, Upstream.Output) throws -> Output
    ) {
      self.upstream = upstream
      self.initial = initial
      self.nextPartialResult = nextPartialResult
    }
  }

  /// Publishes the number of values; see `count()`.
  public struct Count<Upstream: Publisher>: LogicOperator {
    /// Where the values come from.
    public let upstream: Upstream

    /// The number of values.
    public typealias Output = Int
    /// The failure of upstream.
    public typealias Failure = Upstream.Failure

    @inlinable var logic: Counting<Upstream.Output, Failure> { Counting() }

    /// Makes the publisher; see `count()`.
    @inlinable
    public init(upstream: Upstream) {
      self.upstream = upstream
    }
  }

  /// Publishes only the completion; see `ignoreOutput()`.
  public struct IgnoreOutput<Upstream: Publisher>: LogicOperator {
    /// Where the values come from.
    public let upstream: Upstream

    /// There are no values.
    public typealias Output = Never
    /// The failure of upstream.
    public typealias Failure = Upstream.Failure

    @inlinable var logic: Ignoring<Upstream.Output, Failure> { Ignoring() }

    /// Makes the publisher; see `ignoreOutput()`.
    @inlinable
    public init(upstream: Upstream) {
      self.upstream = upstream
    }
  }
}

extension Publishers.Collect: Equatable where Upstream: Equatable {}
extension Publishers.Count: Equatable where Upstream: Equatable {}
extension Publishers.IgnoreOutput: Equatable where Upstream: Equatable {}

/// The logic of `collect()`.
@usableFromInline
struct Collecting<Input, Failure: Error>: Accumulator {
  @usableFromInline typealias Rule = Keeping<Failure>
  @inlinable var name: String { "Collect" }

  @usableFromInline var values: [Input] = []

  @inlinable
  init() {}

  @inlinable @inline(__always)
  mutating func receive(_ input: Input) -> Bool {
    values.append(input)
    return false
  }

  @inlinable
  mutating func result() -> [Input]? { values }
}

/// The logic of `reduce` and `tryReduce`.
@usableFromInline
struct Folding<Function: StageFunction2>: Accumulator where Function.First == Function.Output {
  @usableFromInline typealias Rule = Function.Rule
  @inlinable var name: String { "Reduce" }

  @usableFromInline var partial: Function.Output
  @usableFromInline let nextPartialResult: Function

  @inlinable
  init(_ initial: Function.Output, _ nextPartialResult: Function) {
    partial = initial
    self.nextPartialResult = nextPartialResult
  }

  @inlinable @inline(__always)
  mutating func receive(_ input: Function.Second) throws(Rule.Thrown) -> Bool {
    partial = try nextPartialResult(partial, input)
    return false
  }

  @inlinable
  mutating func result() -> Function.Output? { partial }
}

/// The logic of `count()`.
@usableFromInline
struct Counting<Input, Failure: Error>: Accumulator {
  @usableFromInline typealias Rule = Keeping<Failure>
  @inlinable var name: String { "Count" }

  @usableFromInline var count = 0

  @inlinable
  init() {}

  @inlinable @inline(__always)
  mutating func receive(_ input: Input) -> Bool {
    count += 1
    return false
  }

  @inlinable
  mutating func result() -> Int? { count }
}

/// The logic of `ignoreOutput()`: a stage, because without a result nothing has to wait.
@usableFromInline
struct Ignoring<Input, Failure: Error>: Stage {
  @usableFromInline typealias Rule = Keeping<Failure>
  @inlinable var name: String { "IgnoreOutput" }
  @inlinable var isTransparent: Bool { true }
  @inlinable var prefetch: Subscribers.Demand { .unlimited }

  @inlinable
  init() {}

  @inlinable @inline(__always)
  mutating func receive(_ input: Input) -> Step<Never> { .swallow }
}
