import ReactiveTesting
import Retrievers

/// A retriever without an order: it fetches in one step and delivers in another, whoever calls.
final class CarelessRetriever<Value> {
  private let fetch: Guarded<() -> Value>
  private let subject: CarelessSubject<Value, Never>

  init(initial: Value) {
    fetch = Guarded { initial }
    subject = CarelessSubject(latest: initial)
  }

  deinit {
    subject.send(completion: .finished)
  }

  func toRetrieveDo(_ retrieve: @escaping () -> Value) {
    fetch.value = retrieve
  }

  func triggerUpdate() {
    let value = fetch.value()
    TestThread.linger()
    subject.send(value)
  }

  var projectedValue: AnyPublisher<Value, Never> {
    Deferred { [weak self, subject] in
      self?.triggerUpdate()
      return subject
    }.eraseToAnyPublisher()
  }
}
