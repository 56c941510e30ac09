extension Publisher {
  /// Shares one subscription to this publisher among subscribers of a subject, once connected.
  ///
  /// - Parameter createSubject: Makes the subject; called once, for the first subscriber or connection.
  @inlinable @inline(__always)
  public func multicast<S: Subject>(_ createSubject: @escaping () -> S) -> Publishers.Multicast<Self, S>
  where S.Output == Output, S.Failure == Failure {
    Publishers.Multicast(upstream: self, createSubject: createSubject)
  }

  /// Shares one subscription to this publisher among subscribers of a subject, once connected.
  ///
  /// - Parameter subject: What the values pass through.
  @inlinable @inline(__always)
  public func multicast<S: Subject>(subject: S) -> Publishers.Multicast<Self, S>
  where S.Output == Output, S.Failure == Failure {
    multicast { subject }
  }

  /// Shares one subscription to this publisher among all subscribers.
  ///
  /// The first subscriber starts it, and everything is requested as soon as one of them requests something; one without
  /// demand misses values. When all have cancelled it is cancelled, and starts again with the next one. After the
  /// completion, a new subscriber gets only that.
  @inlinable @inline(__always)
  public func share() -> Publishers.Share<Self> {
    Publishers.Share(upstream: self)
  }
}

extension Publisher where Failure == Never {
  /// Holds this publisher back until `connect()` is called, and then shares it among all subscribers.
  @inlinable @inline(__always)
  public func makeConnectable() -> Publishers.MakeConnectable<Self> {
    Publishers.MakeConnectable(upstream: self)
  }
}

extension ConnectablePublisher {
  /// Connects when the first subscriber comes, and disconnects when the last one has cancelled.
  ///
  /// Cancelling a subscription again counts once; a completion does not disconnect, so that nothing starts anew.
  @inlinable @inline(__always)
  public func autoconnect() -> Publishers.Autoconnect<Self> {
    Publishers.Autoconnect(upstream: self)
  }
}

extension Publishers {
  /// Shares one subscription among subscribers of a subject; see `multicast(_:)`.
  public final class Multicast<Upstream: Publisher, SubjectType: Subject>: ConnectablePublisher
  where Upstream.Failure == SubjectType.Failure, Upstream.Output == SubjectType.Output {
    /// What upstream publishes.
    public typealias Output = Upstream.Output
    /// The failure of upstream.
    public typealias Failure = Upstream.Failure
    /// Where the values come from.
    public let upstream: Upstream
    /// Makes the subject.
    public let createSubject: () -> SubjectType

    @usableFromInline let lock = Lock()
    @usableFromInline var subject: SubjectType?
    @usableFromInline weak var connection: AnyCancellable?
    @usableFromInline var connected: SubscriptionSlot?

    /// Makes the publisher; see `multicast(_:)`.
    @inlinable
    public init(upstream: Upstream, createSubject: @escaping () -> SubjectType) {
      self.upstream = upstream
      self.createSubject = createSubject
    }

    /// Attaches a subscriber to the subject.
    @inlinable @inline(__always)
    public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
      sharedSubject().receive(subscriber: Conduit(Multicasting<Output, Failure>(), subscriber))
    }

    /// Subscribes the subject to upstream, unless it is.
    ///
    /// - Returns: Ends that subscription when cancelled, or when the last reference to it goes. While connected, every
    ///   call returns the same one.
    @inlinable
    public func connect() -> any Cancellable {
      let subscriber = SubjectSubscriber(sharedSubject())
      let fresh = AnyCancellable(slot: subscriber.slot)
      let running = lock.withLock { () -> AnyCancellable? in
        if let connection, let connected, !connected.hasEnded { return connection }
        connection = fresh
        connected = subscriber.slot
        return nil
      }
      if let running { return running }
      upstream.receive(subscriber: subscriber)
      return fresh
    }

    @inlinable
    func sharedSubject() -> SubjectType {
      if let subject = lock.withLock({ subject }) { return subject }
      // The closure is the user's, so it runs without the lock; the first result counts.
      let made = createSubject()
      return lock.withLock {
        if let subject { return subject }
        subject = made
        return made
      }
    }
  }

  /// Connects with the first subscriber and disconnects with the last; see `autoconnect()`.
  public class Autoconnect<Upstream: ConnectablePublisher>: Publisher {
    /// What upstream publishes.
    public typealias Output = Upstream.Output
    /// The failure of upstream.
    public typealias Failure = Upstream.Failure
    /// What is connected.
    public final let upstream: Upstream
    @usableFromInline final let connection: SharedConnection

    /// Makes the publisher; see `autoconnect()`.
    @inlinable
    public init(upstream: Upstream) {
      self.upstream = upstream
      connection = SharedConnection { upstream.connect() }
    }

    /// Attaches a subscriber, and connects if it is the first.
    @inlinable @inline(__always)
    public final func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
      connection.enter()
      upstream.receive(subscriber: AutoconnectConduit(connection, subscriber))
      connection.settle()
    }
  }

  /// Shares one subscription among all subscribers; see `share()`.
  public final class Share<Upstream: Publisher>: Publisher, Equatable {
    /// What upstream publishes.
    public typealias Output = Upstream.Output
    /// The failure of upstream.
    public typealias Failure = Upstream.Failure
    /// Where the values come from.
    public let upstream: Upstream
    @usableFromInline let shared: Autoconnect<Multicast<Upstream, PassthroughSubject<Output, Failure>>>

    /// Makes the publisher; see `share()`.
    @inlinable
    public init(upstream: Upstream) {
      self.upstream = upstream
      shared = Autoconnect(upstream: Multicast(upstream: upstream) { PassthroughSubject() })
    }

    /// Attaches a subscriber.
    @inlinable @inline(__always)
    public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
      shared.receive(subscriber: subscriber)
    }

    /// Whether both are the same publisher.
    public static func == (lhs: Share, rhs: Share) -> Bool { lhs === rhs }
  }

  /// Holds upstream back until it is connected; see `makeConnectable()`.
  public struct MakeConnectable<Upstream: Publisher>: ConnectablePublisher where Upstream.Failure == Never {
    /// What upstream publishes.
    public typealias Output = Upstream.Output
    /// Upstream cannot fail.
    public typealias Failure = Never
    @usableFromInline let shared: Multicast<Upstream, PassthroughSubject<Output, Never>>

    /// Makes the publisher; see `makeConnectable()`.
    @inlinable
    public init(upstream: Upstream) {
      shared = Multicast(upstream: upstream) { PassthroughSubject() }
    }

    /// Attaches a subscriber, which gets values once connected.
    @inlinable @inline(__always)
    public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Never {
      shared.receive(subscriber: subscriber)
    }

    /// Starts upstream.
    ///
    /// - Returns: Ends it when cancelled or released.
    @inlinable
    public func connect() -> any Cancellable {
      shared.connect()
    }
  }
}

/// Passes everything on, under the name of the operator that shares.
@usableFromInline
struct Multicasting<Value, Failure: Error>: Stage {
  @usableFromInline typealias Rule = Keeping<Failure>
  @inlinable static var name: String { "Multicast" }

  @inlinable
  init() {}

  @inlinable @inline(__always)
  mutating func receive(_ input: Value) -> Step<Value> { .emit(input) }
}

/// Counts the subscribers that have not cancelled, and is connected while there are any.
///
/// Connecting and disconnecting run one at a time and outside the lock. Whoever is at it looks again afterwards, so what
/// changes meanwhile is seen to, and a connection that is being given up is never handed to a newcomer.
@usableFromInline
final class SharedConnection: @unchecked Sendable {
  // Sendable: everything is touched under the lock only; connecting runs one at a time.
  private enum Step {
    case connect
    case disconnect(any Cancellable)
  }

  private let lock = Lock()
  private let start: () -> any Cancellable
  private var subscribers = 0
  private var isBusy = false
  private var connection: (any Cancellable)?

  @usableFromInline
  init(_ start: @escaping () -> any Cancellable) {
    self.start = start
  }

  /// Counts a subscriber that is about to be attached.
  @usableFromInline
  func enter() {
    lock.withLock { subscribers += 1 }
  }

  /// Counts a subscriber off; without any, the connection ends.
  func leave() {
    lock.withLock { subscribers -= 1 }
    settle()
  }

  /// Connects or disconnects, as the number of subscribers wants it.
  @usableFromInline
  func settle() {
    while let step = lock.withLock({ nextStep() }) {
      var started: (any Cancellable)?
      switch step {
      case .connect: started = start()
      case .disconnect(let connection): connection.cancel()
      }
      lock.withLock {
        connection = started
        isBusy = false
      }
    }
  }

  private func nextStep() -> Step? {
    guard !isBusy else { return nil }
    switch (connection, subscribers > 0) {
    case (nil, true):
      isBusy = true
      return .connect
    case (let connection?, false):
      isBusy = true
      return .disconnect(connection)
    default:
      return nil
    }
  }
}

/// The subscriber that counts: its cancel, and only the first, counts it off.
@usableFromInline
final class AutoconnectConduit<Downstream: Subscriber>: Subscriber, CustomStringConvertible {
  @usableFromInline let downstream: Downstream
  @usableFromInline let slot = SubscriptionSlot(name: nil)
  @usableFromInline let connection: SharedConnection

  @inlinable
  init(_ connection: SharedConnection, _ downstream: Downstream) {
    self.connection = connection
    self.downstream = downstream
  }

  @usableFromInline
  func receive(subscription: any Subscription) {
    guard slot.take(CountedSubscription(subscription, connection)) else { return }
    downstream.receive(subscription: slot)
  }

  @inlinable @inline(__always)
  func receive(_ input: Downstream.Input) -> Subscribers.Demand {
    slot.isOpen ? downstream.receive(input) : .none
  }

  @usableFromInline
  func receive(completion: Subscribers.Completion<Downstream.Failure>) {
    if slot.end() != nil { downstream.receive(completion: completion) }
  }

  @usableFromInline
  var description: String { "Autoconnect" }
}

/// A subscription whose cancel, which its slot sends once, counts a subscriber off.
private final class CountedSubscription: Subscription, CustomStringConvertible {
  private let upstream: any Subscription
  private let connection: SharedConnection

  init(_ upstream: any Subscription, _ connection: SharedConnection) {
    self.upstream = upstream
    self.connection = connection
  }

  func request(_ demand: Subscribers.Demand) {
    upstream.request(demand)
  }

  func cancel() {
    upstream.cancel()
    connection.leave()
  }

  var description: String { String(describing: upstream) }
}
