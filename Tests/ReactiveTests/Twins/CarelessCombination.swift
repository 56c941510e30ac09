import Reactive
import ReactiveTesting

/// What two publishers can be combined to.
enum Combination: CaseIterable {
  case merge
  case zip
  case combineLatest

  func apply<Failure: Error>(
    _ a: PassthroughSubject<Int, Failure>, _ b: PassthroughSubject<Int, Failure>
  ) -> AnyPublisher<[Int], Failure> {
    switch self {
    case .merge: a.merge(with: b).map { [$0] }.eraseToAnyPublisher()
    case .zip: a.zip(b) { [$0, $1] }.eraseToAnyPublisher()
    case .combineLatest: a.combineLatest(b) { [$0, $1] }.eraseToAnyPublisher()
    }
  }
}

/// Two publishers in one, with a careless queue in front of the subscriber.
///
/// What waits for its partner is read in one step and written in another; a failure comes in two steps, first as an end among others, and a cancel is lost when it meets a delivery.
struct CarelessCombination<Failure: Error>: Publisher {
  typealias Output = [Int]

  let combination: Combination
  let a: PassthroughSubject<Int, Failure>
  let b: PassthroughSubject<Int, Failure>

  func receive<S: Subscriber>(subscriber: S) where S.Input == [Int], S.Failure == Failure {
    let core = Core(combination, AnySubscriber(subscriber))
    subscriber.receive(subscription: core)
    core.tokens.value = [a, b].enumerated().map { index, publisher in
      publisher.sink(
        receiveCompletion: { [weak core] in core?.end($0) },
        receiveValue: { [weak core] in core?.take($0, from: index) })
    }
  }

  private final class Core: Subscription {
    private enum Event {
      case value([Int])
      case end(Subscribers.Completion<Failure>)
    }

    let tokens = Guarded<[AnyCancellable]>([])
    private let combination: Combination
    private let subscriber: AnySubscriber<[Int], Failure>
    private let queue = CarelessQueue<Event>()
    private let inputs = Guarded<[[Int]]>([[], []])
    private let open = Guarded(2)
    private let isCancelled = Guarded(false)

    init(_ combination: Combination, _ subscriber: AnySubscriber<[Int], Failure>) {
      self.combination = combination
      self.subscriber = subscriber
    }

    func take(_ value: Int, from index: Int) {
      guard let output = combine(value, from: index) else { return }
      queue.add(.value(output), deliver: deliver)
    }

    private func combine(_ value: Int, from index: Int) -> [Int]? {
      guard combination != .merge else { return [value] }
      var new = inputs.value
      TestThread.linger()
      new[index] = combination == .zip ? new[index] + [value] : [value]
      let output = new.contains([]) ? nil : new.map { $0[0] }
      if combination == .zip, output != nil { new = new.map { Array($0.dropFirst()) } }
      inputs.value = new
      return output
    }

    func end(_ completion: Subscribers.Completion<Failure>) {
      let left = open.update { open in
        open -= 1
        return open
      }
      TestThread.linger()
      if case .failure = completion {
        queue.add(.end(completion), deliver: deliver)
      } else if left == 0 {
        queue.add(.end(.finished), deliver: deliver)
      }
    }

    private func deliver(_ event: Event) {
      guard !isCancelled.value else { return }
      switch event {
      case .value(let value): _ = subscriber.receive(value)
      case .end(let completion): subscriber.receive(completion: completion)
      }
    }

    func request(_ demand: Subscribers.Demand) {}

    func cancel() {
      // As if whoever delivers would see to it.
      if !queue.isBusy { isCancelled.value = true }
    }
  }
}
