extension Publisher {
  /// Publishes the values of this publisher and of another publisher as they come.
  ///
  /// ```text
  /// source.merge(with: source2)
  /// source    -a-c-|
  /// source2   --b---|
  /// demand    2---1
  /// output    -ab-c-|
  /// upstream  11--1
  /// upstream2 1-1
  /// ```
  ///
  /// ```text
  /// source.merge(with: source2)
  /// source    -   a-#
  /// source2   -   -b--c-|
  /// output    -   ab#
  /// upstream2 (1*)--!
  /// ```
  ///
  /// Each is asked for one value at a time, or for everything once that is requested here; a value without demand waits.
  /// Finishes when all have finished; the first failure ends it at once and cancels the others.
  @inlinable @inline(__always)
  public func merge<P: Publisher>(
    with other: P
  ) -> Publishers.Merge<Self, P>
  where P.Output == Output, P.Failure == Failure {
    Publishers.Merge(self, other)
  }

  /// Publishes the values of this publisher and of two others as they come.
  ///
  /// Otherwise the same as `merge(with:)`.
  @inlinable @inline(__always)
  public func merge<B: Publisher, C: Publisher>(
    with b: B, _ c: C
  ) -> Publishers.Merge3<Self, B, C>
  where B.Output == Output, B.Failure == Failure, C.Output == Output, C.Failure == Failure {
    Publishers.Merge3(self, b, c)
  }

  /// Publishes the values of this publisher and of three others as they come.
  ///
  /// Otherwise the same as `merge(with:)`.
  @inlinable @inline(__always)
  public func merge<B: Publisher, C: Publisher, D: Publisher>(
    with b: B, _ c: C, _ d: D
  ) -> Publishers.Merge4<Self, B, C, D>
  where
    B.Output == Output, B.Failure == Failure, C.Output == Output, C.Failure == Failure, D.Output == Output,
    D.Failure == Failure
  {
    Publishers.Merge4(self, b, c, d)
  }

  /// Publishes the values of this publisher and of four others as they come.
  ///
  /// Otherwise the same as `merge(with:)`.
  @inlinable @inline(__always)
  public func merge<B: Publisher, C: Publisher, D: Publisher, E: Publisher>(
    with b: B, _ c: C, _ d: D, _ e: E
  ) -> Publishers.Merge5<Self, B, C, D, E>
  where
    B.Output == Output, B.Failure == Failure, C.Output == Output, C.Failure == Failure, D.Output == Output,
    D.Failure == Failure, E.Output == Output, E.Failure == Failure
  {
    Publishers.Merge5(self, b, c, d, e)
  }

  /// Publishes the values of this publisher and of five others as they come.
  ///
  /// Otherwise the same as `merge(with:)`.
  @inlinable @inline(__always)
  public func merge<B: Publisher, C: Publisher, D: Publisher, E: Publisher, F: Publisher>(
    with b: B, _ c: C, _ d: D, _ e: E, _ f: F
  ) -> Publishers.Merge6<Self, B, C, D, E, F>
  where
    B.Output == Output, B.Failure == Failure, C.Output == Output, C.Failure == Failure, D.Output == Output,
    D.Failure == Failure, E.Output == Output, E.Failure == Failure, F.Output == Output, F.Failure == Failure
  {
    Publishers.Merge6(self, b, c, d, e, f)
  }

  /// Publishes the values of this publisher and of six others as they come.
  ///
  /// Otherwise the same as `merge(with:)`.
  @inlinable @inline(__always)
  public func merge<B: Publisher, C: Publisher, D: Publisher, E: Publisher, F: Publisher, G: Publisher>(
    with b: B, _ c: C, _ d: D, _ e: E, _ f: F, _ g: G
  ) -> Publishers.Merge7<Self, B, C, D, E, F, G>
  where
    B.Output == Output, B.Failure == Failure, C.Output == Output, C.Failure == Failure, D.Output == Output,
    D.Failure == Failure, E.Output == Output, E.Failure == Failure, F.Output == Output, F.Failure == Failure,
    G.Output == Output, G.Failure == Failure
  {
    Publishers.Merge7(self, b, c, d, e, f, g)
  }

  /// Publishes the values of this publisher and of seven others as they come.
  ///
  /// Otherwise the same as `merge(with:)`.
  @inlinable @inline(__always)
  public func merge<B: Publisher, C: Publisher, D: Publisher, E: Publisher, F: Publisher, G: Publisher, H: Publisher>(
    with b: B, _ c: C, _ d: D, _ e: E, _ f: F, _ g: G, _ h: H
  ) -> Publishers.Merge8<Self, B, C, D, E, F, G, H>
  where
    B.Output == Output, B.Failure == Failure, C.Output == Output, C.Failure == Failure, D.Output == Output,
    D.Failure == Failure, E.Output == Output, E.Failure == Failure, F.Output == Output, F.Failure == Failure,
    G.Output == Output, G.Failure == Failure, H.Output == Output, H.Failure == Failure
  {
    Publishers.Merge8(self, b, c, d, e, f, g, h)
  }

  /// Publishes the values of this publisher and of another one of the same type as they come.
  ///
  /// Otherwise the same as `merge(with:)` of any two types.
  @inlinable @inline(__always)
  public func merge(with other: Self) -> Publishers.MergeMany<Self> {
    Publishers.MergeMany(self, other)
  }
}

extension Publishers {
  /// Publishes the values of 2 publishers as they come; see `merge(with:)`.
  public struct Merge<A: Publisher, B: Publisher>: Publisher
  where B.Output == A.Output, B.Failure == A.Failure {
    /// What all of them publish.
    public typealias Output = A.Output
    /// The failure of all of them.
    public typealias Failure = A.Failure
    /// The first publisher.
    public let a: A
    /// The second publisher.
    public let b: B

    /// Makes the publisher; see `merge`.
    @inlinable
    public init(_ a: A, _ b: B) {
      self.a = a
      self.b = b
    }

    /// Attaches a subscriber.
    @inlinable @inline(__always)
    public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
      let core = JunctionCore(subscriber, .oneByOne)
      let sides = core.open(name: "Merge", sides: 2)
      a.receive(subscriber: SideConduit(core, sides[0]))
      b.receive(subscriber: SideConduit(core, sides[1]))
    }
  }

  /// Publishes the values of 3 publishers as they come; see `merge(with:_:)`.
  public struct Merge3<A: Publisher, B: Publisher, C: Publisher>: Publisher
  where B.Output == A.Output, B.Failure == A.Failure, C.Output == A.Output, C.Failure == A.Failure {
    /// What all of them publish.
    public typealias Output = A.Output
    /// The failure of all of them.
    public typealias Failure = A.Failure
    /// The first publisher.
    public let a: A
    /// The second publisher.
    public let b: B
    /// The third publisher.
    public let c: C

    /// Makes the publisher; see `merge`.
    @inlinable
    public init(_ a: A, _ b: B, _ c: C) {
      self.a = a
      self.b = b
      self.c = c
    }

    /// Attaches a subscriber.
    @inlinable @inline(__always)
    public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
      let core = JunctionCore(subscriber, .oneByOne)
      let sides = core.open(name: "Merge", sides: 3)
      a.receive(subscriber: SideConduit(core, sides[0]))
      b.receive(subscriber: SideConduit(core, sides[1]))
      c.receive(subscriber: SideConduit(core, sides[2]))
    }
  }

  /// Publishes the values of 4 publishers as they come; see `merge(with:_:_:)`.
  public struct Merge4<A: Publisher, B: Publisher, C: Publisher, D: Publisher>: Publisher
  where
    B.Output == A.Output, B.Failure == A.Failure, C.Output == A.Output, C.Failure == A.Failure, D.Output == A.Output,
    D.Failure == A.Failure
  {
    /// What all of them publish.
    public typealias Output = A.Output
    /// The failure of all of them.
    public typealias Failure = A.Failure
    /// The first publisher.
    public let a: A
    /// The second publisher.
    public let b: B
    /// The third publisher.
    public let c: C
    /// The fourth publisher.
    public let d: D

    /// Makes the publisher; see `merge`.
    @inlinable
    public init(_ a: A, _ b: B, _ c: C, _ d: D) {
      self.a = a
      self.b = b
      self.c = c
      self.d = d
    }

    /// Attaches a subscriber.
    @inlinable @inline(__always)
    public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
      let core = JunctionCore(subscriber, .oneByOne)
      let sides = core.open(name: "Merge", sides: 4)
      a.receive(subscriber: SideConduit(core, sides[0]))
      b.receive(subscriber: SideConduit(core, sides[1]))
      c.receive(subscriber: SideConduit(core, sides[2]))
      d.receive(subscriber: SideConduit(core, sides[3]))
    }
  }

  /// Publishes the values of 5 publishers as they come; see `merge(with:_:_:_:)`.
  public struct Merge5<A: Publisher, B: Publisher, C: Publisher, D: Publisher, E: Publisher>: Publisher
  where
    B.Output == A.Output, B.Failure == A.Failure, C.Output == A.Output, C.Failure == A.Failure, D.Output == A.Output,
    D.Failure == A.Failure, E.Output == A.Output, E.Failure == A.Failure
  {
    /// What all of them publish.
    public typealias Output = A.Output
    /// The failure of all of them.
    public typealias Failure = A.Failure
    /// The first publisher.
    public let a: A
    /// The second publisher.
    public let b: B
    /// The third publisher.
    public let c: C
    /// The fourth publisher.
    public let d: D
    /// The fifth publisher.
    public let e: E

    /// Makes the publisher; see `merge`.
    @inlinable
    public init(_ a: A, _ b: B, _ c: C, _ d: D, _ e: E) {
      self.a = a
      self.b = b
      self.c = c
      self.d = d
      self.e = e
    }

    /// Attaches a subscriber.
    @inlinable @inline(__always)
    public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
      let core = JunctionCore(subscriber, .oneByOne)
      let sides = core.open(name: "Merge", sides: 5)
      a.receive(subscriber: SideConduit(core, sides[0]))
      b.receive(subscriber: SideConduit(core, sides[1]))
      c.receive(subscriber: SideConduit(core, sides[2]))
      d.receive(subscriber: SideConduit(core, sides[3]))
      e.receive(subscriber: SideConduit(core, sides[4]))
    }
  }

  /// Publishes the values of 6 publishers as they come; see `merge(with:_:_:_:_:)`.
  public struct Merge6<A: Publisher, B: Publisher, C: Publisher, D: Publisher, E: Publisher, F: Publisher>: Publisher
  where
    B.Output == A.Output, B.Failure == A.Failure, C.Output == A.Output, C.Failure == A.Failure, D.Output == A.Output,
    D.Failure == A.Failure, E.Output == A.Output, E.Failure == A.Failure, F.Output == A.Output, F.Failure == A.Failure
  {
    /// What all of them publish.
    public typealias Output = A.Output
    /// The failure of all of them.
    public typealias Failure = A.Failure
    /// The first publisher.
    public let a: A
    /// The second publisher.
    public let b: B
    /// The third publisher.
    public let c: C
    /// The fourth publisher.
    public let d: D
    /// The fifth publisher.
    public let e: E
    /// The sixth publisher.
    public let f: F

    /// Makes the publisher; see `merge`.
    @inlinable
    public init(_ a: A, _ b: B, _ c: C, _ d: D, _ e: E, _ f: F) {
      self.a = a
      self.b = b
      self.c = c
      self.d = d
      self.e = e
      self.f = f
    }

    /// Attaches a subscriber.
    @inlinable @inline(__always)
    public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
      let core = JunctionCore(subscriber, .oneByOne)
      let sides = core.open(name: "Merge", sides: 6)
      a.receive(subscriber: SideConduit(core, sides[0]))
      b.receive(subscriber: SideConduit(core, sides[1]))
      c.receive(subscriber: SideConduit(core, sides[2]))
      d.receive(subscriber: SideConduit(core, sides[3]))
      e.receive(subscriber: SideConduit(core, sides[4]))
      f.receive(subscriber: SideConduit(core, sides[5]))
    }
  }

  /// Publishes the values of 7 publishers as they come; see `merge(with:_:_:_:_:_:)`.
  public struct Merge7<
    A: Publisher, B: Publisher, C: Publisher, D: Publisher, E: Publisher, F: Publisher, G: Publisher
  >: Publisher
  where
    B.Output == A.Output, B.Failure == A.Failure, C.Output == A.Output, C.Failure == A.Failure, D.Output == A.Output,
    D.Failure == A.Failure, E.Output == A.Output, E.Failure == A.Failure, F.Output == A.Output, F.Failure == A.Failure,
    G.Output == A.Output, G.Failure == A.Failure
  {
    /// What all of them publish.
    public typealias Output = A.Output
    /// The failure of all of them.
    public typealias Failure = A.Failure
    /// The first publisher.
    public let a: A
    /// The second publisher.
    public let b: B
    /// The third publisher.
    public let c: C
    /// The fourth publisher.
    public let d: D
    /// The fifth publisher.
    public let e: E
    /// The sixth publisher.
    public let f: F
    /// The seventh publisher.
    public let g: G

    /// Makes the publisher; see `merge`.
    @inlinable
    public init(_ a: A, _ b: B, _ c: C, _ d: D, _ e: E, _ f: F, _ g: G) {
      self.a = a
      self.b = b
      self.c = c
      self.d = d
      self.e = e
      self.f = f
      self.g = g
    }

    /// Attaches a subscriber.
    @inlinable @inline(__always)
    public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
      let core = JunctionCore(subscriber, .oneByOne)
      let sides = core.open(name: "Merge", sides: 7)
      a.receive(subscriber: SideConduit(core, sides[0]))
      b.receive(subscriber: SideConduit(core, sides[1]))
      c.receive(subscriber: SideConduit(core, sides[2]))
      d.receive(subscriber: SideConduit(core, sides[3]))
      e.receive(subscriber: SideConduit(core, sides[4]))
      f.receive(subscriber: SideConduit(core, sides[5]))
      g.receive(subscriber: SideConduit(core, sides[6]))
    }
  }

  /// Publishes the values of 8 publishers as they come; see `merge(with:_:_:_:_:_:_:)`.
  public struct Merge8<
    A: Publisher, B: Publisher, C: Publisher, D: Publisher, E: Publisher, F: Publisher, G: Publisher, H: Publisher
  >: Publisher
  where
    B.Output == A.Output, B.Failure == A.Failure, C.Output == A.Output, C.Failure == A.Failure, D.Output == A.Output,
    D.Failure == A.Failure, E.Output == A.Output, E.Failure == A.Failure, F.Output == A.Output, F.Failure == A.Failure,
    G.Output == A.Output, G.Failure == A.Failure, H.Output == A.Output, H.Failure == A.Failure
  {
    /// What all of them publish.
    public typealias Output = A.Output
    /// The failure of all of them.
    public typealias Failure = A.Failure
    /// The first publisher.
    public let a: A
    /// The second publisher.
    public let b: B
    /// The third publisher.
    public let c: C
    /// The fourth publisher.
    public let d: D
    /// The fifth publisher.
    public let e: E
    /// The sixth publisher.
    public let f: F
    /// The seventh publisher.
    public let g: G
    /// The eighth publisher.
    public let h: H

    /// Makes the publisher; see `merge`.
    @inlinable
    public init(_ a: A, _ b: B, _ c: C, _ d: D, _ e: E, _ f: F, _ g: G, _ h: H) {
      self.a = a
      self.b = b
      self.c = c
      self.d = d
      self.e = e
      self.f = f
      self.g = g
      self.h = h
    }

    /// Attaches a subscriber.
    @inlinable @inline(__always)
    public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
      let core = JunctionCore(subscriber, .oneByOne)
      let sides = core.open(name: "Merge", sides: 8)
      a.receive(subscriber: SideConduit(core, sides[0]))
      b.receive(subscriber: SideConduit(core, sides[1]))
      c.receive(subscriber: SideConduit(core, sides[2]))
      d.receive(subscriber: SideConduit(core, sides[3]))
      e.receive(subscriber: SideConduit(core, sides[4]))
      f.receive(subscriber: SideConduit(core, sides[5]))
      g.receive(subscriber: SideConduit(core, sides[6]))
      h.receive(subscriber: SideConduit(core, sides[7]))
    }
  }

  /// Publishes the values of any number of publishers of one type as they come.
  ///
  /// Demand and ends are those of `merge(with:)`; without any publisher it finishes at once.
  public struct MergeMany<Upstream: Publisher>: Publisher {
    /// What all of them publish.
    public typealias Output = Upstream.Output
    /// The failure of all of them.
    public typealias Failure = Upstream.Failure
    /// The publishers.
    public let publishers: [Upstream]

    /// Merges publishers.
    @inlinable
    public init(_ upstream: Upstream...) {
      publishers = upstream
    }

    /// Merges the publishers of a sequence.
    @inlinable
    public init<S: Swift.Sequence>(_ upstream: S) where S.Element == Upstream {
      publishers = Array(upstream)
    }

    /// Attaches a subscriber.
    @inlinable @inline(__always)
    public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
      guard !publishers.isEmpty else {
        deliverCompletion(.finished, to: subscriber)
        return
      }
      let core = JunctionCore(subscriber, .oneByOne)
      for (publisher, side) in Swift.zip(publishers, core.open(name: "Merge", sides: publishers.count)) {
        publisher.receive(subscriber: SideConduit(core, side))
      }
    }

    /// Publishes the values of these publishers and of another one as they come.
    @inlinable @inline(__always)
    public func merge(with other: Upstream) -> MergeMany<Upstream> {
      MergeMany(publishers + [other])
    }
  }
}

extension Publishers.Merge {
  /// Merges another publisher in, without another layer.
  @inlinable @inline(__always)
  public func merge<P: Publisher>(
    with other: P
  ) -> Publishers.Merge3<A, B, P>
  where P.Output == Output, P.Failure == Failure {
    Publishers.Merge3(a, b, other)
  }

  /// Merges two others in, without another layer.
  @inlinable @inline(__always)
  public func merge<Z: Publisher, Y: Publisher>(
    with z: Z, _ y: Y
  ) -> Publishers.Merge4<A, B, Z, Y>
  where Z.Output == Output, Z.Failure == Failure, Y.Output == Output, Y.Failure == Failure {
    Publishers.Merge4(a, b, z, y)
  }

  /// Merges three others in, without another layer.
  @inlinable @inline(__always)
  public func merge<Z: Publisher, Y: Publisher, X: Publisher>(
    with z: Z, _ y: Y, _ x: X
  ) -> Publishers.Merge5<A, B, Z, Y, X>
  where
    Z.Output == Output, Z.Failure == Failure, Y.Output == Output, Y.Failure == Failure, X.Output == Output,
    X.Failure == Failure
  {
    Publishers.Merge5(a, b, z, y, x)
  }

  /// Merges four others in, without another layer.
  @inlinable @inline(__always)
  public func merge<Z: Publisher, Y: Publisher, X: Publisher, W: Publisher>(
    with z: Z, _ y: Y, _ x: X, _ w: W
  ) -> Publishers.Merge6<A, B, Z, Y, X, W>
  where
    Z.Output == Output, Z.Failure == Failure, Y.Output == Output, Y.Failure == Failure, X.Output == Output,
    X.Failure == Failure, W.Output == Output, W.Failure == Failure
  {
    Publishers.Merge6(a, b, z, y, x, w)
  }

  /// Merges five others in, without another layer.
  @inlinable @inline(__always)
  public func merge<Z: Publisher, Y: Publisher, X: Publisher, W: Publisher, V: Publisher>(
    with z: Z, _ y: Y, _ x: X, _ w: W, _ v: V
  ) -> Publishers.Merge7<A, B, Z, Y, X, W, V>
  where
    Z.Output == Output, Z.Failure == Failure, Y.Output == Output, Y.Failure == Failure, X.Output == Output,
    X.Failure == Failure, W.Output == Output, W.Failure == Failure, V.Output == Output, V.Failure == Failure
  {
    Publishers.Merge7(a, b, z, y, x, w, v)
  }

  /// Merges six others in, without another layer.
  @inlinable @inline(__always)
  public func merge<Z: Publisher, Y: Publisher, X: Publisher, W: Publisher, V: Publisher, U: Publisher>(
    with z: Z, _ y: Y, _ x: X, _ w: W, _ v: V, _ u: U
  ) -> Publishers.Merge8<A, B, Z, Y, X, W, V, U>
  where
    Z.Output == Output, Z.Failure == Failure, Y.Output == Output, Y.Failure == Failure, X.Output == Output,
    X.Failure == Failure, W.Output == Output, W.Failure == Failure, V.Output == Output, V.Failure == Failure,
    U.Output == Output, U.Failure == Failure
  {
    Publishers.Merge8(a, b, z, y, x, w, v, u)
  }
}

extension Publishers.Merge3 {
  /// Merges another publisher in, without another layer.
  @inlinable @inline(__always)
  public func merge<P: Publisher>(
    with other: P
  ) -> Publishers.Merge4<A, B, C, P>
  where P.Output == Output, P.Failure == Failure {
    Publishers.Merge4(a, b, c, other)
  }

  /// Merges two others in, without another layer.
  @inlinable @inline(__always)
  public func merge<Z: Publisher, Y: Publisher>(
    with z: Z, _ y: Y
  ) -> Publishers.Merge5<A, B, C, Z, Y>
  where Z.Output == Output, Z.Failure == Failure, Y.Output == Output, Y.Failure == Failure {
    Publishers.Merge5(a, b, c, z, y)
  }

  /// Merges three others in, without another layer.
  @inlinable @inline(__always)
  public func merge<Z: Publisher, Y: Publisher, X: Publisher>(
    with z: Z, _ y: Y, _ x: X
  ) -> Publishers.Merge6<A, B, C, Z, Y, X>
  where
    Z.Output == Output, Z.Failure == Failure, Y.Output == Output, Y.Failure == Failure, X.Output == Output,
    X.Failure == Failure
  {
    Publishers.Merge6(a, b, c, z, y, x)
  }

  /// Merges four others in, without another layer.
  @inlinable @inline(__always)
  public func merge<Z: Publisher, Y: Publisher, X: Publisher, W: Publisher>(
    with z: Z, _ y: Y, _ x: X, _ w: W
  ) -> Publishers.Merge7<A, B, C, Z, Y, X, W>
  where
    Z.Output == Output, Z.Failure == Failure, Y.Output == Output, Y.Failure == Failure, X.Output == Output,
    X.Failure == Failure, W.Output == Output, W.Failure == Failure
  {
    Publishers.Merge7(a, b, c, z, y, x, w)
  }

  /// Merges five others in, without another layer.
  @inlinable @inline(__always)
  public func merge<Z: Publisher, Y: Publisher, X: Publisher, W: Publisher, V: Publisher>(
    with z: Z, _ y: Y, _ x: X, _ w: W, _ v: V
  ) -> Publishers.Merge8<A, B, C, Z, Y, X, W, V>
  where
    Z.Output == Output, Z.Failure == Failure, Y.Output == Output, Y.Failure == Failure, X.Output == Output,
    X.Failure == Failure, W.Output == Output, W.Failure == Failure, V.Output == Output, V.Failure == Failure
  {
    Publishers.Merge8(a, b, c, z, y, x, w, v)
  }
}

extension Publishers.Merge4 {
  /// Merges another publisher in, without another layer.
  @inlinable @inline(__always)
  public func merge<P: Publisher>(
    with other: P
  ) -> Publishers.Merge5<A, B, C, D, P>
  where P.Output == Output, P.Failure == Failure {
    Publishers.Merge5(a, b, c, d, other)
  }

  /// Merges two others in, without another layer.
  @inlinable @inline(__always)
  public func merge<Z: Publisher, Y: Publisher>(
    with z: Z, _ y: Y
  ) -> Publishers.Merge6<A, B, C, D, Z, Y>
  where Z.Output == Output, Z.Failure == Failure, Y.Output == Output, Y.Failure == Failure {
    Publishers.Merge6(a, b, c, d, z, y)
  }

  /// Merges three others in, without another layer.
  @inlinable @inline(__always)
  public func merge<Z: Publisher, Y: Publisher, X: Publisher>(
    with z: Z, _ y: Y, _ x: X
  ) -> Publishers.Merge7<A, B, C, D, Z, Y, X>
  where
    Z.Output == Output, Z.Failure == Failure, Y.Output == Output, Y.Failure == Failure, X.Output == Output,
    X.Failure == Failure
  {
    Publishers.Merge7(a, b, c, d, z, y, x)
  }

  /// Merges four others in, without another layer.
  @inlinable @inline(__always)
  public func merge<Z: Publisher, Y: Publisher, X: Publisher, W: Publisher>(
    with z: Z, _ y: Y, _ x: X, _ w: W
  ) -> Publishers.Merge8<A, B, C, D, Z, Y, X, W>
  where
    Z.Output == Output, Z.Failure == Failure, Y.Output == Output, Y.Failure == Failure, X.Output == Output,
    X.Failure == Failure, W.Output == Output, W.Failure == Failure
  {
    Publishers.Merge8(a, b, c, d, z, y, x, w)
  }
}

extension Publishers.Merge5 {
  /// Merges another publisher in, without another layer.
  @inlinable @inline(__always)
  public func merge<P: Publisher>(
    with other: P
  ) -> Publishers.Merge6<A, B, C, D, E, P>
  where P.Output == Output, P.Failure == Failure {
    Publishers.Merge6(a, b, c, d, e, other)
  }

  /// Merges two others in, without another layer.
  @inlinable @inline(__always)
  public func merge<Z: Publisher, Y: Publisher>(
    with z: Z, _ y: Y
  ) -> Publishers.Merge7<A, B, C, D, E, Z, Y>
  where Z.Output == Output, Z.Failure == Failure, Y.Output == Output, Y.Failure == Failure {
    Publishers.Merge7(a, b, c, d, e, z, y)
  }

  /// Merges three others in, without another layer.
  @inlinable @inline(__always)
  public func merge<Z: Publisher, Y: Publisher, X: Publisher>(
    with z: Z, _ y: Y, _ x: X
  ) -> Publishers.Merge8<A, B, C, D, E, Z, Y, X>
  where
    Z.Output == Output, Z.Failure == Failure, Y.Output == Output, Y.Failure == Failure, X.Output == Output,
    X.Failure == Failure
  {
    Publishers.Merge8(a, b, c, d, e, z, y, x)
  }
}

extension Publishers.Merge6 {
  /// Merges another publisher in, without another layer.
  @inlinable @inline(__always)
  public func merge<P: Publisher>(
    with other: P
  ) -> Publishers.Merge7<A, B, C, D, E, F, P>
  where P.Output == Output, P.Failure == Failure {
    Publishers.Merge7(a, b, c, d, e, f, other)
  }

  /// Merges two others in, without another layer.
  @inlinable @inline(__always)
  public func merge<Z: Publisher, Y: Publisher>(
    with z: Z, _ y: Y
  ) -> Publishers.Merge8<A, B, C, D, E, F, Z, Y>
  where Z.Output == Output, Z.Failure == Failure, Y.Output == Output, Y.Failure == Failure {
    Publishers.Merge8(a, b, c, d, e, f, z, y)
  }
}

extension Publishers.Merge7 {
  /// Merges another publisher in, without another layer.
  @inlinable @inline(__always)
  public func merge<P: Publisher>(
    with other: P
  ) -> Publishers.Merge8<A, B, C, D, E, F, G, P>
  where P.Output == Output, P.Failure == Failure {
    Publishers.Merge8(a, b, c, d, e, f, g, other)
  }
}

extension Publishers.Merge: Equatable where A: Equatable, B: Equatable {}
extension Publishers.Merge3: Equatable where A: Equatable, B: Equatable, C: Equatable {}
extension Publishers.Merge4: Equatable where A: Equatable, B: Equatable, C: Equatable, D: Equatable {}
extension Publishers.Merge5: Equatable where A: Equatable, B: Equatable, C: Equatable, D: Equatable, E: Equatable {}
extension Publishers.Merge6: Equatable
where A: Equatable, B: Equatable, C: Equatable, D: Equatable, E: Equatable, F: Equatable {}
extension Publishers.Merge7: Equatable
where A: Equatable, B: Equatable, C: Equatable, D: Equatable, E: Equatable, F: Equatable, G: Equatable {}
extension Publishers.Merge8: Equatable
where A: Equatable, B: Equatable, C: Equatable, D: Equatable, E: Equatable, F: Equatable, G: Equatable, H: Equatable {}
extension Publishers.MergeMany: Equatable where Upstream: Equatable {}
