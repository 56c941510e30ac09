public import Reactive

/// A publisher that the test drives by hand, and that watches its subscribers.
///
/// It sends to the subscribers it has at that moment, in the order they came: a value to those with demand, a completion
/// to all. The completion ends their subscriptions, not the publisher, so one that subscribes afterwards is served
/// anew. It lets go of a subscriber on cancel and after the completion. Told to misbehave, it breaks the rules of its
/// own side. What subscribers do wrong is recorded in `violations`. A test sends from one thread at a time.
public final class TestPublisher<Output, Failure: Error>: Publisher, @unchecked Sendable {
  // Sendable: everything is touched under the lock only.
  private final class Link {
    var subscriber: AnySubscriber<Output, Failure>?
    var demand = Subscribers.Demand.none
    var cancels = 0
    var hasEnded = false
    var isSpare = false
    var isWaiting = true
    var endingThread: ThreadIdentity?
    var running: [ThreadIdentity] = []
  }

  private let lock = Lock()
  private let misbehaviour: Misbehaviour
  private var links: [Link] = []
  private var calls: [SignalRecord] = []
  private var found: [Violation] = []
  private var subscriptions = 0
  private weak var latest: Inlet?

  /// Told of each call, with no lock held; of returned demand only where it adds something.
  var onCall: ((SignalRecord.Kind) -> Void)?

  /// Makes a publisher.
  ///
  /// - Parameter misbehaviour: The rules that it breaks.
  public init(_ misbehaviour: Misbehaviour = []) {
    self.misbehaviour = misbehaviour
  }

  /// Attaches a subscriber and sends it a subscription.
  public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
    let link = Link()
    link.subscriber = AnySubscriber(subscriber)
    lock.withLock {
      subscriptions += 1
      links.append(link)
    }
    if !misbehaviour.contains(.signalBeforeSubscription) { handOver(link) }
  }

  private func handOver(_ link: Link) {
    let inlet = Inlet(publisher: self, link: link)
    let subscriber = lock.withLock {
      latest = inlet
      link.isWaiting = false
      return link.subscriber
    }
    subscriber?.receive(subscription: inlet)
    if misbehaviour.contains(.secondSubscription) { sendSpare(to: link) }
  }

  /// Sends a subscription too many, and looks at what becomes of it.
  private func sendSpare(to link: Link) {
    let spare = Link()
    spare.isSpare = true
    let subscriber = lock.withLock { link.subscriber }
    subscriber?.receive(subscription: Inlet(publisher: self, link: spare))
    lock.withLock {
      if subscriber != nil, spare.cancels == 0 { add(.s2_05, "a second subscription was not cancelled") }
    }
  }

  /// Sends a value to each subscriber with demand.
  ///
  /// - Parameter value: The value.
  /// - Returns: The demand that they returned, in all.
  @discardableResult
  public func send(_ value: Output) -> Subscribers.Demand {
    var sum = Subscribers.Demand.none
    for link in lock.withLock({ links }) {
      let subscriber = lock.withLock { () -> AnySubscriber<Output, Failure>? in
        let isExcess = link.demand == .none
        if isExcess, misbehaviour.isDisjoint(with: [.overflow, .signalBeforeSubscription]) { return nil }
        link.demand -= 1
        return link.subscriber
      }
      guard let subscriber else { continue }
      let more = subscriber.receive(value)
      let adds = lock.withLock {
        if more > .none { note(.returned(more)) }
        defer { link.demand += more }
        return more > .none && link.demand != .unlimited && link.subscriber != nil
      }
      if adds { onCall?(.returned(more)) }
      sum += more
    }
    return sum
  }

  /// Ends the subscriptions there are; later subscribers are served anew.
  ///
  /// - Parameter completion: How; it needs no demand.
  public func send(completion: Subscribers.Completion<Failure>) {
    let ending = lock.withLock {
      defer { if !misbehaviour.contains(.signalAfterTerminal) { links = [] } }
      return links
    }
    for link in ending {
      let subscriber = lock.withLock {
        defer { if !misbehaviour.contains(.signalAfterTerminal) { link.subscriber = nil } }
        link.hasEnded = true
        link.endingThread = .current
        return link.subscriber
      }
      subscriber?.receive(completion: completion)
      lock.withLock { link.endingThread = nil }
    }
  }

  /// Forgets all subscribers, also what its misbehaviour has kept.
  func letGo() {
    let released = lock.withLock {
      defer {
        for link in links { link.subscriber = nil }
        links = []
      }
      return links.map(\.subscriber)
    }
    withExtendedLifetime(released) {}
  }

  /// Sends the subscription that `signalBeforeSubscription` has held back.
  public func sendSubscription() {
    let waiting = lock.withLock { links.filter(\.isWaiting) }
    for link in waiting { handOver(link) }
  }

  /// The subscription that a subscriber holds.
  private final class Inlet: Subscription {
    let publisher: TestPublisher
    let link: Link

    init(publisher: TestPublisher, link: Link) {
      self.publisher = publisher
      self.link = link
    }

    func request(_ demand: Subscribers.Demand) { publisher.request(demand, of: link) }
    func cancel() { publisher.cancel(link) }
  }

  private func request(_ demand: Subscribers.Demand, of link: Link) {
    let isFirst = lock.withLock {
      begin(.request(demand), of: link)
      if link.isSpare { add(.s2_05, "\(demand) was requested from a second subscription") }
      if demand == .none { add(.c04, "a request of none arrived") }
      if link.hasEnded, link.endingThread == nil { add(.s2_04, "a request arrived after the completion") }
      defer { if link.cancels == 0 { link.demand += demand } }
      return link.demand == .none
    }
    onCall?(.request(demand))
    if isFirst, misbehaviour.contains(.nestedSubscription), !link.isSpare { sendSpare(to: link) }
    lock.withLock { finish(link) }
  }

  private func cancel(_ link: Link) {
    let released = lock.withLock { () -> AnySubscriber<Output, Failure>? in
      begin(.cancel, of: link)
      link.cancels += 1
      if link.cancels > 1 { add(.c14, "cancel number \(link.cancels) arrived") }
      if link.hasEnded, link.endingThread == nil { add(.c14, "a cancel arrived after the completion") }
      guard !misbehaviour.contains(.ignoreCancel) else { return nil }
      defer { link.subscriber = nil }
      links.removeAll { $0 === link }
      return link.subscriber
    }
    onCall?(.cancel)
    if misbehaviour.contains(.completionOnCancel) { released?.receive(completion: .finished) }
    // The subscriber goes here, outside the lock.
    withExtendedLifetime(released) {}
    lock.withLock { finish(link) }
  }

  private func begin(_ kind: SignalRecord.Kind, of link: Link) {
    note(kind)
    if link.endingThread == .current { add(.s2_03, "\(kind) arrived from inside the completion") }
    if link.running.contains(where: { $0 != .current }) { add(.s2_07, "\(kind) overlapped another thread's call") }
    link.running.append(.current)
  }

  private func finish(_ link: Link) {
    if let index = link.running.lastIndex(of: .current) { link.running.remove(at: index) }
  }

  private func note(_ kind: SignalRecord.Kind) {
    calls.append(SignalRecord(kind))
  }

  private func add(_ rule: Violation.Rule, _ detail: String) {
    found.append(Violation(rule, detail, subject: "subscriber of TestPublisher", trace: Array(calls.suffix(32))))
  }
}

extension TestPublisher {
  /// What a `TestPublisher` does wrong.
  public struct Misbehaviour: OptionSet, Hashable, Sendable {
    /// The bits.
    public let rawValue: Int

    /// Makes a set out of bits.
    public init(rawValue: Int) {
      self.rawValue = rawValue
    }

    /// Values are sent without demand too.
    public static var overflow: Self { Self(rawValue: 1) }
    /// A cancel changes nothing: signals go on.
    public static var ignoreCancel: Self { Self(rawValue: 2) }
    /// The completion changes nothing: signals go on, further completions too.
    public static var signalAfterTerminal: Self { Self(rawValue: 4) }
    /// Each subscriber gets a second subscription after the first.
    public static var secondSubscription: Self { Self(rawValue: 8) }
    /// The subscription is held back until `sendSubscription()`; signals are not.
    public static var signalBeforeSubscription: Self { Self(rawValue: 16) }
    /// A second subscription is sent from inside the first request.
    public static var nestedSubscription: Self { Self(rawValue: 32) }
    /// A cancel is answered with a completion, from inside the call.
    public static var completionOnCancel: Self { Self(rawValue: 64) }
  }

  /// All requests so far, of all subscribers.
  public var requests: [Subscribers.Demand] {
    callKinds.compactMap { if case .request(let demand) = $0 { demand } else { nil } }
  }

  /// How many cancels have arrived, of all subscribers.
  public var cancelCount: Int { callKinds.count { $0 == .cancel } }

  /// All requests, returned demands and cancels so far, in their order.
  public var callKinds: [SignalRecord.Kind] { lock.withLock { calls }.map(\.kind) }

  /// How many subscribers there are now.
  public var subscriberCount: Int { lock.withLock { links.count } }

  /// How many times it was subscribed to.
  public var subscriptionCount: Int { lock.withLock { subscriptions } }

  /// The demand of the subscriber that came last; `.none` without one.
  public var outstandingDemand: Subscribers.Demand { lock.withLock { links.last?.demand ?? .none } }

  /// Whether somebody still holds the subscription that was sent last.
  public var isSubscriptionHeld: Bool { lock.withLock { latest != nil } }

  /// What subscribers did wrong.
  public var violations: [Violation] { lock.withLock { found } }
}
