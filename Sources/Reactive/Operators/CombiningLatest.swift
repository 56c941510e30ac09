extension Publisher {
  /// Combines this publisher with another publisher: publishes the latest value of each, whenever one of them has a new one.
  ///
  /// ```text
  /// source.combineLatest(source2)
  /// source    -a---b-|
  /// source2   --y-----z|
  /// output    --p--q--r|
  /// upstream  *
  /// upstream2 *
  /// p = ("a", "y")
  /// q = ("b", "y")
  /// r = ("b", "z")
  /// ```
  ///
  /// Publishes once every publisher has a value. Each is asked for what is requested here. Without demand only the newest
  /// combination is kept, and delivered at the next request. Finishes when all have finished, or when one finishes
  /// without a value; the first failure ends it and cancels the others.
  @inlinable @inline(__always)
  public func combineLatest<P: Publisher>(
    _ other: P
  ) -> Publishers.CombineLatest<Self, P> where P.Failure == Failure {
    Publishers.CombineLatest(self, other)
  }

  /// Combines this publisher with another publisher, and publishes what a closure makes of each combination.
  ///
  /// Otherwise the same as `combineLatest(_:)`.
  @inlinable @inline(__always)
  public func combineLatest<P: Publisher, T>(
    _ other: P, _ transform: @escaping (Output, P.Output) -> T
  ) -> Publishers.Map<Publishers.CombineLatest<Self, P>, T> where P.Failure == Failure {
    combineLatest(other).map { transform($0.0, $0.1) }
  }

  /// Combines this publisher with two other publishers: publishes the latest value of each, whenever one of them has a new one.
  ///
  /// Otherwise the same as `combineLatest(_:)`.
  @inlinable @inline(__always)
  public func combineLatest<P: Publisher, Q: Publisher>(
    _ publisher1: P, _ publisher2: Q
  ) -> Publishers.CombineLatest3<Self, P, Q> where P.Failure == Failure, Q.Failure == Failure {
    Publishers.CombineLatest3(self, publisher1, publisher2)
  }

  /// Combines this publisher with two other publishers, and publishes what a closure makes of each combination.
  ///
  /// Otherwise the same as `combineLatest(_:)`.
  @inlinable @inline(__always)
  public func combineLatest<P: Publisher, Q: Publisher, T>(
    _ publisher1: P, _ publisher2: Q, _ transform: @escaping (Output, P.Output, Q.Output) -> T
  ) -> Publishers.Map<Publishers.CombineLatest3<Self, P, Q>, T> where P.Failure == Failure, Q.Failure == Failure {
    combineLatest(publisher1, publisher2).map { transform($0.0, $0.1, $0.2) }
  }

  /// Combines this publisher with three other publishers: publishes the latest value of each, whenever one of them has a new one.
  ///
  /// Otherwise the same as `combineLatest(_:)`.
  @inlinable @inline(__always)
  public func combineLatest<P: Publisher, Q: Publisher, R: Publisher>(
    _ publisher1: P, _ publisher2: Q, _ publisher3: R
  ) -> Publishers.CombineLatest4<Self, P, Q, R> where P.Failure == Failure, Q.Failure == Failure, R.Failure == Failure {
    Publishers.CombineLatest4(self, publisher1, publisher2, publisher3)
  }

  /// Combines this publisher with three other publishers, and publishes what a closure makes of each combination.
  ///
  /// Otherwise the same as `combineLatest(_:)`.
  @inlinable @inline(__always)
  public func combineLatest<P: Publisher, Q: Publisher, R: Publisher, T>(
    _ publisher1: P, _ publisher2: Q, _ publisher3: R,
    _ transform: @escaping (Output, P.Output, Q.Output, R.Output) -> T
  ) -> Publishers.Map<Publishers.CombineLatest4<Self, P, Q, R>, T>
  where P.Failure == Failure, Q.Failure == Failure, R.Failure == Failure {
    combineLatest(publisher1, publisher2, publisher3).map { transform($0.0, $0.1, $0.2, $0.3) }
  }
}

extension Publishers {
  /// Publishes the latest value of each, whenever one of them has a new one; see `combineLatest(_:)`.
  public struct CombineLatest<A: Publisher, B: Publisher>: Publisher
  where A.Failure == B.Failure {
    /// One value of each publisher.
    public typealias Output = (A.Output, B.Output)
    /// The failure of all of them.
    public typealias Failure = A.Failure
    /// The first publisher.
    public let a: A
    /// The second publisher.
    public let b: B

    /// Makes the publisher; see `combineLatest`.
    @inlinable
    public init(_ a: A, _ b: B) {
      self.a = a
      self.b = b
    }

    /// Attaches a subscriber.
    @inlinable @inline(__always)
    public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
      let core = JunctionCore(subscriber, .inStep, conflates: true)
      let first = LatestCell<A.Output>()
      let second = LatestCell<B.Output>()
      let combination = Combination(core, name: "CombineLatest", [first, second]) {
        guard let a = first.take(), let b = second.take() else { return nil }
        return (a, b)
      }
      a.receive(subscriber: CombinationSide(combination, first, 0))
      b.receive(subscriber: CombinationSide(combination, second, 1))
    }
  }

  /// Publishes the latest value of each, whenever one of them has a new one; see `combineLatest(_:_:_:)`.
  public struct CombineLatest3<A: Publisher, B: Publisher, C: Publisher>: Publisher
  where A.Failure == B.Failure, B.Failure == C.Failure {
    /// One value of each publisher.
    public typealias Output = (A.Output, B.Output, C.Output)
    /// The failure of all of them.
    public typealias Failure = A.Failure
    /// The first publisher.
    public let a: A
    /// The second publisher.
    public let b: B
    /// The third publisher.
    public let c: C

    /// Makes the publisher; see `combineLatest`.
    @inlinable
    public init(_ a: A, _ b: B, _ c: C) {
      self.a = a
      self.b = b
      self.c = c
    }

    /// Attaches a subscriber.
    @inlinable @inline(__always)
    public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
      let core = JunctionCore(subscriber, .inStep, conflates: true)
      let first = LatestCell<A.Output>()
      let second = LatestCell<B.Output>()
      let third = LatestCell<C.Output>()
      let combination = Combination(core, name: "CombineLatest", [first, second, third]) {
        guard let a = first.take(), let b = second.take(), let c = third.take() else { return nil }
        return (a, b, c)
      }
      a.receive(subscriber: CombinationSide(combination, first, 0))
      b.receive(subscriber: CombinationSide(combination, second, 1))
      c.receive(subscriber: CombinationSide(combination, third, 2))
    }
  }

  /// Publishes the latest value of each, whenever one of them has a new one; see `combineLatest(_:_:_:_:)`.
  public struct CombineLatest4<A: Publisher, B: Publisher, C: Publisher, D: Publisher>: Publisher
  where A.Failure == B.Failure, B.Failure == C.Failure, C.Failure == D.Failure {
    /// One value of each publisher.
    public typealias Output = (A.Output, B.Output, C.Output, D.Output)
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

    /// Makes the publisher; see `combineLatest`.
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
      let core = JunctionCore(subscriber, .inStep, conflates: true)
      let first = LatestCell<A.Output>()
      let second = LatestCell<B.Output>()
      let third = LatestCell<C.Output>()
      let fourth = LatestCell<D.Output>()
      let combination = Combination(core, name: "CombineLatest", [first, second, third, fourth]) {
        guard let a = first.take(), let b = second.take(), let c = third.take(), let d = fourth.take() else {
          return nil
        }
        return (a, b, c, d)
      }
      a.receive(subscriber: CombinationSide(combination, first, 0))
      b.receive(subscriber: CombinationSide(combination, second, 1))
      c.receive(subscriber: CombinationSide(combination, third, 2))
      d.receive(subscriber: CombinationSide(combination, fourth, 3))
    }
  }
}

extension Publishers.CombineLatest: Equatable where A: Equatable, B: Equatable {}
extension Publishers.CombineLatest3: Equatable where A: Equatable, B: Equatable, C: Equatable {}
extension Publishers.CombineLatest4: Equatable where A: Equatable, B: Equatable, C: Equatable, D: Equatable {}
