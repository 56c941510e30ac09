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

  /// Publishes whether a value occurs, then finishes.
  ///
  /// ```text
  /// source.contains("b")
  /// source    -a-b-c-|
  /// output    ---(t|)
  /// upstream  *--!
  /// t = true
  /// ```
  ///
  /// Requests everything, and cancels upstream when the value is found. The answer waits for demand; a failure passes.
  ///
  /// - Parameter output: What to look for.
  @inlinable @inline(__always)
  public func contains(_ output: Output) -> Publishers.Contains<Self> where Output: Equatable {
    Publishers.Contains(upstream: self, output: output)
  }

  /// Publishes whether any value satisfies a predicate, then finishes.
  ///
  /// ```text
  /// source.contains(where: { $0 > "c" })
  /// source    -a-b-|
  /// output    -----(f|)
  /// upstream  *
  /// f = false
  /// ```
  ///
  /// Requests everything, and cancels upstream when such a value is found. The answer waits for demand; a failure
  /// passes.
  ///
  /// - Parameter predicate: Whether a value counts; not called again after it was true.
  @inlinable @inline(__always)
  public func contains(where predicate: @escaping (Output) -> Bool) -> Publishers.ContainsWhere<Self> {
    Publishers.ContainsWhere(upstream: self, predicate: predicate)
  }

  /// Publishes whether any value satisfies a predicate, then finishes; fails when the predicate throws.
  ///
  /// ```text
  /// source.tryContains(where: { try check($0) == "b" })
  /// source    -a-x-b-|
  /// output    ---#
  /// upstream  *--!
  /// ```
  ///
  /// Requests everything, and cancels upstream when such a value is found. The answer waits for demand. An error thrown
  /// cancels upstream and becomes the failure, without demand.
  ///
  /// - Parameter predicate: Whether a value counts; not called again after it was true.
  @inlinable @inline(__always)
  public func tryContains(where predicate: @escaping (Output) throws -> Bool) -> Publishers.TryContainsWhere<Self> {
    Publishers.TryContainsWhere(upstream: self, predicate: predicate)
  }

  /// Publishes whether all values satisfy a predicate, then finishes; true when there are none.
  ///
  /// ```text
  /// source.allSatisfy { $0 < "b" }
  /// source    -a-b-c-|
  /// output    ---(f|)
  /// upstream  *--!
  /// f = false
  /// ```
  ///
  /// Requests everything, and cancels upstream at the first value that does not. The answer waits for demand; a failure
  /// passes.
  ///
  /// - Parameter predicate: Whether a value complies; not called again after it was false.
  @inlinable @inline(__always)
  public func allSatisfy(_ predicate: @escaping (Output) -> Bool) -> Publishers.AllSatisfy<Self> {
    Publishers.AllSatisfy(upstream: self, predicate: predicate)
  }

  /// Publishes whether all values satisfy a predicate, then finishes; fails when the predicate throws.
  ///
  /// ```text
  /// source.tryAllSatisfy { try check($0) < "c" }
  /// source    -a-x-b-|
  /// output    ---#
  /// upstream  *--!
  /// ```
  ///
  /// Requests everything, and cancels upstream at the first value that does not. The answer waits for demand; it is true
  /// without values. An error thrown cancels upstream and becomes the failure, without demand.
  ///
  /// - Parameter predicate: Whether a value complies; not called again after it was false.
  @inlinable @inline(__always)
  public func tryAllSatisfy(_ predicate: @escaping (Output) throws -> Bool) -> Publishers.TryAllSatisfy<Self> {
    Publishers.TryAllSatisfy(upstream: self, predicate: predicate)
  }
}

extension Publishers {
  /// Publishes the first value; see `first()`.
  public struct First<Upstream: Publisher>: LogicOperator {
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
  public struct FirstWhere<Upstream: Publisher>: LogicOperator {
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
  public struct TryFirstWhere<Upstream: Publisher>: LogicOperator {
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
  public struct Last<Upstream: Publisher>: LogicOperator {
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
  public struct LastWhere<Upstream: Publisher>: LogicOperator {
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
  public struct TryLastWhere<Upstream: Publisher>: LogicOperator {
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

  /// Publishes whether a value occurs; see `contains(_:)`.
  public struct Contains<Upstream: Publisher>: LogicOperator where Upstream.Output: Equatable {
    /// Where the values come from.
    public let upstream: Upstream
    /// What to look for.
    public let output: Upstream.Output

    /// The answer.
    public typealias Output = Bool
    /// The failure of upstream.
    public typealias Failure = Upstream.Failure

    @inlinable var logic: Deciding<Plain<Bool>> {
      Deciding("Contains", decisive: true, Plain { [output] in $0 == output })
    }

    /// Makes the publisher; see `contains(_:)`.
    @inlinable
    public init(upstream: Upstream, output: Upstream.Output) {
      self.upstream = upstream
      self.output = output
    }
  }

  /// Publishes whether any value satisfies a predicate; see `contains(where:)`.
  public struct ContainsWhere<Upstream: Publisher>: LogicOperator {
    /// Where the values come from.
    public let upstream: Upstream
    /// Whether a value counts.
    public let predicate: (Upstream.Output) -> Bool

    /// The answer.
    public typealias Output = Bool
    /// The failure of upstream.
    public typealias Failure = Upstream.Failure

    @inlinable var logic: Deciding<Plain<Bool>> { Deciding("ContainsWhere", decisive: true, Plain(predicate)) }

    /// Makes the publisher; see `contains(where:)`.
    @inlinable
    public init(upstream: Upstream, predicate: @escaping (Upstream.Output) -> Bool) {
      self.upstream = upstream
      self.predicate = predicate
    }
  }

  /// Publishes whether any value satisfies a predicate that may throw; see `tryContains(where:)`.
  public struct TryContainsWhere<Upstream: Publisher>: LogicOperator {
    /// Where the values come from.
    public let upstream: Upstream
    /// Whether a value counts.
    public let predicate: (Upstream.Output) throws -> Bool

    /// The answer.
    public typealias Output = Bool
    /// Any error: the closure's or upstream's.
    public typealias Failure = any Error

    @inlinable var logic: Deciding<Throwing<Bool>> {
      Deciding("ContainsWhere", decisive: true, Throwing(predicate))
    }

    /// Makes the publisher; see `tryContains(where:)`.
    @inlinable
    public init(upstream: Upstream, predicate: @escaping (Upstream.Output) throws -> Bool) {
      self.upstream = upstream
      self.predicate = predicate
    }
  }

  /// Publishes whether all values satisfy a predicate; see `allSatisfy(_:)`.
  public struct AllSatisfy<Upstream: Publisher>: LogicOperator {
    /// Where the values come from.
    public let upstream: Upstream
    /// Whether a value complies.
    public let predicate: (Upstream.Output) -> Bool

    /// The answer.
    public typealias Output = Bool
    /// The failure of upstream.
    public typealias Failure = Upstream.Failure

    @inlinable var logic: Deciding<Plain<Bool>> { Deciding("AllSatisfy", decisive: false, Plain(predicate)) }

    /// Makes the publisher; see `allSatisfy(_:)`.
    @inlinable
    public init(upstream: Upstream, predicate: @escaping (Upstream.Output) -> Bool) {
      self.upstream = upstream
      self.predicate = predicate
    }
  }

  /// Publishes whether all values satisfy a predicate that may throw; see `tryAllSatisfy(_:)`.
  public struct TryAllSatisfy<Upstream: Publisher>: LogicOperator {
    /// Where the values come from.
    public let upstream: Upstream
    /// Whether a value complies.
    public let predicate: (Upstream.Output) throws -> Bool

    /// The answer.
    public typealias Output = Bool
    /// Any error: the closure's or upstream's.
    public typealias Failure = any Error

    @inlinable var logic: Deciding<Throwing<Bool>> {
      Deciding("AllSatisfy", decisive: false, Throwing(predicate))
    }

    /// Makes the publisher; see `tryAllSatisfy(_:)`.
    @inlinable
    public init(upstream: Upstream, predicate: @escaping (Upstream.Output) throws -> Bool) {
      self.upstream = upstream
      self.predicate = predicate
    }
  }
}

extension Publishers.First: Equatable where Upstream: Equatable {}
extension Publishers.Last: Equatable where Upstream: Equatable {}
extension Publishers.Contains: Equatable where Upstream: Equatable {}

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

/// The logic of `contains`, `allSatisfy` and their `try` twins: the first decisive verdict is the answer.
@usableFromInline
struct Deciding<Function: StageFunction>: Accumulator where Function.Output == Bool {
  @usableFromInline typealias Rule = Function.Rule
  @usableFromInline let name: String
  /// Which verdict on one value answers the question about all.
  @usableFromInline let decisive: Bool
  @usableFromInline let predicate: Function
  @usableFromInline var isDecided = false

  @inlinable
  init(_ name: String, decisive: Bool, _ predicate: Function) {
    self.name = name
    self.decisive = decisive
    self.predicate = predicate
  }

  @inlinable @inline(__always)
  mutating func receive(_ input: Function.Input) throws(Rule.Thrown) -> Bool {
    isDecided = try predicate(input) == decisive
    return isDecided
  }

  @inlinable
  mutating func result() -> Bool? { isDecided == decisive }
}
