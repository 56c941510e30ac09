extension Publisher {
  /// Publishes the largest value when upstream finishes; of equal ones the first.
  ///
  /// ```text
  /// source.max()
  /// source    -b-c-a-|
  /// demand    --------1
  /// output    --------(c|)
  /// upstream  *
  /// ```
  ///
  /// Requests everything; the value waits for demand. An upstream without values ends it at once; a failure passes and
  /// drops the value.
  @inlinable @inline(__always)
  public func max() -> Publishers.Comparison<Self> where Output: Comparable {
    max(by: <)
  }

  /// Publishes the smallest value when upstream finishes; of equal ones the first.
  ///
  /// ```text
  /// source.min()
  /// source    -b-a-c-|
  /// demand    --------1
  /// output    --------(a|)
  /// upstream  *
  /// ```
  ///
  /// Requests everything; the value waits for demand. An upstream without values ends it at once; a failure passes and
  /// drops the value.
  @inlinable @inline(__always)
  public func min() -> Publishers.Comparison<Self> where Output: Comparable {
    min(by: <)
  }

  /// Publishes the largest value in an order when upstream finishes; of equal ones the first.
  ///
  /// ```text
  /// source.max(by: { $0.lowercased() < $1.lowercased() })
  /// source    -b-C-a-c-|
  /// output    ---------(C|)
  /// upstream  *
  /// ```
  ///
  /// Requests everything; the value waits for demand. An upstream without values ends it at once; a failure passes and
  /// drops the value.
  ///
  /// - Parameter areInIncreasingOrder: Whether the first value comes before the second.
  @inlinable @inline(__always)
  public func max(
    by areInIncreasingOrder: @escaping (Output, Output) -> Bool
  ) -> Publishers.Comparison<Self> {
    Publishers.Comparison(upstream: self, areInIncreasingOrder: areInIncreasingOrder)
  }

  /// Publishes the smallest value in an order when upstream finishes; of equal ones the first.
  ///
  /// ```text
  /// source.min(by: { $0.lowercased() < $1.lowercased() })
  /// source    -b-A-c-a-|
  /// output    ---------(A|)
  /// upstream  *
  /// ```
  ///
  /// Requests everything; the value waits for demand. An upstream without values ends it at once; a failure passes and
  /// drops the value.
  ///
  /// - Parameter areInIncreasingOrder: Whether the first value comes before the second.
  @inlinable @inline(__always)
  public func min(
    by areInIncreasingOrder: @escaping (Output, Output) -> Bool
  ) -> Publishers.Comparison<Self> {
    Publishers.Comparison(upstream: self) { areInIncreasingOrder($1, $0) }
  }

  /// Publishes the largest value in an order when upstream finishes; fails when the comparison throws.
  ///
  /// ```text
  /// source.tryMax(by: { try check($0) < check($1) })
  /// source    -a-b-x-c-|
  /// output    -----#
  /// upstream  *----!
  /// ```
  ///
  /// Requests everything; the value, of equal ones the first, waits for demand. An error thrown cancels upstream and
  /// becomes the failure, without demand.
  ///
  /// - Parameter areInIncreasingOrder: Whether the first value comes before the second; or throws.
  @inlinable @inline(__always)
  public func tryMax(
    by areInIncreasingOrder: @escaping (Output, Output) throws -> Bool
  ) -> Publishers.TryComparison<Self> {
    Publishers.TryComparison(upstream: self, areInIncreasingOrder: areInIncreasingOrder)
  }

  /// Publishes the smallest value in an order when upstream finishes; fails when the comparison throws.
  ///
  /// ```text
  /// source.tryMin(by: { try check($0) < check($1) })
  /// source    -a-b-x-c-|
  /// output    -----#
  /// upstream  *----!
  /// ```
  ///
  /// Requests everything; the value, of equal ones the first, waits for demand. An error thrown cancels upstream and
  /// becomes the failure, without demand.
  ///
  /// - Parameter areInIncreasingOrder: Whether the first value comes before the second; or throws.
  @inlinable @inline(__always)
  public func tryMin(
    by areInIncreasingOrder: @escaping (Output, Output) throws -> Bool
  ) -> Publishers.TryComparison<Self> {
    Publishers.TryComparison(upstream: self) { try areInIncreasingOrder($1, $0) }
  }
}

extension Publishers {
  /// Publishes the value that comes last in an order; see `max(by:)` and `min(by:)`.
  public struct Comparison<Upstream: Publisher>: LogicOperator {
    /// Where the values come from.
    public let upstream: Upstream
    /// Whether the second value takes the place of the first.
    public let areInIncreasingOrder: (Upstream.Output, Upstream.Output) -> Bool

    /// What upstream publishes.
    public typealias Output = Upstream.Output
    /// The failure of upstream.
    public typealias Failure = Upstream.Failure

    @inlinable var logic: Comparing<PlainFunction2<Output, Output, Bool, Failure>> {
      Comparing(PlainFunction2(areInIncreasingOrder))
    }

    /// Makes the publisher; see `max(by:)` and `min(by:)`.
    @inlinable
    public init(upstream: Upstream, areInIncreasingOrder: @escaping (Upstream.Output, Upstream.Output) -> Bool) {
      self.upstream = upstream
      self.areInIncreasingOrder = areInIncreasingOrder
    }
  }

  /// Publishes the value that comes last in an order that may throw; see `tryMax(by:)` and `tryMin(by:)`.
  public struct TryComparison<Upstream: Publisher>: LogicOperator {
    /// Where the values come from.
    public let upstream: Upstream
    /// Whether the second value takes the place of the first.
    public let areInIncreasingOrder: (Upstream.Output, Upstream.Output) throws -> Bool

    /// What upstream publishes.
    public typealias Output = Upstream.Output
    /// Any error: the closure's or upstream's.
    public typealias Failure = any Error

    @inlinable var logic: Comparing<ThrowingFunction2<Output, Output, Bool, Upstream.Failure>> {
      Comparing(ThrowingFunction2(areInIncreasingOrder))
    }

    /// Makes the publisher; see `tryMax(by:)` and `tryMin(by:)`.
    @inlinable
    public init(upstream: Upstream, areInIncreasingOrder: @escaping (Upstream.Output, Upstream.Output) throws -> Bool) {
      self.upstream = upstream
      self.areInIncreasingOrder = areInIncreasingOrder
    }
  }
}

/// The logic of `max`, `min` and their `try` twins; for `min` the closure swaps its arguments.
@usableFromInline
struct Comparing<Function: StageFunction2>: Accumulator
where Function.First == Function.Second, Function.Output == Bool {
  @usableFromInline typealias Rule = Function.Rule
  @inlinable var name: String { "Comparison" }

  @usableFromInline let areInIncreasingOrder: Function
  @usableFromInline var best: Function.First?

  @inlinable
  init(_ areInIncreasingOrder: Function) {
    self.areInIncreasingOrder = areInIncreasingOrder
  }

  @inlinable @inline(__always)
  mutating func receive(_ input: Function.First) throws(Rule.Thrown) -> Bool {
    if let best, try !areInIncreasingOrder(best, input) { return false }
    best = input
    return false
  }

  @inlinable
  mutating func result() -> Function.First? { best }
}
