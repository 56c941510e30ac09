import Reactive

struct Countdown: Publisher {
  typealias Output = Int
  typealias Failure = Never

  let start: Int

  func receive<S: Subscriber>(subscriber: S) where S.Input == Int, S.Failure == Never {
    (0..<start).reversed().publisher.receive(subscriber: subscriber)
  }
}

struct HastyCountdown: Publisher {
  typealias Output = Int
  typealias Failure = Never

  let start: Int

  func receive<S: Subscriber>(subscriber: S) where S.Input == Int, S.Failure == Never {
    subscriber.receive(subscription: Subscriptions.empty)
    for number in (0..<start).reversed() { _ = subscriber.receive(number) }
    subscriber.receive(completion: .finished)
  }
}
