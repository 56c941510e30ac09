extension Publisher {
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
  /// Publishes all values but the first ones; see `dropFirst(_:)`.
  public struct Drop<Upstream: Publisher>: Publisher {
    /// The value of upstream.
    public typealias Output = Upstream.Output
    /// The failure of upstream.
    public typealias Failure = Upstream.Failure
    /// Where the values come from.
    public let upstream: Upstream
    /// How many values to leave out.
    public let count: Int

    /// Makes the publisher; see `dropFirst(_:)`.
    @inlinable
    public init(upstream: Upstream, count: Int) {
      precondition(count >= 0, "The number of values to drop cannot be negative: \(count)")
      self.upstream = upstream
      self.count = count
    }

    /// Attaches a subscriber.
    @inlinable @inline(__always)
    public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
      upstream.receive(subscriber: Conduit(Dropping<Output, Failure>(count: count), subscriber))
    }
  }
}

extension Publishers.Drop: Equatable where Upstream: Equatable {}

/// The logic of `dropFirst`.
@usableFromInline
struct Dropping<Input, Failure: Error>: Stage {
  @usableFromInline typealias Rule = Keeping<Failure>
  @inlinable static var name: String { "Drop" }

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
  public struct DropWhile<Upstream: Publisher>: Publisher {
    /// The value of upstream.
    public typealias Output = Upstream.Output
    /// The failure of upstream.
    public typealias Failure = Upstream.Failure
    /// Where the values come from.
    public let upstream: Upstream
    /// Whether to leave a value out.
    public let predicate: (Output) -> Bool

    /// Makes the publisher; see `drop(while:)`.
    @inlinable
    public init(upstream: Upstream, predicate: @escaping (Output) -> Bool) {
      self.upstream = upstream
      self.predicate = predicate
    }

    /// Attaches a subscriber.
    @inlinable @inline(__always)
    public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
      upstream.receive(subscriber: Conduit(DroppingWhile(PlainFunction<_, _, Failure>(predicate)), subscriber))
    }
  }

  /// Publishes all values from the first one that a closure refuses, and fails when it throws; see `tryDrop(while:)`.
  public struct TryDropWhile<Upstream: Publisher>: Publisher {
    /// The value of upstream.
    public typealias Output = Upstream.Output
    /// Any error: the closure's or upstream's.
    public typealias Failure = any Error
    /// Where the values come from.
    public let upstream: Upstream
    /// Whether to leave a value out.
    public let predicate: (Output) throws -> Bool

    /// Makes the publisher; see `tryDrop(while:)`.
    @inlinable
    public init(upstream: Upstream, predicate: @escaping (Output) throws -> Bool) {
      self.upstream = upstream
      self.predicate = predicate
    }

    /// Attaches a subscriber.
    @inlinable @inline(__always)
    public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
      upstream.receive(
        subscriber: Conduit(DroppingWhile(ThrowingFunction<_, _, Upstream.Failure>(predicate)), subscriber))
    }
  }
}

/// The logic of `drop(while:)` and `tryDrop(while:)`.
@usableFromInline
struct DroppingWhile<Function: StageFunction>: Stage where Function.Output == Bool {
  @usableFromInline typealias Rule = Function.Rule
  @inlinable static var name: String { "DropWhile" }

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
