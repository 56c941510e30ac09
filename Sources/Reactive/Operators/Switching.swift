extension Publisher where Output: Publisher, Output.Failure == Failure {
  /// Publishes the values of the latest publisher received.
  ///
  /// ```text
  /// source.map { inner($0) }.switchToLatest()
  /// source      -a---b-|
  /// inner a     --y-z-w-v
  /// inner b     -------t--|
  /// output      --y-z--t--|
  /// upstream    *
  /// upstream a  -*---!
  /// upstream b  -----*
  /// ```
  ///
  /// A new one cancels the one before, whose values are then no longer delivered, and takes over the demand that is
  /// unmet. This publisher is asked for everything. Finishes when this one and the latest have; a failure of either ends
  /// it and cancels the other.
  @inlinable @inline(__always)
  public func switchToLatest() -> Publishers.SwitchToLatest<Output, Self> {
    Publishers.SwitchToLatest(upstream: self)
  }
}

extension Publisher where Failure == Never, Output: Publisher {
  /// Publishes the values of the latest publisher received, which may fail.
  ///
  /// See `switchToLatest()` of failures that do not differ.
  @inlinable @inline(__always)
  public func switchToLatest() -> Publishers.SwitchToLatest<Output, Publishers.SetFailureType<Self, Output.Failure>> {
    Publishers.SwitchToLatest(upstream: setFailureType(to: Output.Failure.self))
  }
}

extension Publisher where Failure == Never, Output: Publisher, Output.Failure == Never {
  /// Publishes the values of the latest publisher received; nothing fails.
  ///
  /// See `switchToLatest()` of publishers that fail.
  @inlinable @inline(__always)
  public func switchToLatest() -> Publishers.SwitchToLatest<Output, Self> {
    Publishers.SwitchToLatest(upstream: self)
  }
}

extension Publisher where Output: Publisher, Output.Failure == Never {
  /// Publishes the values of the latest publisher received, which cannot fail.
  ///
  /// See `switchToLatest()` of failures that do not differ.
  @inlinable @inline(__always)
  public func switchToLatest()
    -> Publishers.SwitchToLatest<
      Publishers.SetFailureType<Output, Failure>, Publishers.Map<Self, Publishers.SetFailureType<Output, Failure>>
    >
  {
    Publishers.SwitchToLatest(upstream: map { [Failure = Failure.self] in $0.setFailureType(to: Failure) })
  }
}

extension Publishers {
  /// Publishes the values of the latest publisher received; see `switchToLatest()`.
  public struct SwitchToLatest<P: Publisher, Upstream: Publisher>: Publisher
  where P == Upstream.Output, P.Failure == Upstream.Failure {
    /// What the inner publishers publish.
    public typealias Output = P.Output
    /// The failure of all of them.
    public typealias Failure = P.Failure
    /// Where the inner publishers come from.
    public let upstream: Upstream

    /// Makes the publisher; see `switchToLatest()`.
    @inlinable
    public init(upstream: Upstream) {
      self.upstream = upstream
    }

    /// Attaches a subscriber.
    @inlinable @inline(__always)
    public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
      let core = JunctionCore(subscriber, .inStep)
      let outer = core.open(name: "SwitchToLatest", sides: 1)[0]
      let latest = Latest()
      upstream.receive(
        subscriber: OuterConduit<P, S>(core, outer, demand: .unlimited) { inner in
          if let just = inner as? Just<Output>,
            core.receiveAtOnce(just.output, from: outer, replacing: latest.side)
          {
            return
          }
          guard let side = core.addSide(replacing: latest.side) else { return }
          latest.side = side
          inner.receive(subscriber: SideConduit(core, side))
        })
    }
  }
}

/// The side of the latest inner publisher; upstream is serial, so nothing guards it.
@usableFromInline
final class Latest {
  @usableFromInline var side: Side?

  @inlinable
  init() {}
}
