import Reactive
import ReactiveTesting

/// A hop to another thread that empties its buffer in one go, without a look at cancels or at what has come meanwhile.
struct CarelessHop<Upstream: Publisher>: Publisher where Upstream.Output == Int, Upstream.Failure == Never {
  typealias Output = Int
  typealias Failure = Never

  let upstream: Upstream
  let clock: TestScheduler

  func receive<S: Subscriber>(subscriber: S) where S.Input == Int, S.Failure == Never {
    let core = Core(AnySubscriber(subscriber), clock)
    subscriber.receive(subscription: core)
    core.token.value = upstream.sink(
      receiveCompletion: { [weak core] _ in core?.add(nil) }, receiveValue: { [weak core] in core?.add($0) })
  }

  private final class Core: Subscription {
    let token = Guarded<AnyCancellable?>(nil)
    private let subscriber: AnySubscriber<Int, Never>
    private let clock: TestScheduler
    private let buffer = Guarded<[Int?]>([])
    private let demand = Guarded(Subscribers.Demand.none)
    private let isScheduled = Guarded(false)
    private let isCancelled = Guarded(false)

    init(_ subscriber: AnySubscriber<Int, Never>, _ clock: TestScheduler) {
      self.subscriber = subscriber
      self.clock = clock
    }

    func add(_ value: Int?) {
      buffer.update { $0.append(value) }
      schedule()
    }

    private func schedule() {
      guard !isScheduled.value else { return }
      isScheduled.value = true
      clock.schedule { [weak self] in self?.drain() }
    }

    private func drain() {
      guard !isCancelled.value else { return }
      while let next = buffer.value.first {
        TestThread.linger()
        if let next {
          guard demand.value > .none else { break }
          demand.value -= 1
          _ = subscriber.receive(next)
        } else {
          subscriber.receive(completion: .finished)
        }
        buffer.update { _ = $0.removeFirst() }
      }
      TestThread.linger()
      isScheduled.value = false
    }

    func request(_ demand: Subscribers.Demand) {
      let before = self.demand.value
      TestThread.linger()
      self.demand.value = before + demand
      schedule()
    }

    func cancel() { isCancelled.value = true }
  }
}
