internal import Reactive

/// A subject with the faults that races are there to find: it locks each field, and nothing more.
///
/// Concurrent sends overlap, a completion overtakes, a newcomer joins in several steps, and a cancel takes effect two
/// values late. It is memory-safe, and right as long as only one thread uses it.
final class CarelessSubject: Subject, @unchecked Sendable {
  // Sendable: everything is touched under the lock only.
  typealias Output = Int
  typealias Failure = TestFailure

  private let lock = Lock()
  private var links: [Link] = []
  private var latest: Int?
  private var terminal: Subscribers.Completion<TestFailure>?

  init(latest: Int?) {
    self.latest = latest
  }

  var value: Int { lock.withLock { latest ?? 0 } }

  func send(_ value: Int) {
    guard lock.withLock({ terminal == nil }) else { return }
    lock.linger()
    for link in lock.withLock({ links }) { link.deliver(value) }
    lock.withLock { if latest != nil { latest = value } }
  }

  func send(completion: Subscribers.Completion<TestFailure>) {
    lock.withLock { terminal = terminal ?? completion }
    for link in lock.withLock({ links }) { link.end(with: completion) }
  }

  func send(subscription: any Subscription) {
    subscription.request(.unlimited)
  }

  func receive<S: Subscriber>(subscriber: S) where S.Input == Int, S.Failure == TestFailure {
    let link = Link(AnySubscriber(subscriber))
    lock.withLock { links.append(link) }
    subscriber.receive(subscription: link)
    if let latest = lock.withLock({ latest }) { link.deliver(latest) }
    if let terminal = lock.withLock({ terminal }) { link.end(with: terminal) }
  }

  private final class Link: Subscription {
    private let lock = Lock()
    private let subscriber: AnySubscriber<Int, TestFailure>?
    private var demand = Subscribers.Demand.none
    private var missed: Int?
    private var graces = 2
    private var isCancelled = false

    init(_ subscriber: AnySubscriber<Int, TestFailure>) {
      self.subscriber = subscriber
    }

    func deliver(_ value: Int) {
      let target = lock.withLock { () -> AnySubscriber<Int, TestFailure>? in
        if demand == .none { missed = value }
        if isCancelled { graces -= 1 }
        guard demand > .none, graces >= 0 else { return nil }
        demand -= 1
        return subscriber
      }
      guard let more = target?.receive(value) else { return }
      lock.withLock { demand += more }
    }

    func end(with completion: Subscribers.Completion<TestFailure>) {
      let target = lock.withLock { isCancelled ? nil : subscriber }
      target?.receive(completion: completion)
    }

    func request(_ demand: Subscribers.Demand) {
      lock.withLock { self.demand += demand }
      lock.linger()
      let missed = lock.withLock { self.missed }
      if let missed { deliver(missed) }
      lock.withLock { self.missed = nil }
    }

    func cancel() {
      lock.withLock { isCancelled = true }
    }
  }
}

extension Lock {
  /// Lets some time pass between two steps: else another thread hardly ever comes between them.
  fileprivate func linger() {
    for _ in 0..<100 { withLock {} }
  }
}
