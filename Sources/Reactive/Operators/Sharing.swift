extension Publisher {
  /// Shares one subscription to this publisher among subscribers of a subject, once connected.
  ///
  /// ```text
  /// twice(source.multicast { PassthroughSubject() }.autoconnect())
  /// source    -a-b-|
  /// output    -(aa)-(bb)-|
  /// upstream  *
  /// ```
  ///
  /// Above, both subscribers of `twice` get each value. The subject decides about demand, and what late subscribers get.
  ///
  /// - Parameter createSubject: Makes the subject; called once, for the first subscriber or connection.
  @inlinable @inline(__always)
  public func multicast<S: Subject>(_ createSubject: @escaping () -> S) -> Publishers.Multicast<Self, S>
  where S.Output == Output, S.Failure == Failure {
    Publishers.Multicast(upstream: self, createSubject: createSubject)
  }

  /// Shares one subscription to this publisher among subscribers of a subject, once connected.
  ///
  /// ```text
  /// twice(source.multicast(subject: PassthroughSubject()).autoconnect())
  /// source    -a-b-|
  /// output    -(aa)-(bb)-|
  /// upstream  *
  /// ```
  ///
  /// Above, both subscribers of `twice` get each value. The subject decides about demand, and what late subscribers get.
  ///
  /// - Parameter subject: What the values pass through.
  @inlinable @inline(__always)
  public func multicast<S: Subject>(subject: S) -> Publishers.Multicast<Self, S>
  where S.Output == Output, S.Failure == Failure {
    multicast { subject }
  }

  /// Shares one subscription to this publisher among all subscribers.
  ///
  /// ```text
  /// twice(source.share())
  /// source    -a-b-|
  /// output    -(aa)-(bb)-|
  /// upstream  *
  /// ```
  ///
  /// Above, both subscribers of `twice` get each value. The first subscriber starts it, and everything is requested as
  /// soon as one of them requests something; one without demand misses values. When all have cancelled it is cancelled,
  /// and starts again with the next one. After the completion, a new subscriber gets only that.
  @inlinable @inline(__always)
  public func share() -> Publishers.Share<Self> {
    Publishers.Share(upstream: self)
  }
}

extension Publisher where Failure == Never {
  /// Holds this publisher back until `connect()` is called, and then shares it among all subscribers.
  ///
  /// ```text
  /// twice(source.assertNoFailure().makeConnectable().autoconnect())
  /// source    -a-b-|
  /// output    -(aa)-(bb)-|
  /// upstream  *
  /// ```
  ///
  /// Above, both subscribers of `twice` get each value.
  @inlinable @inline(__always)
  public func makeConnectable() -> Publishers.MakeConnectable<Self> {
    Publishers.MakeConnectable(upstream: self)
  }
}

extension ConnectablePublisher {
  /// Connects when the first subscriber comes, and disconnects when the last one has cancelled.
  ///
  /// ```text
  /// source.multicast { PassthroughSubject() }.autoconnect()
  /// source    -a-b-c-|
  /// demand    *----!
  /// output    -a-b
  /// upstream  *----!
  /// ```
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
      sharedSubject().receive(subscriber: Conduit(Relaying<Output, Failure>("Multicast"), subscriber))
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
      upstream.receive(
        subscriber: Conduit(Relaying<Output, Failure>("Autoconnect", countingFor: connection), subscriber))
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

/// Passes everything on, and counts a subscriber off when it cancels, if there is a connection to count for.
@usableFromInline
struct Relaying<Input, Failure: Error>: Stage {
  @usableFromInline typealias Output = Input
  @usableFromInline typealias Rule = Keeping<Failure>
  @usableFromInline let name: String
  @usableFromInline let connection: SharedConnection?
  private var counted: CountedSubscription?
  @inlinable var isTransparent: Bool { connection != nil }

  @usableFromInline
  init(_ name: String, countingFor connection: SharedConnection? = nil) {
    self.name = name
    self.connection = connection
  }

  @usableFromInline
  mutating func subscription(_ slot: SubscriptionSlot) -> any Subscription {
    guard let connection else { return slot }
    let counted = CountedSubscription(slot, connection)
    self.counted = counted
    return counted
  }

  /// A subscription that is kept keeps nothing alive after the end.
  @usableFromInline
  func completion(_ completion: Subscribers.Completion<Failure>) -> Subscribers.Completion<Failure> {
    withExtendedLifetime(counted?.release()) {}
    return completion
  }
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

/// A subscription whose first cancel counts a subscriber off, unless the stream has ended.
private final class CountedSubscription: Subscription, CustomStringConvertible, @unchecked Sendable {
  // Sendable: the connection is touched under the lock only.
  private let slot: SubscriptionSlot
  private let lock = Lock()
  private var connection: SharedConnection?

  init(_ slot: SubscriptionSlot, _ connection: SharedConnection) {
    self.slot = slot
    self.connection = connection
  }

  func request(_ demand: Subscribers.Demand) {
    slot.request(demand)
  }

  func cancel() {
    guard let upstream = slot.beginCancel() else { return }
    upstream.cancel()
    release()?.leave()
  }

  /// Lets go of the connection.
  ///
  /// - Returns: It, if this call did it.
  func release() -> SharedConnection? {
    lock.withLock {
      defer { connection = nil }
      return connection
    }
  }

  var description: String { slot.description }
}
