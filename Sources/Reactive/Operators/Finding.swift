extension Publisher {
  /// Publishes the first value, then finishes.
  ///
  /// ```text
  /// source.first()
  /// source    -a-b-c-|
  /// demand    ---1
  /// output    ---(a|)
  /// upstream  *!
  /// ```
  ///
  /// Requests everything, and cancels upstream at the first value, which then waits for demand. An upstream without
  /// values ends it at once; a failure passes.
  @inlinable @inline(__always)
  public func first() -> Publishers.First<Self> {
    Publishers.First(upstream: self)
  }

  /// Publishes the first value that satisfies a predicate, then finishes.
  ///
  /// ```text
  /// source.first(where: { $0 > "a" })
  /// source    -a-b-c-|
  /// output    ---(b|)
  /// upstream  *--!
  /// ```
  ///
  /// Requests everything, and cancels upstream when the value is found, which then waits for demand. An upstream
  /// without such a value ends it at once; a failure passes.
  ///
  /// - Parameter predicate: Whether a value is the one; not called again afterwards.
  @inlinable @inline(__always)
  public func first(where predicate: @escaping (Output) -> Bool) -> Publishers.FirstWhere<Self> {
    Publishers.FirstWhere(upstream: self, predicate: predicate)
  }

  /// Publishes the first value that satisfies a predicate, then finishes; fails when the predicate throws.
  ///
  /// ```text
  /// source.tryFirst(where: { try check($0) == "b" })
  /// source    -a-x-b-|
  /// output    ---#
  /// upstream  *--!
  /// ```
  ///
  /// Requests everything, and cancels upstream when the value is found, which then waits for demand. An error thrown
  /// cancels upstream and becomes the failure, without demand.
  ///
  /// - Parameter predicate: Whether a value is the one; not called again afterwards.
  @inlinable @inline(__always)
  public func tryFirst(where predicate: @escaping (Output) throws -> Bool) -> Publishers.TryFirstWhere<Self> {
    Publishers.TryFirstWhere(upstream: self, predicate: predicate)
  }

  /// Publishes the last value when upstream finishes.
  ///
  /// ```text
  /// source.last()
  /// source    -a-b-|
  /// demand    -------1
  /// output    -------(b|)
  /// upstream  *
  /// ```
  ///
  /// Requests everything; the value waits for demand. An upstream without values ends it at once; a failure passes and
  /// drops the value.
  @inlinable @inline(__always)
  public func last() -> Publishers.Last<Self> {
    Publishers.Last(upstream: self)
  }

  /// Publishes the last value that satisfies a predicate when upstream finishes.
  ///
  /// ```text
  /// source.last(where: { $0 < "c" })
  /// source    -a-b-c-|
  /// output    -------(b|)
  /// upstream  *
  /// ```
  ///
  /// Requests everything; the value waits for demand. An upstream without such a value ends it at once; a failure
  /// passes and drops the value.
  ///
  /// - Parameter predicate: Whether a value may be the one; called for every value.
  @inlinable @inline(__always)
  public func last(where predicate: @escaping (Output) -> Bool) -> Publishers.LastWhere<Self> {
    Publishers.LastWhere(upstream: self, predicate: predicate)
  }

  /// Publishes the last value that satisfies a predicate when upstream finishes; fails when the predicate throws.
  ///
  /// ```text
  /// source.tryLast(where: { try check($0) < "c" })
  /// source    -a-x-b-|
  /// output    ---#
  /// upstream  *--!
  /// ```
  ///
  /// Requests everything; the value waits for demand. An error thrown cancels upstream and becomes the failure, without
  /// demand.
  ///
  /// - Parameter predicate: Whether a value may be the one; called for every value.
  @inlinable @inline(__always)
  public func tryLast(where predicate: @escaping (Output) throws -> Bool) -> Publishers.TryLastWhere<Self> {
    Publishers.TryLastWhere(upstream: self, predicate: predicate)
  }
}

extension Publishers {
  /// Publishes the first value; see `first()`.
  public struct First<Upstream: Publisher>: AccumulatorOperator {
    /// Where the values come from.
    public let upstream: Upstream

    /// What upstream publishes.
    public typealias Output = Upstream.Output
    /// The failure of upstream.
    public typealias Failure = Upstream.Failure

    @inlinable var logic: Finding<Anything<Output, Failure>> { Finding("First", isFirst: true, Anything()) }

    /// Makes the publisher; see `first()`.
    @inlinable
    public init(upstream: Upstream) {
      self.upstream = upstream
    }
  }

  /// Publishes the first value that satisfies a predicate; see `first(where:)`.
  public struct FirstWhere<Upstream: Publisher>: AccumulatorOperator {
    /// Where the values come from.
    public let upstream: Upstream
    /// Whether a value is the one.
    public let predicate: (Upstream.Output) -> Bool

    /// What upstream publishes.
    public typealias Output = Upstream.Output
    /// The failure of upstream.
    public typealias Failure = Upstream.Failure

    // Combine: this is what it calls itself.
    @inlinable var logic: Finding<Plain<Bool>> { Finding("TryFirst", isFirst: true, Plain(predicate)) }

    /// Makes the publisher; see `first(where:)`.
    @inlinable
    public init(upstream: Upstream, predicate: @escaping (Upstream.Output) -> Bool) {
      self.upstream = upstream
      self.predicate = predicate
    }
  }

  /// Publishes the first value that satisfies a predicate that may throw; see `tryFirst(where:)`.
  public struct TryFirstWhere<Upstream: Publisher>: AccumulatorOperator {
    /// Where the values come from.
    public let upstream: Upstream
    /// Whether a value is the one.
    public let predicate: (Upstream.Output) throws -> Bool

    /// What upstream publishes.
    public typealias Output = Upstream.Output
    /// Any error: the closure's or upstream's.
    public typealias Failure = any Error

    @inlinable var logic: Finding<Throwing<Bool>> { Finding("FirstWhere", isFirst: true, Throwing(predicate)) }

    /// Makes the publisher; see `tryFirst(where:)`.
    @inlinable
    public init(upstream: Upstream, predicate: @escaping (Upstream.Output) throws -> Bool) {
      self.upstream = upstream
      self.predicate = predicate
    }
  }

  /// Publishes the last value; see `last()`.
  public struct Last<Upstream: Publisher>: AccumulatorOperator {
    /// Where the values come from.
    public let upstream: Upstream

    /// What upstream publishes.
    public typealias Output = Upstream.Output
    /// The failure of upstream.
    public typealias Failure = Upstream.Failure

    @inlinable var logic: Finding<Anything<Output, Failure>> { Finding("Last", isFirst: false, Anything()) }

    /// Makes the publisher; see `last()`.
    @inlinable
    public init(upstream: Upstream) {
      self.upstream = upstream
    }
  }

  /// Publishes the last value that satisfies a predicate; see `last(where:)`.
  public struct LastWhere<Upstream: Publisher>: AccumulatorOperator {
    /// Where the values come from.
    public let upstream: Upstream
    /// Whether a value may be the one.
    public let predicate: (Upstream.Output) -> Bool

    /// What upstream publishes.
    public typealias Output = Upstream.Output
    /// The failure of upstream.
    public typealias Failure = Upstream.Failure

    @inlinable var logic: Finding<Plain<Bool>> { Finding("LastWhere", isFirst: false, Plain(predicate)) }

    /// Makes the publisher; see `last(where:)`.
    @inlinable
    public init(upstream: Upstream, predicate: @escaping (Upstream.Output) -> Bool) {
      self.upstream = upstream
      self.predicate = predicate
    }
  }

  /// Publishes the last value that satisfies a predicate that may throw; see `tryLast(where:)`.
  public struct TryLastWhere<Upstream: Publisher>: AccumulatorOperator {
    /// Where the values come from.
    public let upstream: Upstream
    /// Whether a value may be the one.
    public let predicate: (Upstream.Output) throws -> Bool

    /// What upstream publishes.
    public typealias Output = Upstream.Output
    /// Any error: the closure's or upstream's.
    public typealias Failure = any Error

    @inlinable var logic: Finding<Throwing<Bool>> { Finding("LastWhere", isFirst: false, Throwing(predicate)) }

    /// Makes the publisher; see `tryLast(where:)`.
    @inlinable
    public init(upstream: Upstream, predicate: @escaping (Upstream.Output) throws -> Bool) {
      self.upstream = upstream
      self.predicate = predicate
    }
  }
}

extension Publishers.First: Equatable where Upstream: Equatable {}
extension Publishers.Last: Equatable where Upstream: Equatable {}

/// Accepts every value.
@frozen
@usableFromInline
struct Anything<Input, Failure: Error>: StageFunction {
  @usableFromInline typealias Rule = Keeping<Failure>

  @inlinable
  init() {}

  @inlinable @inline(__always)
  func callAsFunction(_ input: Input) -> Bool { true }
}

/// The logic of `first`, `last` and their `try` twins: the value that is accepted first or last.
@usableFromInline
struct Finding<Function: StageFunction>: Accumulator where Function.Output == Bool {
  @usableFromInline typealias Rule = Function.Rule
  @usableFromInline let name: String
  @usableFromInline let isFirst: Bool
  @usableFromInline let predicate: Function
  @usableFromInline var found: Function.Input?

  @inlinable
  init(_ name: String, isFirst: Bool, _ predicate: Function) {
    self.name = name
    self.isFirst = isFirst
    self.predicate = predicate
  }

  @inlinable @inline(__always)
  mutating func receive(_ input: Function.Input) throws(Rule.Thrown) -> Bool {
    guard try predicate(input) else { return false }
    found = input
    return isFirst
  }

  @inlinable
  mutating func result() -> Function.Input? { found }
}
