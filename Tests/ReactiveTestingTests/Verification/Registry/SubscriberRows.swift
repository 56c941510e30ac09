import Reactive
import ReactiveTesting

private final class Target {
  var number = 0
}

extension Registry {
  /// Everything public that subscribes.
  mutating func addSubscribers() {
    add("Sink", Subscribers.Sink<Int, TestFailure>.self) {
      SubscriberVerification("Sink", elements: [1, 2, 3]) {
        Subscribers.Sink<Int, TestFailure>(receiveCompletion: { _ in }, receiveValue: { _ in })
      }
    }
    add("Assign", Subscribers.Assign<Target, Int>.self) {
      SubscriberVerification("Assign", elements: [1, 2, 3]) {
        Subscribers.Assign(object: Target(), keyPath: \.number)
      }
    }
    add("AnySubscriber, of a sink", AnySubscriber<Int, TestFailure>.self) {
      SubscriberVerification("AnySubscriber, of a sink", elements: [1, 2, 3]) {
        AnySubscriber(Subscribers.Sink<Int, TestFailure>(receiveCompletion: { _ in }, receiveValue: { _ in }))
      }
    }
    add("AnySubscriber, of a subject", AnySubscriber<Int, TestFailure>.self) {
      // A subject asks upstream when somebody asks it, and who feeds it does not keep it.
      var kept: [PassthroughSubject<Int, TestFailure>] = []
      return SubscriberVerification("AnySubscriber, of a subject", elements: [1, 2, 3]) {
        let subject = PassthroughSubject<Int, TestFailure>()
        subject.subscribe(TestSubscriber(initialDemand: .unlimited))
        kept.append(subject)
        return AnySubscriber(subject)
      }
    }
  }
}
