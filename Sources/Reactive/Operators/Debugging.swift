extension Publisher {
  /// Writes a line about each signal in either direction.
  ///
  /// Demand, values, completion, failure and cancel pass. A line is written before the signal passes. Nothing is
  /// written after the completion or a cancel.
  ///
  /// - Parameters:
  ///   - prefix: What each line starts with, followed by a colon; an empty one is left out.
  ///   - stream: Where the lines go, one at a time; nil for the standard output.
  @inlinable @inline(__always)
  public func print(_ prefix: String = "", to stream: (any TextOutputStream)? = nil) -> Publishers.Print<Self> {
    Publishers.Print(upstream: self, prefix: prefix, to: stream)
  }

  /// Calls closures when signals pass, in either direction.
  ///
  /// ```text
  /// source.handleEvents(receiveOutput: { _ in })
  /// source    -a-b-c-|
  /// demand    1-1-!
  /// output    -a-b
  /// upstream  1-1-!
  /// ```
  ///
  /// Demand, values, completion, failure and cancel pass. Each closure is called before its signal passes, and with the
  /// completion or a cancel all are released.
  ///
  /// - Parameters:
  ///   - receiveSubscription: Called with upstream's subscription.
  ///   - receiveOutput: Called with each value.
  ///   - receiveCompletion: Called when upstream completes; not after a cancel.
  ///   - receiveCancel: Called when downstream cancels; not after the completion.
  ///   - receiveRequest: Called with each request of downstream, and with each demand that it returns if that is more
  ///     than none.
  @inlinable @inline(__always)
  public func handleEvents(
    receiveSubscription: ((any Subscription) -> Void)? = nil,
    receiveOutput: ((Output) -> Void)? = nil,
    receiveCompletion: ((Subscribers.Completion<Failure>) -> Void)? = nil,
    receiveCancel: (() -> Void)? = nil,
    receiveRequest: ((Subscribers.Demand) -> Void)? = nil
  ) -> Publishers.HandleEvents<Self> {
    Publishers.HandleEvents(
      upstream: self, receiveSubscription: receiveSubscription, receiveOutput: receiveOutput,
      receiveCompletion: receiveCompletion, receiveCancel: receiveCancel, receiveRequest: receiveRequest)
  }

  /// Stops in the debugger when a closure wants it.
  ///
  /// Demand, values, completion, failure and cancel pass. Each closure is called before its signal passes; one that
  /// returns true raises `SIGTRAP`, which ends a program that no debugger watches.
  ///
  /// - Parameters:
  ///   - receiveSubscription: Whether to stop at upstream's subscription.
  ///   - receiveOutput: Whether to stop at a value.
  ///   - receiveCompletion: Whether to stop at the completion.
  @inlinable @inline(__always)
  public func breakpoint(
    receiveSubscription: ((any Subscription) -> Bool)? = nil,
    receiveOutput: ((Output) -> Bool)? = nil,
    receiveCompletion: ((Subscribers.Completion<Failure>) -> Bool)? = nil
  ) -> Publishers.Breakpoint<Self> {
    Publishers.Breakpoint(
      upstream: self, receiveSubscription: receiveSubscription, receiveOutput: receiveOutput,
      receiveCompletion: receiveCompletion)
  }

  /// Stops in the debugger when upstream fails.
  ///
  /// Demand, values, completion, failure and cancel pass. The failure raises `SIGTRAP` before it passes, which ends a
  /// program that no debugger watches.
  @inlinable @inline(__always)
  public func breakpointOnError() -> Publishers.Breakpoint<Self> {
    breakpoint(receiveCompletion: { if case .failure = $0 { true } else { false } })
  }
}

extension Publishers {
  /// Writes a line about each signal in either direction; see `print(_:to:)`.
  public struct Print<Upstream: Publisher>: LogicOperator {
    /// What each line starts with.
    public let prefix: String
    /// Where the values come from.
    public let upstream: Upstream
    /// Where the lines go; nil for the standard output.
    public let stream: (any TextOutputStream)?

    /// The value of upstream.
    public typealias Output = Upstream.Output
    /// The failure of upstream.
    public typealias Failure = Upstream.Failure

    @inlinable var logic: Observing<EventPrinter<Output, Failure>> {
      Observing(EventPrinter(prefix: prefix, stream: stream))
    }

    /// Makes the publisher; see `print(_:to:)`.
    @inlinable
    public init(upstream: Upstream, prefix: String, to stream: (any TextOutputStream)? = nil) {
      self.upstream = upstream
      self.prefix = prefix
      self.stream = stream
    }
  }

  /// Calls closures when signals pass; see
  /// `handleEvents(receiveSubscription:receiveOutput:receiveCompletion:receiveCancel:receiveRequest:)`.
  public struct HandleEvents<Upstream: Publisher>: LogicOperator {
    /// Where the values come from.
    public let upstream: Upstream
    /// Called with upstream's subscription.
    public var receiveSubscription: ((any Subscription) -> Void)?
    /// Called with each value.
    public var receiveOutput: ((Output) -> Void)?
    /// Called when upstream completes.
    public var receiveCompletion: ((Subscribers.Completion<Failure>) -> Void)?
    /// Called when downstream cancels.
    public var receiveCancel: (() -> Void)?
    /// Called with each demand of downstream.
    public var receiveRequest: ((Subscribers.Demand) -> Void)?

    /// The value of upstream.
    public typealias Output = Upstream.Output
    /// The failure of upstream.
    public typealias Failure = Upstream.Failure

    @inlinable var logic: Observing<EventHandlers<Output, Failure>> { Observing(EventHandlers(self)) }

    /// Makes the publisher; see
    /// `handleEvents(receiveSubscription:receiveOutput:receiveCompletion:receiveCancel:receiveRequest:)`.
    @inlinable
    public init(
      upstream: Upstream,
      receiveSubscription: ((any Subscription) -> Void)? = nil,
      receiveOutput: ((Output) -> Void)? = nil,
      receiveCompletion: ((Subscribers.Completion<Failure>) -> Void)? = nil,
      receiveCancel: (() -> Void)? = nil,
      receiveRequest: ((Subscribers.Demand) -> Void)?
    ) {
      self.upstream = upstream
      self.receiveSubscription = receiveSubscription
      self.receiveOutput = receiveOutput
      self.receiveCompletion = receiveCompletion
      self.receiveCancel = receiveCancel
      self.receiveRequest = receiveRequest
    }
  }
}

/// Learns of each signal that passes, in either direction, before it does.
@usableFromInline
protocol EventObserver {
  associatedtype Input
  associatedtype Failure: Error

  /// The name of the operator.
  static var name: String { get }

  func received(subscription: any Subscription)
  func received(_ input: Input)
  func received(completion: Subscribers.Completion<Failure>)
  /// Downstream requested this, or returned it from a delivery.
  func requested(_ demand: Subscribers.Demand, isReturned: Bool)
  func cancelled()
}

/// The logic of `print` and `handleEvents`.
@usableFromInline
struct Observing<Observer: EventObserver>: Stage {
  @usableFromInline typealias Rule = Keeping<Observer.Failure>
  @inlinable var name: String { Observer.name }

  @usableFromInline let observer: Observer
  @usableFromInline var observed: ObservedSubscription<Observer>?

  @inlinable
  init(_ observer: Observer) {
    self.observer = observer
  }

  @inlinable
  func receive(subscription: any Subscription) { observer.received(subscription: subscription) }

  @inlinable
  mutating func subscription(_ slot: SubscriptionSlot) -> any Subscription {
    let observed = ObservedSubscription(slot, observer)
    self.observed = observed
    return observed
  }

  @inlinable @inline(__always)
  func receive(_ input: Observer.Input) -> Step<Observer.Input> {
    observer.received(input)
    return .emit(input)
  }

  @inlinable @inline(__always)
  func returned(_ demand: Subscribers.Demand) {
    if demand > .none { observed?.report(demand, isReturned: true) }
  }

  @inlinable
  func completion(_ completion: Subscribers.Completion<Observer.Failure>) -> Subscribers.Completion<Observer.Failure> {
    withExtendedLifetime(observed?.release()) { observer.received(completion: completion) }
    return completion
  }
}

/// A subscription that tells an observer what downstream asks of it, until the completion or a cancel.
@usableFromInline
final class ObservedSubscription<Observer: EventObserver>: Subscription, CustomStringConvertible {
  private let slot: SubscriptionSlot
  private let lock = Lock()
  private var observer: Observer?

  @usableFromInline
  init(_ slot: SubscriptionSlot, _ observer: Observer) {
    self.slot = slot
    self.observer = observer
  }

  @usableFromInline
  func report(_ demand: Subscribers.Demand, isReturned: Bool) {
    lock.withLock { observer }?.requested(demand, isReturned: isReturned)
  }

  /// Lets go of the observer.
  ///
  /// - Returns: The observer, for the caller to release: that runs code of the user's.
  @usableFromInline
  func release() -> Observer? {
    lock.withLock {
      defer { observer = nil }
      return observer
    }
  }

  @usableFromInline
  func request(_ demand: Subscribers.Demand) {
    report(demand, isReturned: false)
    slot.request(demand)
  }

  @usableFromInline
  func cancel() {
    let upstream = slot.beginCancel()
    let observer = release()
    // Without one, upstream has completed meanwhile.
    guard let upstream else { return }
    observer?.cancelled()
    upstream.cancel()
  }

  @usableFromInline
  var description: String { slot.description }
}

/// The closures of `handleEvents`.
@usableFromInline
struct EventHandlers<Input, Failure: Error>: EventObserver {
  @inlinable static var name: String { "HandleEvents" }

  @usableFromInline let subscription: ((any Subscription) -> Void)?
  // Not optional: called for each value.
  @usableFromInline let output: (Input) -> Void
  @usableFromInline let completion: ((Subscribers.Completion<Failure>) -> Void)?
  @usableFromInline let cancel: (() -> Void)?
  @usableFromInline let request: ((Subscribers.Demand) -> Void)?

  @inlinable
  init<P: Publisher<Input, Failure>>(_ events: Publishers.HandleEvents<P>) {
    subscription = events.receiveSubscription
    output = events.receiveOutput ?? { _ in }
    completion = events.receiveCompletion
    cancel = events.receiveCancel
    request = events.receiveRequest
  }

  @inlinable
  func received(subscription: any Subscription) { self.subscription?(subscription) }
  @inlinable @inline(__always)
  func received(_ input: Input) { output(input) }
  @inlinable
  func received(completion: Subscribers.Completion<Failure>) { self.completion?(completion) }
  @inlinable
  func requested(_ demand: Subscribers.Demand, isReturned: Bool) { request?(demand) }
  @inlinable
  func cancelled() { cancel?() }
}

/// Writes what `print` writes.
@usableFromInline
struct EventPrinter<Input, Failure: Error>: EventObserver {
  @inlinable static var name: String { "Print" }

  private let prefix: String
  private let writer: LineWriter

  @usableFromInline
  init(prefix: String, stream: (any TextOutputStream)?) {
    self.prefix = prefix.isEmpty ? "" : prefix + ": "
    writer = LineWriter(stream)
  }

  @usableFromInline
  func received(subscription: any Subscription) { write("receive subscription: (\(subscription))") }
  @usableFromInline
  func received(_ input: Input) { write("receive value: (\(input))") }
  @usableFromInline
  func received(completion: Subscribers.Completion<Failure>) {
    switch completion {
    case .finished: write("receive finished")
    case .failure(let error): write("receive error: (\(error))")
    }
  }
  @usableFromInline
  func requested(_ demand: Subscribers.Demand, isReturned: Bool) {
    let amount = demand.max.map { "max: (\($0))" } ?? "unlimited"
    write("request \(amount)\(isReturned ? " (synchronous)" : "")")
  }
  @usableFromInline
  func cancelled() { write("receive cancel") }

  private func write(_ text: String) { writer.write(prefix + text) }
}

/// Writes whole lines to a stream, one at a time.
///
/// Requests and values may come from different threads, and a stream may do anything, so no lock is held while it
/// writes: a line that comes meanwhile waits for the thread that is writing.
private final class LineWriter {
  private let lock = Lock()
  private var pending: [String] = []
  private var isWriting = false
  private let print: (String) -> Void

  init(_ stream: (any TextOutputStream)?) {
    print = if let stream { Self.print(to: stream) } else { { Swift.print($0) } }
  }

  // Generic: printing to a captured existential crashes the compiler (Swift 6.3.1).
  private static func print<Stream: TextOutputStream>(to stream: Stream) -> (String) -> Void {
    var stream = stream
    return { Swift.print($0, to: &stream) }
  }

  func write(_ line: String) {
    let isFirst = lock.withLock {
      pending.append(line)
      defer { isWriting = true }
      return !isWriting
    }
    guard isFirst else { return }
    while let lines = takeLines() {
      for line in lines { print(line) }
    }
  }

  private func takeLines() -> [String]? {
    lock.withLock {
      isWriting = !pending.isEmpty
      defer { pending = [] }
      return isWriting ? pending : nil
    }
  }
}

extension Publishers {
  /// Stops in the debugger when a closure wants it; see
  /// `breakpoint(receiveSubscription:receiveOutput:receiveCompletion:)`.
  public struct Breakpoint<Upstream: Publisher>: LogicOperator {
    /// Where the values come from.
    public let upstream: Upstream
    /// Whether to stop at upstream's subscription.
    public let receiveSubscription: ((any Subscription) -> Bool)?
    /// Whether to stop at a value.
    public let receiveOutput: ((Upstream.Output) -> Bool)?
    /// Whether to stop at the completion.
    public let receiveCompletion: ((Subscribers.Completion<Failure>) -> Bool)?

    /// The value of upstream.
    public typealias Output = Upstream.Output
    /// The failure of upstream.
    public typealias Failure = Upstream.Failure

    @inlinable var logic: Breaking<Output, Failure> { Breaking(self) }

    /// Makes the publisher; see `breakpoint(receiveSubscription:receiveOutput:receiveCompletion:)`.
    @inlinable
    public init(
      upstream: Upstream,
      receiveSubscription: ((any Subscription) -> Bool)? = nil,
      receiveOutput: ((Upstream.Output) -> Bool)? = nil,
      receiveCompletion: ((Subscribers.Completion<Failure>) -> Bool)? = nil
    ) {
      self.upstream = upstream
      self.receiveSubscription = receiveSubscription
      self.receiveOutput = receiveOutput
      self.receiveCompletion = receiveCompletion
    }
  }
}

/// The logic of `breakpoint`.
@usableFromInline
struct Breaking<Input, Failure: Error>: Stage {
  @usableFromInline typealias Rule = Keeping<Failure>
  @inlinable var name: String { "Breakpoint" }
  @inlinable var isTransparent: Bool { true }

  @usableFromInline let subscription: ((any Subscription) -> Bool)?
  // Not optional: called for each value.
  @usableFromInline let output: (Input) -> Bool
  @usableFromInline let completion: ((Subscribers.Completion<Failure>) -> Bool)?

  @inlinable
  init<P: Publisher<Input, Failure>>(_ breakpoint: Publishers.Breakpoint<P>) {
    subscription = breakpoint.receiveSubscription
    output = breakpoint.receiveOutput ?? { _ in false }
    completion = breakpoint.receiveCompletion
  }

  @inlinable
  func receive(subscription: any Subscription) {
    if self.subscription?(subscription) == true { stopInDebugger() }
  }

  @inlinable @inline(__always)
  func receive(_ input: Input) -> Step<Input> {
    if output(input) { stopInDebugger() }
    return .emit(input)
  }

  @inlinable
  func completion(_ completion: Subscribers.Completion<Failure>) -> Subscribers.Completion<Failure> {
    if self.completion?(completion) == true { stopInDebugger() }
    return completion
  }
}
