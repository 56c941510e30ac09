/// Runs a closure at once, and publishes the one result that it promises, now or later.
///
/// The closure runs in the initialiser, once, whether or not anybody subscribes. The first call of the promise counts.
/// Every subscriber gets the value at its first request and then the completion; a failure needs no demand. A cancel
/// ends one subscription, not the work.
public final class Future<Output, Failure: Error>: Publisher {
  /// Fulfils the future; every call after the first does nothing.
  public typealias Promise = (Result<Output, Failure>) -> Void

  @usableFromInline let state = FutureState<Output, Failure>()

  /// Starts the work.
  ///
  /// - Parameter attemptToFulfill: Called before the initialiser returns, with the promise to call when the result is
  ///   known, on any thread. When the promise is released without a call, subscribers hear nothing more and are let go.
  public init(_ attemptToFulfill: @escaping (@escaping Promise) -> Void) {
    let promise = FuturePromise(state)
    attemptToFulfill { promise.fulfil(with: $0) }
  }

  /// Attaches a subscriber, which gets the result when it is known.
  @inlinable @inline(__always)
  public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
    let port = FuturePort<Output, Failure>(
      receiveValue: { _ = subscriber.receive($0) },
      receiveCompletion: { subscriber.receive(completion: $0) })
    subscriber.receive(subscription: FutureSubscription(state, port.tally))
    state.join(port)
  }
}

// The state is guarded by its lock; the result crosses threads, so it has to be sendable.
extension Future: @unchecked Sendable where Output: Sendable {}

/// The result of a future, and who waits for it.
@usableFromInline
final class FutureState<Output, Failure: Error>: @unchecked Sendable {
  // Sendable: everything is touched under the lock only.
  private let lock = Lock()
  private var result: Result<Output, Failure>?
  private var isAbandoned = false
  private var waiting = PortList()

  @usableFromInline
  init() {}

  /// The result, once there is one.
  var known: Result<Output, Failure>? { lock.withLock { result } }

  func fulfil(with result: Result<Output, Failure>) {
    let ports = lock.withLock { () -> ContiguousArray<AnyPort?>? in
      guard self.result == nil else { return nil }
      self.result = result
      return waiting.ports
    }
    ports?.forEachPort(FuturePort<Output, Failure>.self) { settle($0.tally) }
  }

  /// Lets go of everybody who waits: the promise is gone.
  func abandon() {
    let released = lock.withLock { () -> ContiguousArray<AnyPort?>? in
      guard result == nil else { return nil }
      isAbandoned = true
      return waiting.removeAll()
    }
    withExtendedLifetime(released) {}
  }

  @usableFromInline
  func join(_ port: FuturePort<Output, Failure>) {
    let isKnown = lock.withLock {
      if !isAbandoned, !port.tally.ledger.isClosed { waiting.append(port) }
      return result != nil
    }
    if isKnown { settle(port.tally) }
  }

  func request(_ demand: Subscribers.Demand, for tally: Tally) {
    tally.ledger.add(demand)
    settle(tally)
  }

  func cancel(_ tally: Tally) {
    tally.ledger.close()
    withExtendedLifetime(lock.withLock { waiting.remove(tally) }) {}
  }

  /// Delivers the result to one subscriber if it is known and allowed to go: a value needs demand.
  ///
  /// Whoever takes the port out of the list delivers, so it happens once.
  private func settle(_ tally: Tally) {
    let due = lock.withLock { () -> (port: AnyPort, result: Result<Output, Failure>)? in
      guard let result else { return nil }
      if case .success = result, !tally.ledger.hasDemand { return nil }
      return waiting.remove(tally).map { ($0, result) }
    }
    guard let due, !tally.ledger.isClosed else { return }
    let port = unsafeDowncast(due.port, to: FuturePort<Output, Failure>.self)
    switch due.result {
    case .success(let value):
      port.receiveValue(value)
      if tally.ledger.close() { port.receiveCompletion(.finished) }
    case .failure(let error):
      if tally.ledger.close() { port.receiveCompletion(.failure(error)) }
    }
  }
}

/// One subscriber of a future.
@usableFromInline
final class FuturePort<Output, Failure: Error>: AnyPort, @unchecked Sendable {
  // Sendable: the closures are called once, by whoever takes the port out of the list.
  let receiveValue: (Output) -> Void
  let receiveCompletion: (Subscribers.Completion<Failure>) -> Void

  @usableFromInline
  init(
    receiveValue: @escaping (Output) -> Void,
    receiveCompletion: @escaping (Subscribers.Completion<Failure>) -> Void
  ) {
    self.receiveValue = receiveValue
    self.receiveCompletion = receiveCompletion
    super.init(busy: false)
  }
}

/// What the promise of a future holds; its end tells that nothing will come.
private final class FuturePromise<Output, Failure: Error> {
  private let state: FutureState<Output, Failure>

  init(_ state: FutureState<Output, Failure>) {
    self.state = state
  }

  deinit {
    state.abandon()
  }

  func fulfil(with result: Result<Output, Failure>) {
    state.fulfil(with: result)
  }
}

/// The subscription of one subscriber to a future; it keeps the result, not the subscriber.
@usableFromInline
final class FutureSubscription<Output, Failure: Error>: Subscription, CustomStringConvertible, @unchecked Sendable {
  // Sendable: the reference is touched under the lock only.
  private let lock = Lock()
  private let tally: Tally
  private var state: FutureState<Output, Failure>?

  @usableFromInline
  init(_ state: FutureState<Output, Failure>, _ tally: Tally) {
    self.state = state
    self.tally = tally
  }

  @usableFromInline
  func request(_ demand: Subscribers.Demand) {
    guard demand > .none else { return }
    lock.withLock { state }?.request(demand, for: tally)
  }

  @usableFromInline
  func cancel() {
    // Before anything else, so that a second caller, for whom nothing is left to do, does not return ahead of the effect.
    tally.ledger.close()
    let state = lock.withLock { () -> FutureState<Output, Failure>? in
      defer { self.state = nil }
      return self.state
    }
    state?.cancel(tally)
  }

  @usableFromInline
  var description: String { "Future" }
}
