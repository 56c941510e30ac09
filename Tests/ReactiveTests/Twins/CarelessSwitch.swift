import Reactive
import ReactiveTesting

/// A switch that looks whether a publisher is still the latest, and then delivers; each end looks for the other one.
struct CarelessSwitch<Outer: Publisher>: Publisher
where Outer.Output: Publisher, Outer.Output.Output == Int, Outer.Output.Failure == Never, Outer.Failure == Never {
  typealias Output = Int
  typealias Failure = Never

  let outer: Outer

  func receive<S: Subscriber>(subscriber: S) where S.Input == Int, S.Failure == Never {
    let core = Core(AnySubscriber(subscriber))
    subscriber.receive(subscription: core)
    core.keep(
      outer.sink(
        receiveCompletion: { [weak core] _ in core?.endOuter() }, receiveValue: { [weak core] in core?.change(to: $0) })
    )
  }

  private final class Core: Subscription {
    private let subscriber: AnySubscriber<Int, Never>
    private let tokens = Guarded<[AnyCancellable]>([])
    private let latest = Guarded(0)
    private let isOuterOpen = Guarded(true)
    private let isInnerOpen = Guarded(false)

    init(_ subscriber: AnySubscriber<Int, Never>) {
      self.subscriber = subscriber
    }

    func keep(_ token: AnyCancellable) {
      tokens.update { $0.append(token) }
    }

    func change(to inner: Outer.Output) {
      latest.value += 1
      let mine = latest.value
      isInnerOpen.value = true
      keep(
        inner.sink(
          receiveCompletion: { [weak self] _ in self?.endInner(mine) },
          receiveValue: { [weak self] in self?.deliver($0, of: mine) }))
    }

    private func deliver(_ value: Int, of inner: Int) {
      guard latest.value == inner else { return }
      TestThread.linger()
      _ = subscriber.receive(value)
    }

    private func endInner(_ inner: Int) {
      guard latest.value == inner else { return }
      isInnerOpen.value = false
      TestThread.linger()
      if !isOuterOpen.value { subscriber.receive(completion: .finished) }
    }

    func endOuter() {
      isOuterOpen.value = false
      TestThread.linger()
      if !isInnerOpen.value { subscriber.receive(completion: .finished) }
    }

    func request(_ demand: Subscribers.Demand) {}
    func cancel() { tokens.value = [] }
  }
}
