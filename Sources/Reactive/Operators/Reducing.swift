extension Publisher {
  /// Publishes all values as one array when upstream finishes.
  ///
  /// ```text
  /// source.collect()
  /// source    -a-b-|
  /// demand    ------1
  /// output    ------(p|)
  /// upstream  *
  /// p = ["a", "b"]
  /// ```
  ///
  /// Requests everything at once. Delivers the array when there is demand, then finishes; a failure or a cancel drops
  /// what has been collected.
  @inlinable @inline(__always)
  public func collect() -> Publishers.Collect<Self> {
    Publishers.Collect(upstream: self)
  }

  /// Publishes the values in arrays of a given size, and what is left in a shorter one when upstream finishes.
  ///
  /// ```text
  /// source.collect(2)
  /// source    -a-b-c-|
  /// demand    2
  /// output    ---p---(q|)
  /// upstream  4
  /// p = ["a", "b"]
  /// q = ["c"]
  /// ```
  ///
  /// Requests the size times what is requested of it. The completion comes at once; a failure or a cancel drops a group
  /// that is not full.
  ///
  /// - Parameter count: How many values make a group. Less than one traps.
  @inlinable @inline(__always)
  public func collect(_ count: Int) -> Publishers.CollectByCount<Self> {
    Publishers.CollectByCount(upstream: self, count: count)
  }

  /// Publishes what a closure makes of all values, one after the other, when upstream finishes.
  ///
  /// ```text
  /// source.reduce("") { $0 + $1 }
  /// source    -a-b-|
  /// output    -----(p|)
  /// upstream  *
  /// p = ab
  /// ```
  ///
  /// Requests everything; the result waits for demand. An upstream without values gives the initial result; a failure
  /// passes and drops the result.
  ///
  /// - Parameters:
  ///   - initialResult: What the closure gets with the first value.
  ///   - nextPartialResult: Makes a new result of the one so far and a value.
  @inlinable @inline(__always)
  public func reduce<T>(
    _ initialResult: T, _ nextPartialResult: @escaping (T, Output) -> T
  ) -> Publishers.Reduce<Self, T> {
    Publishers.Reduce(upstream: self, initial: initialResult, nextPartialResult: nextPartialResult)
  }

  /// Publishes what a closure makes of all values, one after the other; fails when the closure throws.
  ///
  /// ```text
  /// source.tryReduce("") { try $0 + check($1) }
  /// source    -a-x-b-|
  /// output    ---#
  /// upstream  *--!
  /// ```
  ///
  /// Requests everything; the result waits for demand. An upstream without values gives the initial result. An error
  /// thrown cancels upstream and becomes the failure, without demand.
  ///
  /// - Parameters:
  ///   - initialResult: What the closure gets with the first value.
  ///   - nextPartialResult: Makes a new result of the one so far and a value, or throws.
  @inlinable @inline(__always)
  public func tryReduce<T>(
    _ initialResult: T, _ nextPartialResult: @escaping (T, Output) throws -> T
  ) -> Publishers.TryReduce<Self, T> {
    Publishers.TryReduce(upstream: self, initial: initialResult, nextPartialResult: nextPartialResult)
  }

  /// Publishes the number of values when upstream finishes.
  ///
  /// ```text
  /// source.count()
  /// source    -a-b-|
  /// output    -----(n|)
  /// upstream  *
  /// n = 2
  /// ```
  ///
  /// Requests everything; the number waits for demand. A failure passes.
  @inlinable @inline(__always)
  public func count() -> Publishers.Count<Self> {
    Publishers.Count(upstream: self)
  }

  /// Publishes no value, only the completion.
  ///
  /// ```text
  /// source.ignoreOutput()
  /// source    -a-b-|
  /// demand
  /// output    -----|
  /// upstream  *
  /// ```
  ///
  /// Requests everything. Completion and failure pass and need no demand.
  @inlinable @inline(__always)
  public func ignoreOutput() -> Publishers.IgnoreOutput<Self> {
    Publishers.IgnoreOutput(upstream: self)
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

  /// Publishes the values in arrays of a given size; see `collect(_:)`.
  public struct CollectByCount<Upstream: Publisher>: Publisher {
    /// A group of values.
    public typealias Output = [Upstream.Output]
    /// The failure of upstream.
    public typealias Failure = Upstream.Failure
    /// Where the values come from.
    public let upstream: Upstream
    /// How many values make a group.
    public let count: Int

    /// Makes the publisher; see `collect(_:)`.
    @inlinable
    public init(upstream: Upstream, count: Int) {
      precondition(count > 0, "A group needs at least one value: \(count)")
      self.upstream = upstream
      self.count = count
    }

    /// Attaches a subscriber.
    @inlinable @inline(__always)
    public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
      upstream.receive(subscriber: GroupingConduit(count, subscriber))
    }
  }

  /// Publishes what a closure makes of all values; see `reduce(_:_:)`.
  public struct Reduce<Upstream: Publisher, Output>: Publisher {
    /// The failure of upstream.
    public typealias Failure = Upstream.Failure
    /// Where the values come from.
    public let upstream: Upstream
    /// What the closure gets with the first value.
    public let initial: Output
    /// Makes a new result of the one so far and a value.
    public let nextPartialResult: (Output, Upstream.Output) -> Output

    /// Makes the publisher; see `reduce(_:_:)`.
    @inlinable
    public init(upstream: Upstream, initial: Output, nextPartialResult: @escaping (Output, Upstream.Output) -> Output) {
      self.upstream = upstream
      self.initial = initial
      self.nextPartialResult = nextPartialResult
    }

    /// Attaches a subscriber.
    @inlinable @inline(__always)
    public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
      upstream.receive(
        subscriber: AccumulatingConduit(Folding<_, _, Keeping<Failure>>(initial, nextPartialResult), subscriber))
    }
  }

  /// Publishes what a closure that may throw makes of all values; see `tryReduce(_:_:)`.
  public struct TryReduce<Upstream: Publisher, Output>: Publisher {
    /// Any error: the closure's or upstream's.
    public typealias Failure = any Error
    /// Where the values come from.
    public let upstream: Upstream
    /// What the closure gets with the first value.
    public let initial: Output
    /// Makes a new result of the one so far and a value.
    public let nextPartialResult: (Output, Upstream.Output) throws -> Output

    /// Makes the publisher; see `tryReduce(_:_:)`.
    @inlinable
    public init(
      upstream: Upstream, initial: Output, nextPartialResult: @escaping (Output, Upstream.Output) throws -> Output
    ) {
      self.upstream = upstream
      self.initial = initial
      self.nextPartialResult = nextPartialResult
    }

    /// Attaches a subscriber.
    @inlinable @inline(__always)
    public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
      upstream.receive(
        subscriber: AccumulatingConduit(
          Folding<_, _, Erasing<Upstream.Failure>>(initial, nextPartialResult), subscriber))
    }
  }

  /// Publishes the number of values; see `count()`.
  public struct Count<Upstream: Publisher>: Publisher {
    /// The number of values.
    public typealias Output = Int
    /// The failure of upstream.
    public typealias Failure = Upstream.Failure
    /// Where the values come from.
    public let upstream: Upstream

    /// Makes the publisher; see `count()`.
    @inlinable
    public init(upstream: Upstream) {
      self.upstream = upstream
    }

    /// Attaches a subscriber.
    @inlinable @inline(__always)
    public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
      upstream.receive(subscriber: AccumulatingConduit(Counting<Upstream.Output, Failure>(), subscriber))
    }
  }

  /// Publishes only the completion; see `ignoreOutput()`.
  public struct IgnoreOutput<Upstream: Publisher>: Publisher {
    /// There are no values.
    public typealias Output = Never
    /// The failure of upstream.
    public typealias Failure = Upstream.Failure
    /// Where the values come from.
    public let upstream: Upstream

    /// Makes the publisher; see `ignoreOutput()`.
    @inlinable
    public init(upstream: Upstream) {
      self.upstream = upstream
    }

    /// Attaches a subscriber.
    @inlinable @inline(__always)
    public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
      upstream.receive(subscriber: Conduit(Ignoring<Upstream.Output, Failure>(), subscriber))
    }
  }
}

extension Publishers.Collect: Equatable where Upstream: Equatable {}
extension Publishers.CollectByCount: Equatable where Upstream: Equatable {}
extension Publishers.Count: Equatable where Upstream: Equatable {}
extension Publishers.IgnoreOutput: Equatable where Upstream: Equatable {}

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

/// The logic of `reduce` and `tryReduce`.
@usableFromInline
struct Folding<Input, Output, Rule: ConvertingFailureRule>: Accumulator {
  @inlinable static var name: String { "Reduce" }

  @usableFromInline var partial: Output
  @usableFromInline let nextPartialResult: (Output, Input) throws(Rule.Thrown) -> Output

  @inlinable
  init(_ initial: Output, _ nextPartialResult: @escaping (Output, Input) throws(Rule.Thrown) -> Output) {
    partial = initial
    self.nextPartialResult = nextPartialResult
  }

  @inlinable @inline(__always)
  mutating func receive(_ input: Input) throws(Rule.Thrown) -> Bool {
    partial = try nextPartialResult(partial, input)
    return false
  }

  @inlinable
  mutating func result() -> Output? { partial }
}

/// The logic of `count()`.
@usableFromInline
struct Counting<Input, Failure: Error>: Accumulator {
  @usableFromInline typealias Rule = Keeping<Failure>
  @inlinable static var name: String { "Count" }

  @usableFromInline var count = 0

  @inlinable
  init() {}

  @inlinable @inline(__always)
  mutating func receive(_ input: Input) -> Bool {
    count += 1
    return false
  }

  @inlinable
  mutating func result() -> Int? { count }
}

/// The logic of `ignoreOutput()`: a stage, because without a result nothing has to wait.
@usableFromInline
struct Ignoring<Input, Failure: Error>: Stage {
  @usableFromInline typealias Rule = Keeping<Failure>
  @inlinable static var name: String { "IgnoreOutput" }
  @inlinable static var isTransparent: Bool { true }
  @inlinable var prefetch: Subscribers.Demand { .unlimited }

  @inlinable
  init() {}

  @inlinable @inline(__always)
  mutating func receive(_ input: Input) -> Step<Never> { .swallow }
}

/// What `collect(_:)` hands downstream: demand for groups, multiplied on its way up.
@usableFromInline
final class GroupSlot: Subscription, CustomStringConvertible, Sendable {
  @usableFromInline let slot = SubscriptionSlot(name: nil)
  @usableFromInline let ledger = DemandLedger()
  @usableFromInline let count: Int

  @usableFromInline
  init(_ count: Int) {
    self.count = count
  }

  @usableFromInline
  func request(_ demand: Subscribers.Demand) {
    guard demand > .none else { return }
    ledger.add(demand)
    slot.request(demand * count)
  }

  @usableFromInline
  func cancel() {
    ledger.close()
    slot.cancel()
  }

  @usableFromInline
  var description: String { "CollectByCount" }
}

/// Runs `collect(_:)`.
///
/// A group is begun only when there is demand for it, so a group that upstream's finish cuts short needs no waiting.
@usableFromInline
final class GroupingConduit<Input, Downstream: Subscriber>: Subscriber, CustomStringConvertible
where Downstream.Input == [Input] {
  @usableFromInline typealias Failure = Downstream.Failure

  // Serial by contract; a dynamic check would cost about as much as the step.
  @exclusivity(unchecked)
  @usableFromInline
  var group: [Input] = []

  @usableFromInline let downstream: Downstream
  @usableFromInline let subscription: GroupSlot

  @inlinable
  init(_ count: Int, _ downstream: Downstream) {
    self.downstream = downstream
    subscription = GroupSlot(count)
  }

  @inlinable
  func receive(subscription upstream: any Subscription) {
    if subscription.slot.take(upstream) { downstream.receive(subscription: subscription) }
  }

  @inlinable @inline(__always)
  func receive(_ input: Input) -> Subscribers.Demand {
    guard subscription.slot.isOpen, !group.isEmpty || subscription.ledger.hasDemand else { return .none }
    // A small group takes one allocation; a large one grows, as its count may never be reached.
    if group.isEmpty { group.reserveCapacity(Swift.min(subscription.count, 16)) }
    group.append(input)
    return group.count < subscription.count ? .none : deliver()
  }

  @inlinable
  func receive(completion: Subscribers.Completion<Failure>) {
    guard subscription.slot.end() != nil else { return }
    if case .finished = completion, !group.isEmpty { _ = deliver() }
    if subscription.ledger.close() { downstream.receive(completion: completion) }
  }

  /// Sends the group.
  ///
  /// - Returns: What to request upstream for the groups downstream has asked for in return.
  @inlinable
  func deliver() -> Subscribers.Demand {
    guard subscription.ledger.consume() else { return .none }
    // Whatever downstream does meanwhile goes into the next group.
    let full = group
    group = []
    let demand = downstream.receive(full)
    subscription.ledger.add(demand)
    return demand * subscription.count
  }

  @usableFromInline
  var description: String { "CollectByCount" }
}
