public import Reactive

/// A subject with the faults that races are there to find: it locks each field, and nothing more.
///
/// Concurrent sends overlap, a completion overtakes, a newcomer joins in several steps, demand is looked at in one step
/// and used up in another, and a cancel takes effect two values late. It is memory-safe, and right as long as only one
/// thread uses it. Between its steps it lingers, so that another thread easily comes between them.
public final class CarelessSubject<Output, Failure: Error>: Subject, @unchecked Sendable {
  // Sendable: everything is touched under the lock only.
  private let lock = Lock()
  private var links: [Link] = []
  private var latest: Output?
  private var terminal: Subscribers.Completion<Failure>?

  /// Makes a subject.
  ///
  /// - Parameter latest: The value to begin with, for one that remembers its latest value.
  public init(latest: Output? = nil) {
    self.latest = latest
  }

  /// The latest value; nil for a subject that remembers none.
  public var value: Output? { lock.withLock { latest } }

  /// Sends a value to every subscriber with demand, and then stores it.
  public func send(_ value: Output) {
    guard lock.withLock({ terminal == nil }) else { return }
    TestThread.linger()
    for link in lock.withLock({ links }) { link.deliver(value) }
    // What was there goes after the lock: its end may run code.
    var old: Output? = value
    lock.withLock { if latest != nil { swap(&latest, &old) } }
    withExtendedLifetime(old) {}
  }

  /// Ends the subject, whatever is on its way.
  public func send(completion: Subscribers.Completion<Failure>) {
    lock.withLock { terminal = terminal ?? completion }
    for link in lock.withLock({ links }) { link.end(with: completion) }
  }

  /// Requests everything from an upstream.
  public func send(subscription: any Subscription) {
    subscription.request(.unlimited)
  }

  /// Attaches a subscriber, in several steps.
  public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
    let link = Link(AnySubscriber(subscriber))
    lock.withLock { links.append(link) }
    subscriber.receive(subscription: link)
    if let latest = lock.withLock({ latest }) { link.deliver(latest) }
    if let terminal = lock.withLock({ terminal }) { link.end(with: terminal) }
  }

  private final class Link: Subscription {
    private let lock = Lock()
    private let subscriber: AnySubscriber<Output, Failure>
    private var demand = Subscribers.Demand.none
    private var missed: Output?
    private var graces = 2
    private var isCancelled = false

    init(_ subscriber: AnySubscriber<Output, Failure>) {
      self.subscriber = subscriber
    }

    func deliver(_ value: Output) {
      let (hasDemand, isOpen) = lock.withLock {
        if isCancelled { graces -= 1 }
        return (demand > .none, graces >= 0)
      }
      guard isOpen else { return }
      TestThread.linger()
      guard hasDemand else {
        // Long enough for two requests that find nothing.
        for _ in 0..<3 { TestThread.linger() }
        var old: Output? = value
        lock.withLock { swap(&missed, &old) }
        return withExtendedLifetime(old) {}
      }
      let more = subscriber.receive(value)
      lock.withLock {
        if demand > .none { demand -= 1 }
        demand += more
      }
    }

    func end(with completion: Subscribers.Completion<Failure>) {
      if lock.withLock({ !isCancelled }) { subscriber.receive(completion: completion) }
    }

    func request(_ demand: Subscribers.Demand) {
      lock.withLock { self.demand += demand }
      TestThread.linger()
      let missed = lock.withLock { self.missed }
      if let missed { deliver(missed) }
      _ = lock.withLock { self.missed.take() }
    }

    func cancel() {
      lock.withLock { isCancelled = true }
    }
  }
}
