extension Publisher {
  /// Publishes all values as one array when upstream finishes.
  ///
  /// Requests everything at once. Delivers the array when there is demand, then finishes; a failure or a cancel drops
  /// what has been collected.
  @inlinable @inline(__always)
  public func collect() -> Publishers.Collect<Self> {
    Publishers.Collect(upstream: self)
  }
}

extension Publishers {
  /// Publishes all values as one array when upstream finishes; see `collect()`.
  public struct Collect<Upstream: Publisher>: Publisher {
    /// All values of upstream.
    public typealias Output = [Upstream.Output]
    /// The failure of upstream.
    public typealias Failure = Upstream.Failure
    /// Where the values come from.
    public let upstream: Upstream

    /// Makes the publisher; see `collect()`.
    @inlinable
    public init(upstream: Upstream) {
      self.upstream = upstream
    }

    /// Attaches a subscriber.
    @inlinable @inline(__always)
    public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
      upstream.receive(subscriber: AccumulatingConduit(Collecting<Upstream.Output, Failure>(), subscriber))
    }
  }
}

extension Publishers.Collect: Equatable where Upstream: Equatable {}

/// The logic of `collect()`.
@usableFromInline
struct Collecting<Input, Failure: Error>: Accumulator {
  @usableFromInline typealias Rule = Keeping<Failure>
  @inlinable static var name: String { "Collect" }

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
