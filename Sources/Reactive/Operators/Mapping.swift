extension Publisher {
  /// Publishes what a closure makes of each value.
  ///
  /// Demand, completion, failure and cancel pass.
  ///
  /// - Parameter transform: Makes a new value; called on the thread that delivers.
  @inlinable @inline(__always)
  public func map<T>(_ transform: @escaping (Output) -> T) -> Publishers.Map<Self, T> {
    Publishers.Map(upstream: self, transform: transform)
  }

  /// Publishes what a closure makes of each value, and fails when it throws.
  ///
  /// Demand, completion, failure and cancel pass. An error thrown cancels upstream and becomes the failure.
  ///
  /// - Parameter transform: Makes a new value or throws; called on the thread that delivers.
  @inlinable @inline(__always)
  public func tryMap<T>(_ transform: @escaping (Output) throws -> T) -> Publishers.TryMap<Self, T> {
    Publishers.TryMap(upstream: self, transform: transform)
  }
}

extension Publishers {
  /// Publishes what a closure makes of each value; see `map(_:)`.
  public struct Map<Upstream: Publisher, Output>: Publisher {
    /// The failure of upstream.
    public typealias Failure = Upstream.Failure
    /// Where the values come from.
    public let upstream: Upstream
    /// Makes a new value.
    public let transform: (Upstream.Output) -> Output

    /// Makes the publisher; see `map(_:)`.
    @inlinable
    public init(upstream: Upstream, transform: @escaping (Upstream.Output) -> Output) {
      self.upstream = upstream
      self.transform = transform
    }

    /// Attaches a subscriber.
    @inlinable @inline(__always)
    public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
      upstream.receive(
        subscriber: Conduit(Mapping<_, _, Keeping<Failure>>(transform: transform), subscriber))
    }
  }

  /// Publishes what a closure makes of each value, and fails when it throws; see `tryMap(_:)`.
  public struct TryMap<Upstream: Publisher, Output>: Publisher {
    /// Any error: the closure's or upstream's.
    public typealias Failure = any Error
    /// Where the values come from.
    public let upstream: Upstream
    /// Makes a new value or throws.
    public let transform: (Upstream.Output) throws -> Output

    /// Makes the publisher; see `tryMap(_:)`.
    @inlinable
    public init(upstream: Upstream, transform: @escaping (Upstream.Output) throws -> Output) {
      self.upstream = upstream
      self.transform = transform
    }

    /// Attaches a subscriber.
    @inlinable @inline(__always)
    public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
      upstream.receive(
        subscriber: Conduit(Mapping<_, _, Erasing<Upstream.Failure>>(transform: transform), subscriber))
    }
  }
}

/// The logic of `map` and `tryMap`.
@usableFromInline
struct Mapping<Input, Output, Rule: ConvertingFailureRule>: Stage {
  @inlinable static var name: String { "Map" }
  @inlinable static var isTransparent: Bool { true }

  @usableFromInline let transform: (Input) throws(Rule.Thrown) -> Output

  @inlinable
  init(transform: @escaping (Input) throws(Rule.Thrown) -> Output) {
    self.transform = transform
  }

  @inlinable @inline(__always)
  mutating func receive(_ input: Input) throws(Rule.Thrown) -> Step<Output> {
    .emit(try transform(input))
  }
}
