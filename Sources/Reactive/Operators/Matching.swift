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
  public struct First<Upstream: Publisher>: Publisher {
    /// What upstream publishes.
    public typealias Output = Upstream.Output
    /// The failure of upstream.
    public typealias Failure = Upstream.Failure
    /// Where the values come from.
    public let upstream: Upstream

    /// Makes the publisher; see `first()`.
    @inlinable
    public init(upstream: Upstream) {
      self.upstream = upstream
    }

    /// Attaches a subscriber.
    @inlinable @inline(__always)
    public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
      upstream.receive(subscriber: AccumulatingConduit(TakingFirst<Output, Failure>(), subscriber))
    }
  }

  /// Publishes the first value that satisfies a predicate; see `first(where:)`.
  public struct FirstWhere<Upstream: Publisher>: Publisher {
    /// What upstream publishes.
    public typealias Output = Upstream.Output
    /// The failure of upstream.
    public typealias Failure = Upstream.Failure
    /// Where the values come from.
    public let upstream: Upstream
    /// Whether a value is the one.
    public let predicate: (Upstream.Output) -> Bool

    /// Makes the publisher; see `first(where:)`.
    @inlinable
    public init(upstream: Upstream, predicate: @escaping (Upstream.Output) -> Bool) {
      self.upstream = upstream
      self.predicate = predicate
    }

    /// Attaches a subscriber.
    @inlinable @inline(__always)
    public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
      upstream.receive(subscriber: AccumulatingConduit(FindingFirst<Output, Keeping<Failure>>(predicate), subscriber))
    }
  }

  /// Publishes the first value that satisfies a predicate that may throw; see `tryFirst(where:)`.
  public struct TryFirstWhere<Upstream: Publisher>: Publisher {
    /// What upstream publishes.
    public typealias Output = Upstream.Output
    /// Any error: the closure's or upstream's.
    public typealias Failure = any Error
    /// Where the values come from.
    public let upstream: Upstream
    /// Whether a value is the one.
    public let predicate: (Upstream.Output) throws -> Bool

    /// Makes the publisher; see `tryFirst(where:)`.
    @inlinable
    public init(upstream: Upstream, predicate: @escaping (Upstream.Output) throws -> Bool) {
      self.upstream = upstream
      self.predicate = predicate
    }

    /// Attaches a subscriber.
    @inlinable @inline(__always)
    public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
      upstream.receive(
        subscriber: AccumulatingConduit(FindingFirst<Output, Erasing<Upstream.Failure>>(predicate), subscriber))
    }
  }

  /// Publishes the last value; see `last()`.
  public struct Last<Upstream: Publisher>: Publisher {
    /// What upstream publishes.
    public typealias Output = Upstream.Output
    /// The failure of upstream.
    public typealias Failure = Upstream.Failure
    /// Where the values come from.
    public let upstream: Upstream

    /// Makes the publisher; see `last()`.
    @inlinable
    public init(upstream: Upstream) {
      self.upstream = upstream
    }

    /// Attaches a subscriber.
    @inlinable @inline(__always)
    public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
      upstream.receive(subscriber: AccumulatingConduit(TakingLast<Output, Failure>(), subscriber))
    }
  }

  /// Publishes the last value that satisfies a predicate; see `last(where:)`.
  public struct LastWhere<Upstream: Publisher>: Publisher {
    /// What upstream publishes.
    public typealias Output = Upstream.Output
    /// The failure of upstream.
    public typealias Failure = Upstream.Failure
    /// Where the values come from.
    public let upstream: Upstream
    /// Whether a value may be the one.
    public let predicate: (Upstream.Output) -> Bool

    /// Makes the publisher; see `last(where:)`.
    @inlinable
    public init(upstream: Upstream, predicate: @escaping (Upstream.Output) -> Bool) {
      self.upstream = upstream
      self.predicate = predicate
    }

    /// Attaches a subscriber.
    @inlinable @inline(__always)
    public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
      upstream.receive(subscriber: AccumulatingConduit(FindingLast<Output, Keeping<Failure>>(predicate), subscriber))
    }
  }

  /// Publishes the last value that satisfies a predicate that may throw; see `tryLast(where:)`.
  public struct TryLastWhere<Upstream: Publisher>: Publisher {
    /// What upstream publishes.
    public typealias Output = Upstream.Output
    /// Any error: the closure's or upstream's.
    public typealias Failure = any Error
    /// Where the values come from.
    public let upstream: Upstream
    /// Whether a value may be the one.
    public let predicate: (Upstream.Output) throws -> Bool

    /// Makes the publisher; see `tryLast(where:)`.
    @inlinable
    public init(upstream: Upstream, predicate: @escaping (Upstream.Output) throws -> Bool) {
      self.upstream = upstream
      self.predicate = predicate
    }

    /// Attaches a subscriber.
    @inlinable @inline(__always)
    public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
      upstream.receive(
        subscriber: AccumulatingConduit(FindingLast<Output, Erasing<Upstream.Failure>>(predicate), subscriber))
    }
  }

  /// Publishes whether a value occurs; see `contains(_:)`.
  public struct Contains<Upstream: Publisher>: Publisher where Upstream.Output: Equatable {
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

    /// Attaches a subscriber.
    @inlinable @inline(__always)
    public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
      upstream.receive(
        subscriber: AccumulatingConduit(
          Deciding<Upstream.Output, Keeping<Failure>, Occurrence>({ [output] in $0 == output }), subscriber))
    }
  }

  /// Publishes whether any value satisfies a predicate; see `contains(where:)`.
  public struct ContainsWhere<Upstream: Publisher>: Publisher {
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

    /// Attaches a subscriber.
    @inlinable @inline(__always)
    public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
      upstream.receive(subscriber: AccumulatingConduit(Deciding<_, Keeping<Failure>, Existence>(predicate), subscriber))
    }
  }

  /// Publishes whether any value satisfies a predicate that may throw; see `tryContains(where:)`.
  public struct TryContainsWhere<Upstream: Publisher>: Publisher {
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

    /// Attaches a subscriber.
    @inlinable @inline(__always)
    public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
      upstream.receive(
        subscriber: AccumulatingConduit(Deciding<_, Erasing<Upstream.Failure>, Existence>(predicate), subscriber))
    }
  }

  /// Publishes whether all values satisfy a predicate; see `allSatisfy(_:)`.
  public struct AllSatisfy<Upstream: Publisher>: Publisher {
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

    /// Attaches a subscriber.
    @inlinable @inline(__always)
    public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
      upstream.receive(
        subscriber: AccumulatingConduit(Deciding<_, Keeping<Failure>, Universality>(predicate), subscriber))
    }
  }

  /// Publishes whether all values satisfy a predicate that may throw; see `tryAllSatisfy(_:)`.
  public struct TryAllSatisfy<Upstream: Publisher>: Publisher {
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

    /// Attaches a subscriber.
    @inlinable @inline(__always)
    public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
      upstream.receive(
        subscriber: AccumulatingConduit(Deciding<_, Erasing<Upstream.Failure>, Universality>(predicate), subscriber))
    }
  }
}

extension Publishers.First: Equatable where Upstream: Equatable {}
extension Publishers.Last: Equatable where Upstream: Equatable {}
extension Publishers.Contains: Equatable where Upstream: Equatable {}

/// The logic of `first()`.
@usableFromInline
struct TakingFirst<Value, Failure: Error>: Accumulator {
  @usableFromInline typealias Rule = Keeping<Failure>
  @inlinable static var name: String { "First" }

  @usableFromInline var found: Value?

  @inlinable
  init() {}

  @inlinable @inline(__always)
  mutating func receive(_ input: Value) -> Bool {
    found = input
    return true
  }

  @inlinable
  mutating func result() -> Value? { found }
}

/// The logic of `first(where:)` and `tryFirst(where:)`.
@usableFromInline
struct FindingFirst<Value, Rule: ConvertingFailureRule>: Accumulator {
  // Combine: `first(where:)` calls itself "TryFirst".
  @inlinable static var name: String { Rule.tries ? "FirstWhere" : "TryFirst" }

  @usableFromInline let predicate: (Value) throws(Rule.Thrown) -> Bool
  @usableFromInline var found: Value?

  @inlinable
  init(_ predicate: @escaping (Value) throws(Rule.Thrown) -> Bool) {
    self.predicate = predicate
  }

  @inlinable @inline(__always)
  mutating func receive(_ input: Value) throws(Rule.Thrown) -> Bool {
    guard try predicate(input) else { return false }
    found = input
    return true
  }

  @inlinable
  mutating func result() -> Value? { found }
}

/// The logic of `last()`.
@usableFromInline
struct TakingLast<Value, Failure: Error>: Accumulator {
  @usableFromInline typealias Rule = Keeping<Failure>
  @inlinable static var name: String { "Last" }

  @usableFromInline var latest: Value?

  @inlinable
  init() {}

  @inlinable @inline(__always)
  mutating func receive(_ input: Value) -> Bool {
    latest = input
    return false
  }

  @inlinable
  mutating func result() -> Value? { latest }
}

/// The logic of `last(where:)` and `tryLast(where:)`.
@usableFromInline
struct FindingLast<Value, Rule: ConvertingFailureRule>: Accumulator {
  @inlinable static var name: String { "LastWhere" }

  @usableFromInline let predicate: (Value) throws(Rule.Thrown) -> Bool
  @usableFromInline var latest: Value?

  @inlinable
  init(_ predicate: @escaping (Value) throws(Rule.Thrown) -> Bool) {
    self.predicate = predicate
  }

  @inlinable @inline(__always)
  mutating func receive(_ input: Value) throws(Rule.Thrown) -> Bool {
    if try predicate(input) { latest = input }
    return false
  }

  @inlinable
  mutating func result() -> Value? { latest }
}

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
struct Deciding<Input, Rule: ConvertingFailureRule, Asked: Question>: Accumulator {
  @inlinable static var name: String { Asked.name }

  @usableFromInline let predicate: (Input) throws(Rule.Thrown) -> Bool
  @usableFromInline var isDecided = false

  @inlinable
  init(_ predicate: @escaping (Input) throws(Rule.Thrown) -> Bool) {
    self.predicate = predicate
  }

  @inlinable @inline(__always)
  mutating func receive(_ input: Input) throws(Rule.Thrown) -> Bool {
    isDecided = try predicate(input) == Asked.decisive
    return isDecided
  }

  @inlinable
  mutating func result() -> Bool? { isDecided == Asked.decisive }
}
