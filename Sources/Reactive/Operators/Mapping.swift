extension Publisher {
  /// Publishes what a closure makes of each value.
  ///
  /// ```text
  /// source.map { $0.uppercased() }
  /// source    -a-b-c-|
  /// demand    2---1
  /// output    -A-B-C-|
  /// upstream  2---1
  /// ```
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
  /// ```text
  /// source.tryMap { try check($0) }
  /// source    -a-x-b-|
  /// demand    2
  /// output    -a-#
  /// upstream  2--!
  /// ```
  ///
  /// Demand, completion, failure and cancel pass. An error thrown cancels upstream and becomes the failure.
  ///
  /// - Parameter transform: Makes a new value or throws; called on the thread that delivers.
  @inlinable @inline(__always)
  public func tryMap<T>(_ transform: @escaping (Output) throws -> T) -> Publishers.TryMap<Self, T> {
    Publishers.TryMap(upstream: self, transform: transform)
  }

  /// Publishes one property of each value.
  ///
  /// ```text
  /// source.map(\.count)
  /// source    -a-b-|
  /// demand    1-1
  /// output    -n-n-|
  /// upstream  1-1
  /// n = 1
  /// ```
  ///
  /// Demand, completion, failure and cancel pass.
  ///
  /// - Parameter keyPath: The property.
  @inlinable @inline(__always)
  public func map<T>(_ keyPath: KeyPath<Output, T>) -> Publishers.MapKeyPath<Self, T> {
    Publishers.MapKeyPath(upstream: self, keyPath: keyPath)
  }

  /// Publishes two properties of each value, as a tuple.
  ///
  /// ```text
  /// source.map(\.count, \.isEmpty)
  /// source    -a-b-|
  /// output    -p-p-|
  /// upstream  *
  /// p = (1, false)
  /// ```
  ///
  /// Demand, completion, failure and cancel pass.
  ///
  /// - Parameters:
  ///   - keyPath0: The first property.
  ///   - keyPath1: The second property.
  @inlinable @inline(__always)
  public func map<T0, T1>(
    _ keyPath0: KeyPath<Output, T0>, _ keyPath1: KeyPath<Output, T1>
  ) -> Publishers.MapKeyPath2<Self, T0, T1> {
    Publishers.MapKeyPath2(upstream: self, keyPath0: keyPath0, keyPath1: keyPath1)
  }

  /// Publishes three properties of each value, as a tuple.
  ///
  /// ```text
  /// source.map(\.count, \.isEmpty, \.utf8.count)
  /// source    -a-b-|
  /// output    -p-p-|
  /// upstream  *
  /// p = (1, false, 1)
  /// ```
  ///
  /// Demand, completion, failure and cancel pass.
  ///
  /// - Parameters:
  ///   - keyPath0: The first property.
  ///   - keyPath1: The second property.
  ///   - keyPath2: The third property.
  @inlinable @inline(__always)
  public func map<T0, T1, T2>(
    _ keyPath0: KeyPath<Output, T0>, _ keyPath1: KeyPath<Output, T1>, _ keyPath2: KeyPath<Output, T2>
  ) -> Publishers.MapKeyPath3<Self, T0, T1, T2> {
    Publishers.MapKeyPath3(upstream: self, keyPath0: keyPath0, keyPath1: keyPath1, keyPath2: keyPath2)
  }

  /// Publishes a substitute for each nil, and every other value unwrapped.
  ///
  /// ```text
  /// source.map { $0 == "b" ? nil : $0 }.replaceNil(with: "z")
  /// source    -a-b-c-|
  /// demand    2---1
  /// output    -a-z-c-|
  /// upstream  2---1
  /// ```
  ///
  /// Demand, completion, failure and cancel pass.
  ///
  /// - Parameter output: What to publish instead of nil.
  @inlinable @inline(__always)
  public func replaceNil<T>(with output: T) -> Publishers.Map<Self, T> where Output == T? {
    map { $0 ?? output }
  }

  /// Publishes what a closure makes of each value and the result before it.
  ///
  /// ```text
  /// source.scan("") { $0 + $1 }
  /// source    -a-b-c-|
  /// demand    2---1
  /// output    -a-p-q-|
  /// upstream  2---1
  /// p = ab
  /// q = abc
  /// ```
  ///
  /// Each subscriber starts anew with the initial result, which is not published itself. Demand, completion, failure
  /// and cancel pass.
  ///
  /// - Parameters:
  ///   - initialResult: What stands for the result before the first value.
  ///   - nextPartialResult: Makes the next result from the last one and a value; called on the thread that delivers.
  @inlinable @inline(__always)
  public func scan<T>(
    _ initialResult: T, _ nextPartialResult: @escaping (T, Output) -> T
  ) -> Publishers.Scan<Self, T> {
    Publishers.Scan(upstream: self, initialResult: initialResult, nextPartialResult: nextPartialResult)
  }

  /// Publishes what a closure makes of each value and the result before it, and fails when it throws.
  ///
  /// ```text
  /// source.tryScan("") { try $0 + check($1) }
  /// source    -a-b-x-c-|
  /// output    -a-p-#
  /// upstream  *----!
  /// p = ab
  /// ```
  ///
  /// Each subscriber starts anew with the initial result, which is not published itself. Demand, completion, failure
  /// and cancel pass. An error thrown cancels upstream and becomes the failure.
  ///
  /// - Parameters:
  ///   - initialResult: What stands for the result before the first value.
  ///   - nextPartialResult: Makes the next result from the last one and a value, or throws; called on the thread that
  ///     delivers.
  @inlinable @inline(__always)
  public func tryScan<T>(
    _ initialResult: T, _ nextPartialResult: @escaping (T, Output) throws -> T
  ) -> Publishers.TryScan<Self, T> {
    Publishers.TryScan(upstream: self, initialResult: initialResult, nextPartialResult: nextPartialResult)
  }
}

extension Publishers {
  /// Publishes what a closure makes of each value; see `map(_:)`.
  public struct Map<Upstream: Publisher, Output>: LogicOperator {
    /// Where the values come from.
    public let upstream: Upstream
    /// Makes a new value.
    public let transform: (Upstream.Output) -> Output

    /// The failure of upstream.
    public typealias Failure = Upstream.Failure

    @inlinable var logic: Applying<Plain<Output>, Mapping<Upstream.Output, Output>> { Applying(Plain(transform)) }

    /// Makes the publisher; see `map(_:)`.
    @inlinable
    public init(upstream: Upstream, transform: @escaping (Upstream.Output) -> Output) {
      self.upstream = upstream
      self.transform = transform
    }

    /// Publishes what the second closure makes of what the first made of each value.
    @inlinable @inline(__always)
    public func map<T>(_ transform: @escaping (Output) -> T) -> Publishers.Map<Upstream, T> {
      let first = self.transform
      return upstream.map { transform(first($0)) }
    }

    /// Publishes what the second closure makes of what the first made of each value, and fails when it throws.
    @inlinable @inline(__always)
    public func tryMap<T>(_ transform: @escaping (Output) throws -> T) -> Publishers.TryMap<Upstream, T> {
      let first = self.transform
      return upstream.tryMap { try transform(first($0)) }
    }
  }

  /// Publishes what a closure makes of each value, and fails when it throws; see `tryMap(_:)`.
  public struct TryMap<Upstream: Publisher, Output>: LogicOperator {
    /// Where the values come from.
    public let upstream: Upstream
    /// Makes a new value or throws.
    public let transform: (Upstream.Output) throws -> Output

    /// Any error: the closure's or upstream's.
    public typealias Failure = any Error

    @inlinable var logic: Applying<Throwing<Output>, Mapping<Upstream.Output, Output>> {
      Applying(Throwing(transform))
    }

    /// Makes the publisher; see `tryMap(_:)`.
    @inlinable
    public init(upstream: Upstream, transform: @escaping (Upstream.Output) throws -> Output) {
      self.upstream = upstream
      self.transform = transform
    }

    /// Publishes what the second closure makes of what the first made of each value, and fails when the first throws.
    @inlinable @inline(__always)
    public func map<T>(_ transform: @escaping (Output) -> T) -> Publishers.TryMap<Upstream, T> {
      tryMap(transform)
    }

    /// Publishes what the second closure makes of what the first made of each value, and fails when one throws.
    @inlinable @inline(__always)
    public func tryMap<T>(_ transform: @escaping (Output) throws -> T) -> Publishers.TryMap<Upstream, T> {
      let first = self.transform
      return upstream.tryMap { try transform(first($0)) }
    }
  }
}

/// The logic of `map` and `tryMap`.
@usableFromInline
enum Mapping<Input, Output>: Conversion {
  @inlinable static var name: String { "Map" }
}

extension Publishers {
  /// Publishes one property of each value; see `map(_:)`.
  public struct MapKeyPath<Upstream: Publisher, Output>: LogicOperator {
    /// Where the values come from.
    public let upstream: Upstream
    /// The property.
    public let keyPath: KeyPath<Upstream.Output, Output>

    /// The failure of upstream.
    public typealias Failure = Upstream.Failure

    @inlinable var logic: Applying<Plain<Output>, TakingValue<Upstream.Output, Output>> {
      Applying(Plain { [keyPath] in $0[keyPath: keyPath] })
    }

    @inlinable
    init(upstream: Upstream, keyPath: KeyPath<Upstream.Output, Output>) {
      self.upstream = upstream
      self.keyPath = keyPath
    }
  }

  /// Publishes two properties of each value; see `map(_:_:)`.
  public struct MapKeyPath2<Upstream: Publisher, Output0, Output1>: LogicOperator {
    /// Where the values come from.
    public let upstream: Upstream
    /// The first property.
    public let keyPath0: KeyPath<Upstream.Output, Output0>
    /// The second property.
    public let keyPath1: KeyPath<Upstream.Output, Output1>

    /// The properties.
    public typealias Output = (Output0, Output1)
    /// The failure of upstream.
    public typealias Failure = Upstream.Failure

    @inlinable var logic: Applying<Plain<Output>, TakingValues<Upstream.Output, Output>> {
      Applying(Plain { [keyPath0, keyPath1] in ($0[keyPath: keyPath0], $0[keyPath: keyPath1]) })
    }

    @inlinable
    init(
      upstream: Upstream, keyPath0: KeyPath<Upstream.Output, Output0>, keyPath1: KeyPath<Upstream.Output, Output1>
    ) {
      self.upstream = upstream
      self.keyPath0 = keyPath0
      self.keyPath1 = keyPath1
    }
  }

  /// Publishes three properties of each value; see `map(_:_:_:)`.
  public struct MapKeyPath3<Upstream: Publisher, Output0, Output1, Output2>: LogicOperator {
    /// Where the values come from.
    public let upstream: Upstream
    /// The first property.
    public let keyPath0: KeyPath<Upstream.Output, Output0>
    /// The second property.
    public let keyPath1: KeyPath<Upstream.Output, Output1>
    /// The third property.
    public let keyPath2: KeyPath<Upstream.Output, Output2>

    /// The properties.
    public typealias Output = (Output0, Output1, Output2)
    /// The failure of upstream.
    public typealias Failure = Upstream.Failure

    @inlinable var logic: Applying<Plain<Output>, TakingValues<Upstream.Output, Output>> {
      Applying(
        Plain { [keyPath0, keyPath1, keyPath2] in
          ($0[keyPath: keyPath0], $0[keyPath: keyPath1], $0[keyPath: keyPath2])
        })
    }

    @inlinable
    init(
      upstream: Upstream, keyPath0: KeyPath<Upstream.Output, Output0>, keyPath1: KeyPath<Upstream.Output, Output1>,
      keyPath2: KeyPath<Upstream.Output, Output2>
    ) {
      self.upstream = upstream
      self.keyPath0 = keyPath0
      self.keyPath1 = keyPath1
      self.keyPath2 = keyPath2
    }
  }
}

/// The logic of `map` with a key path.
@usableFromInline
enum TakingValue<Input, Output>: Conversion {
  @inlinable static var name: String { "ValueForKey" }
}

/// The logic of `map` with several key paths.
@usableFromInline
enum TakingValues<Input, Output>: Conversion {
  @inlinable static var name: String { "ValueForKeys" }
}

extension Publishers {
  /// Publishes what a closure makes of each value and the result before it; see
  /// `scan(_:_:)`.
  public struct Scan<Upstream: Publisher, Output>: LogicOperator {
    /// Where the values come from.
    public let upstream: Upstream
    /// What stands for the result before the first value.
    public let initialResult: Output
    /// Makes the next result from the last one and a value.
    public let nextPartialResult: (Output, Upstream.Output) -> Output

    /// The failure of upstream.
    public typealias Failure = Upstream.Failure

    @inlinable var logic: Scanning<PlainFunction2<Output, Upstream.Output, Output, Failure>> {
      Scanning(initialResult, PlainFunction2(nextPartialResult))
    }

    /// Makes the publisher; see `scan(_:_:)`.
    @inlinable
    public init(
      upstream: Upstream, initialResult: Output,
      nextPartialResult: @escaping (Output, Upstream.Output) -> Output
    ) {
      self.upstream = upstream
      self.initialResult = initialResult
      self.nextPartialResult = nextPartialResult
    }
  }

  /// Publishes what a closure makes of each value and the result before it, and fails when it throws; see
  /// `tryScan(_:_:)`.
  public struct TryScan<Upstream: Publisher, Output>: LogicOperator {
    /// Where the values come from.
    public let upstream: Upstream
    /// What stands for the result before the first value.
    public let initialResult: Output
    /// Makes the next result from the last one and a value, or throws.
    public let nextPartialResult: (Output, Upstream.Output) throws -> Output

    /// Any error: the closure's or upstream's.
    public typealias Failure = any Error

    @inlinable var logic: Scanning<ThrowingFunction2<Output, Upstream.Output, Output, Upstream.Failure>> {
      Scanning(initialResult, ThrowingFunction2(nextPartialResult))
    }

    /// Makes the publisher; see `tryScan(_:_:)`.
    @inlinable
    public init(
      upstream: Upstream, initialResult: Output,
      nextPartialResult: @escaping (Output, Upstream.Output) throws -> Output
    ) {
      self.upstream = upstream
      self.initialResult = initialResult
      self.nextPartialResult = nextPartialResult
    }
  }
}

/// The logic of `scan` and `tryScan`.
@usableFromInline
struct Scanning<Function: StageFunction2>: Stage where Function.First == Function.Output {
  @usableFromInline typealias Rule = Function.Rule
  @inlinable var name: String { "Scan" }
  @inlinable var isTransparent: Bool { true }

  @usableFromInline var result: Function.Output
  @usableFromInline let next: Function

  @inlinable
  init(_ initial: Function.Output, _ next: Function) {
    result = initial
    self.next = next
  }

  @inlinable @inline(__always)
  mutating func receive(_ input: Function.Second) throws(Rule.Thrown) -> Step<Function.Output> {
    result = try next(result, input)
    return .emit(result)
  }
}
