// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation
// Nobody but the tests of the bridge can import this module.

import Foundation

public final class AnyCancellable: Cancellable, Hashable, @unchecked Sendable {
  private let lock = NSLock()
  private var action: (() -> Void)?

  public init(_ cancel: @escaping () -> Void) {
    action = cancel
  }

  deinit {
    action?()
  }

  public func cancel() {
    let action = lock.withLock {
      defer { self.action = nil }
      return self.action
    }
    action?()
  }

  public func store(in set: inout Set<AnyCancellable>) {
    set.insert(self)
  }

  public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
  public static func == (lhs: AnyCancellable, rhs: AnyCancellable) -> Bool { lhs === rhs }
}

extension Publisher where Failure == Never {
  public func sink(receiveValue: @escaping (Output) -> Void) -> AnyCancellable {
    let sink = Sink<Output, Never>(receiveValue)
    subscribe(sink)
    return AnyCancellable { sink.cancel() }
  }
}

private final class Sink<Input, Failure: Error>: Subscriber {
  private var receiveValue: ((Input) -> Void)?
  private var subscription: (any Subscription)?

  init(_ receiveValue: @escaping (Input) -> Void) {
    self.receiveValue = receiveValue
  }

  func receive(subscription: any Subscription) {
    self.subscription = subscription
    subscription.request(.unlimited)
  }

  func receive(_ input: Input) -> Subscribers.Demand {
    receiveValue?(input)
    return .none
  }

  func receive(completion: Subscribers.Completion<Failure>) {
    subscription = nil
    receiveValue = nil
  }

  func cancel() {
    subscription?.cancel()
    subscription = nil
    receiveValue = nil
  }
}

/// Sends to whoever has demand; a send inside a delivery nests, as it does in Combine.
public final class PassthroughSubject<Output, Failure: Error>: Subject, @unchecked Sendable {
  private let lock = NSRecursiveLock()
  private var links: [Link] = []
  private var upstreams: [any Subscription] = []

  public init() {}

  public func send(_ value: Output) {
    for link in lock.withLock({ links }) { link.offer(value) }
  }

  public func send(completion: Subscribers.Completion<Failure>) {
    let ended = lock.withLock {
      defer { links = [] }
      return links
    }
    for link in ended { link.end(completion) }
  }

  public func send(subscription: any Subscription) {
    lock.withLock { upstreams.append(subscription) }
    subscription.request(.unlimited)
  }

  public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
    let link = Link(
      receiveValue: { subscriber.receive($0) }, receiveCompletion: { subscriber.receive(completion: $0) })
    lock.withLock { links.append(link) }
    link.leave = { [weak self] link in
      guard let self else { return }
      lock.withLock { links.removeAll { $0 === link } }
    }
    subscriber.receive(subscription: link)
  }

  private final class Link: Subscription {
    private let lock = NSRecursiveLock()
    private var demand = Subscribers.Demand.none
    private var receiveValue: ((Output) -> Subscribers.Demand)?
    private var receiveCompletion: ((Subscribers.Completion<Failure>) -> Void)?
    var leave: (Link) -> Void = { _ in }

    init(
      receiveValue: @escaping (Output) -> Subscribers.Demand,
      receiveCompletion: @escaping (Subscribers.Completion<Failure>) -> Void
    ) {
      self.receiveValue = receiveValue
      self.receiveCompletion = receiveCompletion
    }

    func offer(_ value: Output) {
      lock.withLock {
        guard demand > .none, let receiveValue else { return }
        demand -= 1
        demand += receiveValue(value)
      }
    }

    func end(_ completion: Subscribers.Completion<Failure>) {
      lock.withLock {
        let receive = receiveCompletion
        (receiveValue, receiveCompletion) = (nil, nil)
        receive?(completion)
      }
    }

    func request(_ demand: Subscribers.Demand) {
      precondition(demand > .none)
      lock.withLock { self.demand += demand }
    }

    func cancel() {
      lock.withLock { (receiveValue, receiveCompletion) = (nil, nil) }
      leave(self)
    }
  }
}
