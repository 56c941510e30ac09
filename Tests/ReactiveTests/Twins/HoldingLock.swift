import Reactive
import ReactiveTesting

/// A lock that is held while calling out; who has waited too long goes on without it and says so.
final class HoldingLock: Sendable {
  private let isHeld = Guarded(false)
  private let stuck: Flag

  /// Makes a lock.
  ///
  /// - Parameter stuck: Set by who would have waited for ever.
  init(_ stuck: Flag) {
    self.stuck = stuck
  }

  func hold(_ body: () -> Void) {
    var patience = 40
    while isHeld.update({ isHeld in
      defer { isHeld = true }
      return isHeld
    }) {
      TestThread.nap()
      patience -= 1
      guard patience > 0 else {
        stuck.set()
        return body()
      }
    }
    TestThread.linger()
    body()
    isHeld.value = false
  }
}

/// Passes everything on, downwards and upwards, with a lock held: two of them in a row are an embrace.
struct Holding<Upstream: Publisher>: Publisher {
  typealias Output = Upstream.Output
  typealias Failure = Upstream.Failure

  let upstream: Upstream
  let stuck: Flag

  func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
    upstream.receive(subscriber: Link(AnySubscriber(subscriber), HoldingLock(stuck)))
  }

  private final class Link: Subscriber, Subscription {
    private let downstream: AnySubscriber<Output, Failure>
    private let lock: HoldingLock
    private let subscription = Guarded<(any Subscription)?>(nil)

    init(_ downstream: AnySubscriber<Output, Failure>, _ lock: HoldingLock) {
      self.downstream = downstream
      self.lock = lock
    }

    func receive(subscription: any Subscription) {
      self.subscription.value = subscription
      downstream.receive(subscription: self)
    }

    func receive(_ input: Output) -> Subscribers.Demand {
      lock.hold { _ = downstream.receive(input) }
      return .none
    }

    func receive(completion: Subscribers.Completion<Failure>) {
      lock.hold { downstream.receive(completion: completion) }
    }

    func request(_ demand: Subscribers.Demand) { subscription.value?.request(demand) }
    func cancel() { lock.hold { subscription.value?.cancel() } }
  }
}

extension Publisher {
  /// Two operators that hold their locks: signals take the one first, cancels the other.
  func embracing(_ stuck: Flag) -> AnyPublisher<Output, Failure> {
    Holding(upstream: Holding(upstream: self, stuck: stuck), stuck: stuck).eraseToAnyPublisher()
  }
}
