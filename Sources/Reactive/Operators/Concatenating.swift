extension Publisher {
  /// Publishes these values after those of this publisher.
  ///
  /// ```text
  /// source.append("y", "z")
  /// source    -a-|
  /// demand    2---1
  /// output    -a-y(z|)
  /// upstream  2
  /// ```
  ///
  /// Demand that is unmet goes over to them. A failure of this publisher ends the stream without them.
  @inlinable @inline(__always)
  public func append(
    _ elements: Output...
  ) -> Publishers.Concatenate<Self, Publishers.Sequence<[Output], Failure>> {
    append(elements)
  }

  /// Publishes the elements of a sequence after the values of this publisher.
  ///
  /// ```text
  /// source.append(["y", "z"])
  /// source    -a-|
  /// demand    2---1
  /// output    -a-y(z|)
  /// upstream  2
  /// ```
  ///
  /// Demand that is unmet goes over to them. A failure of this publisher ends the stream without them.
  @inlinable @inline(__always)
  public func append<S: Swift.Sequence>(
    _ elements: S
  ) -> Publishers.Concatenate<Self, Publishers.Sequence<S, Failure>> where S.Element == Output {
    append(Publishers.Sequence(sequence: elements))
  }

  /// Publishes the values of another publisher after those of this one.
  ///
  /// ```text
  /// source.append(source2)
  /// source    -a-|
  /// source2   ----b-|
  /// demand    2
  /// output    -a--b-|
  /// upstream  2
  /// upstream2 ---1
  /// ```
  ///
  /// The other one is subscribed to when this one has finished, and demand that is unmet goes over to it. A failure of
  /// this publisher ends the stream without it.
  @inlinable @inline(__always)
  public func append<P: Publisher>(_ publisher: P) -> Publishers.Concatenate<Self, P>
  where P.Failure == Failure, P.Output == Output {
    Publishers.Concatenate(prefix: self, suffix: publisher)
  }

  /// Publishes these values before those of this publisher.
  ///
  /// ```text
  /// source.prepend("y", "z")
  /// source    ---a-|
  /// demand    1-2
  /// output    y-za-|
  /// upstream  --1
  /// ```
  ///
  /// Demand that is unmet goes over to this publisher, which is subscribed to afterwards.
  @inlinable @inline(__always)
  public func prepend(
    _ elements: Output...
  ) -> Publishers.Concatenate<Publishers.Sequence<[Output], Failure>, Self> {
    prepend(elements)
  }

  /// Publishes the elements of a sequence before the values of this publisher.
  ///
  /// ```text
  /// source.prepend(["y", "z"])
  /// source    ---a-|
  /// demand    1-2
  /// output    y-za-|
  /// upstream  --1
  /// ```
  ///
  /// Demand that is unmet goes over to this publisher, which is subscribed to afterwards.
  @inlinable @inline(__always)
  public func prepend<S: Swift.Sequence>(
    _ elements: S
  ) -> Publishers.Concatenate<Publishers.Sequence<S, Failure>, Self> where S.Element == Output {
    prepend(Publishers.Sequence(sequence: elements))
  }

  /// Publishes the values of another publisher before those of this one.
  ///
  /// ```text
  /// source.prepend(source2)
  /// source2   -a-|
  /// source    ----b-|
  /// demand    2
  /// output    -a--b-|
  /// upstream  ---1
  /// upstream2 2
  /// ```
  ///
  /// This one is subscribed to when the other one has finished, and demand that is unmet goes over to it. A failure of
  /// the other one ends the stream.
  @inlinable @inline(__always)
  public func prepend<P: Publisher>(_ publisher: P) -> Publishers.Concatenate<P, Self>
  where P.Failure == Failure, P.Output == Output {
    Publishers.Concatenate(prefix: publisher, suffix: self)
  }
}

extension Publishers {
  /// Publishes the values of one publisher after those of another; see `append(_:)`.
  public struct Concatenate<Prefix: Publisher, Suffix: Publisher>: SequelOperator
  where Prefix.Failure == Suffix.Failure, Prefix.Output == Suffix.Output {
    /// What comes first.
    public let prefix: Prefix
    /// What comes afterwards.
    public let suffix: Suffix

    /// What both publish.
    public typealias Output = Suffix.Output
    /// The failure of both.
    public typealias Failure = Suffix.Failure

    @inlinable static var name: String { "Concatenate" }
    @inlinable var upstream: Prefix { prefix }
    @inlinable var sequel: Continuation<Suffix> {
      { [suffix] completion, _ in
        if case .finished = completion { .next(suffix) } else { .end(completion) }
      }
    }

    /// Makes the publisher; see `append(_:)`.
    @inlinable
    public init(prefix: Prefix, suffix: Suffix) {
      self.prefix = prefix
      self.suffix = suffix
    }
  }
}

extension Publishers.Concatenate: Equatable where Prefix: Equatable, Suffix: Equatable {}
