import Reactive
import ReactiveTesting

/// A share that counts its subscribers by reading in one step and writing in another.
final class CarelessShare<Upstream: Publisher>: Publisher {
  typealias Output = Upstream.Output
  typealias Failure = Upstream.Failure

  private let upstream: Upstream
  private let subject = PassthroughSubject<Output, Failure>()
  private let count = Guarded(0)
  private let connection = Guarded<AnyCancellable?>(nil)

  init(_ upstream: Upstream) {
    self.upstream = upstream
  }

  func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
    subject.handleEvents(receiveCancel: { [weak self] in self?.leave() }).receive(subscriber: subscriber)
    if change(by: 1) == 1 {
      connection.value = upstream.sink(
        receiveCompletion: { [subject] in subject.send(completion: $0) },
        receiveValue: { [subject] in subject.send($0) })
    }
  }

  private func leave() {
    if change(by: -1) == 0 { connection.value = nil }
  }

  private func change(by difference: Int) -> Int {
    let new = count.value + difference
    TestThread.linger()
    count.value = new
    return new
  }
}
