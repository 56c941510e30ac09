extension Publisher {
  /// Publishes the values that a closure accepts.
  ///
  /// ```text
  /// source.filter { $0 != "b" }
  /// source    -a-b-c-|
  /// demand    2
  /// output    -a---c-|
  /// upstream  2--1
  /// ```
  ///
  /// A value that is refused is made up for by requesting another one. Completion, failure and cancel pass.
  ///
  /// - Parameter isIncluded: Whether to publish a value; called on the thread that delivers.
  @inlinable @inline(__always)
  public func filter(_ isIncluded: @escaping (Output) -> Bool) -> Publishers.Filter<Self> {
    Publishers.Filter(upstream: self, isIncluded: isIncluded)
  }

  /// Publishes the values that a closure accepts, and fails when it throws.
  ///
  /// ```text
  /// source.tryFilter { try check($0) != "b" }
  /// source    -a-b-x-c-|
  /// demand    2
  /// output    -a---#
  /// upstream  2--1-!
  /// ```
  ///
  /// A value that is refused is made up for by requesting another one. Completion, failure and cancel pass. An error
  /// thrown cancels upstream and becomes the failure.
  ///
  /// - Parameter isIncluded: Whether to publish a value; called on the thread that delivers.
  @inlinable @inline(__always)
  public func tryFilter(_ isIncluded: @escaping (Output) throws -> Bool) -> Publishers.TryFilter<Self> {
    Publishers.TryFilter(upstream: self, isIncluded: isIncluded)
  }

  /// Publishes what a closure makes of each value, leaving out nil.
  ///
  /// ```text
  /// source.compactMap { $0 == "b" ? nil : $0.uppercased() }
  /// source    -a-b-c-|
  /// demand    2
  /// output    -A---C-|
  /// upstream  2--1
  /// ```
  ///
  /// A nil is made up for by requesting another value. Completion, failure and cancel pass.
  ///
  /// - Parameter transform: Makes a new value or nil; called on the thread that delivers.
  @inlinable @inline(__always)
  public func compactMap<T>(_ transform: @escaping (Output) -> T?) -> Publishers.CompactMap<Self, T> {
    Publishers.CompactMap(upstream: self, transform: transform)
  }

  /// Publishes what a closure makes of each value, leaving out nil, and fails when it throws.
  ///
  /// ```text
  /// source.tryCompactMap { try check($0) == "b" ? nil : $0 }
  /// source    -a-b-x-c-|
  /// demand    2
  /// output    -a---#
  /// upstream  2--1-!
  /// ```
  ///
  /// A nil is made up for by requesting another value. Completion, failure and cancel pass. An error thrown cancels
  /// upstream and becomes the failure.
  ///
  /// - Parameter transform: Makes a new value or nil, or throws; called on the thread that delivers.
  @inlinable @inline(__always)
  public func tryCompactMap<T>(_ transform: @escaping (Output) throws -> T?) -> Publishers.TryCompactMap<Self, T> {
    Publishers.TryCompactMap(upstream: self, transform: transform)
  }

  /// Publishes the values that a closure tells from the value before.
  ///
  /// ```text
  /// source.removeDuplicates(by: { $0.lowercased() == $1.lowercased() })
  /// source    -a-A-b-a-|
  /// demand    3
  /// output    -a---b-a-|
  /// upstream  3--1
  /// ```
  ///
  /// The first value is always published. Each other is compared with the value that upstream sent just before it,
  /// published or not. A value left out is made up for by requesting another one. Completion, failure and cancel pass.
  ///
  /// - Parameter predicate: Whether the second value counts as a repetition of the first, the earlier one; called on
  ///   the thread that delivers.
  @inlinable @inline(__always)
  public func removeDuplicates(
    by predicate: @escaping (Output, Output) -> Bool
  ) -> Publishers.RemoveDuplicates<Self> {
    Publishers.RemoveDuplicates(upstream: self, predicate: predicate)
  }

  /// Publishes the values that a closure tells from the value before, and fails when it throws.
  ///
  /// ```text
  /// source.tryRemoveDuplicates(by: { try check($0) == check($1) })
  /// source    -a-a-x-b-|
  /// demand    2
  /// output    -a---#
  /// upstream  2--1-!
  /// ```
  ///
  /// The first value is always published. Each other is compared with the value that upstream sent just before it,
  /// published or not. A value left out is made up for by requesting another one. Completion, failure and cancel pass.
  /// An error thrown cancels upstream and becomes the failure.
  ///
  /// - Parameter predicate: Whether the second value counts as a repetition of the first, the earlier one; called on
  ///   the thread that delivers.
  @inlinable @inline(__always)
  public func tryRemoveDuplicates(
    by predicate: @escaping (Output, Output) throws -> Bool
  ) -> Publishers.TryRemoveDuplicates<Self> {
    Publishers.TryRemoveDuplicates(upstream: self, predicate: predicate)
  }
}

extension Publisher where Output: Equatable {
  /// Publishes the values that differ from the value before.
  ///
  /// ```text
  /// source.removeDuplicates()
  /// source    -a-a-b-a-|
  /// demand    3
  /// output    -a---b-a-|
  /// upstream  3--1
  /// ```
  ///
  /// A value left out is made up for by requesting another one. Completion, failure and cancel pass.
  @inlinable @inline(__always)
  public func removeDuplicates() -> Publishers.RemoveDuplicates<Self> {
    removeDuplicates(by: ==)
  }
}

extension Publishers {
  /// Publishes the values that a closure accepts; see `filter(_:)`.
  public struct Filter<Upstream: Publisher>: LogicOperator {
    /// Where the values come from.
    public let upstream: Upstream
    /// Whether to publish a value.
    public let isIncluded: (Upstream.Output) -> Bool

    /// The value of upstream.
    public typealias Output = Upstream.Output
    /// The failure of upstream.
    public typealias Failure = Upstream.Failure

    @inlinable var logic: Applying<Plain<Bool>, Filtering<Output>> { Applying(Plain(isIncluded)) }

    /// Makes the publisher; see `filter(_:)`.
    @inlinable
    public init(upstream: Upstream, isIncluded: @escaping (Upstream.Output) -> Bool) {
      self.upstream = upstream
      self.isIncluded = isIncluded
    }

    /// Publishes the values that both closures accept; the second is asked after the first has accepted.
    @inlinable @inline(__always)
    public func filter(_ isIncluded: @escaping (Output) -> Bool) -> Publishers.Filter<Upstream> {
      let first = self.isIncluded
      return upstream.filter { first($0) && isIncluded($0) }
    }

    /// Publishes the values that both closures accept, and fails when the second throws; it is asked after the first
    /// has accepted.
    @inlinable @inline(__always)
    public func tryFilter(_ isIncluded: @escaping (Output) throws -> Bool) -> Publishers.TryFilter<Upstream> {
      let first = self.isIncluded
      return upstream.tryFilter { try first($0) && isIncluded($0) }
    }
  }

  /// Publishes the values that a closure accepts, and fails when it throws; see `tryFilter(_:)`.
  public struct TryFilter<Upstream: Publisher>: LogicOperator {
    /// Where the values come from.
    public let upstream: Upstream
    /// Whether to publish a value.
    public let isIncluded: (Upstream.Output) throws -> Bool

    /// The value of upstream.
    public typealias Output = Upstream.Output
    /// Any error: the closure's or upstream's.
    public typealias Failure = any Error

    @inlinable var logic: Applying<Throwing<Bool>, Filtering<Output>> { Applying(Throwing(isIncluded)) }

    /// Makes the publisher; see `tryFilter(_:)`.
    @inlinable
    public init(upstream: Upstream, isIncluded: @escaping (Upstream.Output) throws -> Bool) {
      self.upstream = upstream
      self.isIncluded = isIncluded
    }

    /// Publishes the values that both closures accept; the second is asked after the first has accepted.
    @inlinable @inline(__always)
    public func filter(_ isIncluded: @escaping (Output) -> Bool) -> Publishers.TryFilter<Upstream> {
      tryFilter(isIncluded)
    }

    /// Publishes the values that both closures accept, and fails when one throws; the second is asked after the first
    /// has accepted.
    @inlinable @inline(__always)
    public func tryFilter(_ isIncluded: @escaping (Output) throws -> Bool) -> Publishers.TryFilter<Upstream> {
      let first = self.isIncluded
      return upstream.tryFilter { try first($0) && isIncluded($0) }
    }
  }
}

/// The logic of `filter` and `tryFilter`.
@usableFromInline
enum Filtering<Value>: AnswerMeaning {
  @inlinable static var name: String { "Filter" }

  @inlinable @inline(__always)
  static func step(for input: Value, _ isIncluded: Bool) -> Step<Value> { isIncluded ? .emit(input) : .skip }
}

extension Publishers {
  /// Publishes what a closure makes of each value, leaving out nil; see `compactMap(_:)`.
  public struct CompactMap<Upstream: Publisher, Output>: LogicOperator {
    /// Where the values come from.
    public let upstream: Upstream
    /// Makes a new value or nil.
    public let transform: (Upstream.Output) -> Output?

    /// The failure of upstream.
    public typealias Failure = Upstream.Failure

    @inlinable var logic: Applying<Plain<Output?>, CompactMapping<Upstream.Output, Output>> {
      Applying(Plain(transform))
    }

    /// Makes the publisher; see `compactMap(_:)`.
    @inlinable
    public init(upstream: Upstream, transform: @escaping (Upstream.Output) -> Output?) {
      self.upstream = upstream
      self.transform = transform
    }

    /// Publishes what the second closure makes of what the first made, leaving out every nil.
    @inlinable @inline(__always)
    public func compactMap<T>(_ transform: @escaping (Output) -> T?) -> Publishers.CompactMap<Upstream, T> {
      let first = self.transform
      return upstream.compactMap { first($0).flatMap(transform) }
    }

    /// Publishes what the second closure makes of what the first made of each value, unless that was nil.
    @inlinable @inline(__always)
    public func map<T>(_ transform: @escaping (Output) -> T) -> Publishers.CompactMap<Upstream, T> {
      let first = self.transform
      return upstream.compactMap { first($0).map(transform) }
    }
  }

  /// Publishes what a closure makes of each value, leaving out nil, and fails when it throws; see `tryCompactMap(_:)`.
  public struct TryCompactMap<Upstream: Publisher, Output>: LogicOperator {
    /// Where the values come from.
    public let upstream: Upstream
    /// Makes a new value or nil, or throws.
    public let transform: (Upstream.Output) throws -> Output?

    /// Any error: the closure's or upstream's.
    public typealias Failure = any Error

    @inlinable var logic: Applying<Throwing<Output?>, CompactMapping<Upstream.Output, Output>> {
      Applying(Throwing(transform))
    }

    /// Makes the publisher; see `tryCompactMap(_:)`.
    @inlinable
    public init(upstream: Upstream, transform: @escaping (Upstream.Output) throws -> Output?) {
      self.upstream = upstream
      self.transform = transform
    }

    /// Publishes what the second closure makes of what the first made, leaving out every nil, and fails when one
    /// throws.
    @inlinable @inline(__always)
    public func compactMap<T>(_ transform: @escaping (Output) throws -> T?) -> Publishers.TryCompactMap<Upstream, T> {
      let first = self.transform
      return upstream.tryCompactMap { try first($0).flatMap(transform) }
    }
  }
}

/// The logic of `compactMap` and `tryCompactMap`.
@usableFromInline
enum CompactMapping<Input, Output>: AnswerMeaning {
  @inlinable static var name: String { "CompactMap" }

  @inlinable @inline(__always)
  static func step(for input: Input, _ output: Output?) -> Step<Output> {
    if let output { .emit(output) } else { .skip }
  }
}

extension Publishers {
  /// Publishes the values that a closure tells from the value before; see `removeDuplicates(by:)`.
  public struct RemoveDuplicates<Upstream: Publisher>: LogicOperator {
    /// Where the values come from.
    public let upstream: Upstream
    /// Whether the second value counts as a repetition of the first.
    public let predicate: (Upstream.Output, Upstream.Output) -> Bool

    /// The value of upstream.
    public typealias Output = Upstream.Output
    /// The failure of upstream.
    public typealias Failure = Upstream.Failure

    @inlinable var logic: RemovingDuplicates<PlainFunction2<Output, Output, Bool, Failure>> {
      RemovingDuplicates(PlainFunction2(predicate))
    }

    /// Makes the publisher; see `removeDuplicates(by:)`.
    @inlinable
    public init(upstream: Upstream, predicate: @escaping (Upstream.Output, Upstream.Output) -> Bool) {
      self.upstream = upstream
      self.predicate = predicate
    }
  }

  /// Publishes the values that a closure tells from the value before, and fails when it throws; see
  /// `tryRemoveDuplicates(by:)`.
  public struct TryRemoveDuplicates<Upstream: Publisher>: LogicOperator {
    /// Where the values come from.
    public let upstream: Upstream
    /// Whether the second value counts as a repetition of the first.
    public let predicate: (Upstream.Output, Upstream.Output) throws -> Bool

    /// The value of upstream.
    public typealias Output = Upstream.Output
    /// Any error: the closure's or upstream's.
    public typealias Failure = any Error

    @inlinable var logic: RemovingDuplicates<ThrowingFunction2<Output, Output, Bool, Upstream.Failure>> {
      RemovingDuplicates(ThrowingFunction2(predicate))
    }

    /// Makes the publisher; see `tryRemoveDuplicates(by:)`.
    @inlinable
    public init(upstream: Upstream, predicate: @escaping (Upstream.Output, Upstream.Output) throws -> Bool) {
      self.upstream = upstream
      self.predicate = predicate
    }
  }
}

/// The logic of `removeDuplicates` and `tryRemoveDuplicates`.
@usableFromInline
struct RemovingDuplicates<Function: StageFunction2>: Stage
where Function.First == Function.Second, Function.Output == Bool {
  @usableFromInline typealias Rule = Function.Rule
  @inlinable var name: String { "RemoveDuplicates" }

  @usableFromInline let isRepetition: Function
  @usableFromInline var previous: Function.First?

  @inlinable
  init(_ isRepetition: Function) {
    self.isRepetition = isRepetition
  }

  @inlinable @inline(__always)
  mutating func receive(_ input: Function.First) throws(Rule.Thrown) -> Step<Function.First> {
    let isRepeated = if let before = previous.take() { try isRepetition(before, input) } else { false }
    previous = input
    return isRepeated ? .skip : .emit(input)
  }
}
