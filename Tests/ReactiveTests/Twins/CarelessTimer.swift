import Reactive
import ReactiveTesting

/// What a timer can do to a stream.
enum TimedOperation {
  case timeout
  case debounce
  case collect
}

/// Timed operators whose alarms look, and then act.
struct CarelessTimer: Publisher {
  typealias Output = [Int]
  typealias Failure = Never

  let operation: TimedOperation
  let upstream: PassthroughSubject<Int, Never>
  let clock: TestScheduler

  func receive<S: Subscriber>(subscriber: S) where S.Input == [Int], S.Failure == Never {
    let core = Core(operation, AnySubscriber(subscriber), clock)
    subscriber.receive(subscription: core)
    core.token.value = upstream.sink(
      receiveCompletion: { [weak core] _ in core?.finish() }, receiveValue: { [weak core] in core?.take($0) })
  }

  private final class Core: Subscription {
    let token = Guarded<AnyCancellable?>(nil)
    private let operation: TimedOperation
    private let subscriber: AnySubscriber<[Int], Never>
    private let clock: TestScheduler
    private let waiting = Guarded<[Int]>([])
    private let isDone = Guarded(false)
    private let timer = Guarded<(any Cancellable)?>(nil)

    init(_ operation: TimedOperation, _ subscriber: AnySubscriber<[Int], Never>, _ clock: TestScheduler) {
      self.operation = operation
      self.subscriber = subscriber
      self.clock = clock
      if operation != .debounce { schedule() }
    }

    private func schedule() {
      timer.value?.cancel()
      timer.value = clock.schedule(after: clock.now.advanced(by: 1), interval: 1, tolerance: 0, options: nil) {
        [weak self] in self?.fire()
      }
    }

    func take(_ value: Int) {
      guard !isDone.value else { return }
      TestThread.linger()
      switch operation {
      case .timeout: _ = subscriber.receive([value])
      case .collect: waiting.update { $0.append(value) }
      case .debounce:
        waiting.value = [value]
        schedule()
      }
    }

    private func fire() {
      let values = waiting.update { waiting in
        defer { waiting = [] }
        return waiting
      }
      guard !isDone.value else { return }
      TestThread.linger()
      timer.value?.cancel()
      if !values.isEmpty { _ = subscriber.receive(values) }
      switch operation {
      case .timeout: finish()
      case .collect: schedule()
      case .debounce: break
      }
    }

    func finish() {
      isDone.value = true
      timer.value?.cancel()
      subscriber.receive(completion: .finished)
    }

    func request(_ demand: Subscribers.Demand) {}

    func cancel() {
      isDone.value = true
      timer.value?.cancel()
    }
  }
}
