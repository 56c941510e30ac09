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
    /// The answer.
    public typealias Output = Bool
    /// The failure of upstream.
    public typealias Failure = Upstream.Failure
    /// Where the values come from.
    public let upstream: Upstream
    /// What to look for.
    public let output: Upstream.Output

    /// Makes the publisher; see `contains(_:)`.
    @inlinable
    public init(upstream: Upstream, output: Upstream.Output) {
      self.upstream = upstream
      self.output = output
    }

    @inlinable var accumulator: Deciding<Plain<Bool>, Occurrence> { Deciding(Plain { [output] in $0 == output }) }
  }

  /// Publishes whether any value satisfies a predicate; see `contains(where:)`.
  public struct ContainsWhere<Upstream: Publisher>: AccumulatorOperator {
    /// The answer.
    public typealias Output = Bool
    /// The failure of upstream.
    public typealias Failure = Upstream.Failure
    /// Where the values come from.
    public let upstream: Upstream
    /// Whether a value counts.
    public let predicate: (Upstream.Output) -> Bool

    /// Makes the publisher; see `contains(where:)`.
    @inlinable
    public init(upstream: Upstream, predicate: @escaping (Upstream.Output) -> Bool) {
      self.upstream = upstream
      self.predicate = predicate
    }

    @inlinable var accumulator: Deciding<Plain<Bool>, Existence> { Deciding(Plain(predicate)) }
  }

  /// Publishes whether any value satisfies a predicate that may throw; see `tryContains(where:)`.
  public struct TryContainsWhere<Upstream: Publisher>: AccumulatorOperator {
    /// The answer.
    public typealias Output = Bool
    /// Any error: the closure's or upstream's.
    public typealias Failure = any Error
    /// Where the values come from.
    public let upstream: Upstream
    /// Whether a value counts.
    public let predicate: (Upstream.Output) throws -> Bool

    /// Makes the publisher; see `tryContains(where:)`.
    @inlinable
    public init(upstream: Upstream, predicate: @escaping (Upstream.Output) throws -> Bool) {
      self.upstream = upstream
      self.predicate = predicate
    }

    @inlinable var accumulator: Deciding<Throwing<Bool>, Existence> { Deciding(Throwing(predicate)) }
  }

  /// Publishes whether all values satisfy a predicate; see `allSatisfy(_:)`.
  public struct AllSatisfy<Upstream: Publisher>: AccumulatorOperator {
    /// The answer.
    public typealias Output = Bool
    /// The failure of upstream.
    public typealias Failure = Upstream.Failure
    /// Where the values come from.
    public let upstream: Upstream
    /// Whether a value complies.
    public let predicate: (Upstream.Output) -> Bool

    /// Makes the publisher; see `allSatisfy(_:)`.
    @inlinable
    public init(upstream: Upstream, predicate: @escaping (Upstream.Output) -> Bool) {
      self.upstream = upstream
      self.predicate = predicate
    }

    @inlinable var accumulator: Deciding<Plain<Bool>, Universality> { Deciding(Plain(predicate)) }
  }

  /// Publishes whether all values satisfy a predicate that may throw; see `tryAllSatisfy(_:)`.
  public struct TryAllSatisfy<Upstream: Publisher>: AccumulatorOperator {
    /// The answer.
    public typealias Output = Bool
    /// Any error: the closure's or upstream's.
    public typealias Failure = any Error
    /// Where the values come from.
    public let upstream: Upstream
    /// Whether a value complies.
    public let predicate: (Upstream.Output) throws -> Bool

    /// Makes the publisher; see `tryAllSatisfy(_:)`.
    @inlinable
    public init(upstream: Upstream, predicate: @escaping (Upstream.Output) throws -> Bool) {
      self.upstream = upstream
      self.predicate = predicate
    }

    @inlinable var accumulator: Deciding<Throwing<Bool>, Universality> { Deciding(Throwing(predicate)) }
  }
}

extension Publishers.Contains: Equatable where Upstream: Equatable {}

/// What a yes-or-no question about all values is called, and which verdict on one value answers it.
@usableFromInline
protocol Question {
  static var name: String { get }
  static var decisive: Bool { get }
}

/// Whether a value equals a given one.
@usableFromInline
enum Occurrence: Question {
  @inlinable static var name: String { "Contains" }
  @inlinable static var decisive: Bool { true }
}

/// Whether there is a value of a kind.
@usableFromInline
enum Existence: Question {
  @inlinable static var name: String { "ContainsWhere" }
  @inlinable static var decisive: Bool { true }
}

/// Whether all values are of a kind.
@usableFromInline
enum Universality: Question {
  @inlinable static var name: String { "AllSatisfy" }
  @inlinable static var decisive: Bool { false }
}

/// The logic of `contains`, `allSatisfy` and their `try` twins: the first decisive verdict is the answer.
@usableFromInline
struct Deciding<Function: StageFunction, Asked: Question>: Accumulator where Function.Output == Bool {
  @usableFromInline typealias Rule = Function.Rule
  @inlinable static var name: String { Asked.name }

  @usableFromInline let predicate: Function
  @usableFromInline var isDecided = false

  @inlinable
  init(_ predicate: Function) {
    self.predicate = predicate
  }

  @inlinable @inline(__always)
  mutating func receive(_ input: Function.Input) throws(Rule.Thrown) -> Bool {
    isDecided = try predicate(input) == Asked.decisive
    return isDecided
  }

  @inlinable
  mutating func result() -> Bool? { isDecided == Asked.decisive }
}
