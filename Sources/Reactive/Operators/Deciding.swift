extension Publisher {
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
  /// Publishes whether a value occurs; see `contains(_:)`.
  public struct Contains<Upstream: Publisher>: AccumulatorOperator where Upstream.Output: Equatable {
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
  public struct ContainsWhere<Upstream: Publisher>: AccumulatorOperator {
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
  public struct TryContainsWhere<Upstream: Publisher>: AccumulatorOperator {
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
  public struct AllSatisfy<Upstream: Publisher>: AccumulatorOperator {
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
  public struct TryAllSatisfy<Upstream: Publisher>: AccumulatorOperator {
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

extension Publishers.Contains: Equatable where Upstream: Equatable {}

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
