import Foundation
import Reactive
import ReactiveFoundation
import ReactiveTesting
import Retrievers
import Synchronization

private final class Model {
  @Published var number = 0
}

/// Numbers the signals of a publisher without values, in the order in which they are announced.
///
/// The publisher serves the one who subscribed first before everybody else: that one takes the next number.
private final class Announcements: @unchecked Sendable {
  // Sendable: everything is touched under the mutex only.
  let publisher = ObservableObjectPublisher()
  private let numbers = Mutex<(waiting: [Int], current: Int)>(([], 0))
  private var token: AnyCancellable?

  init() {
    token = publisher.sink { [unowned self] in take() }
  }

  private func take() {
    numbers.withLock { $0.current = $0.waiting.removeFirst() }
  }

  var current: Int { numbers.withLock { $0.current } }

  func announce(_ number: Int) {
    numbers.withLock { $0.waiting.append(number) }
    publisher.send()
  }
}

/// A number behind a retriever.
private final class Counter: Sendable {
  let number = Mutex<Int?>(0)
}

extension Registry {
  /// Hot publishers that are no subjects: something else makes them publish.
  mutating func addHotPublishers() {
    add("$published", Published<Int>.Publisher.self) {
      SubjectVerification("$published", .latest) {
        let model = Model()
        return DrivenPublisher(model.$number) { model.number = $0 }
      }.endless()
    }
    add("objectWillChange", ObservableObjectPublisher.self) {
      SubjectVerification("objectWillChange", .none) {
        let announcements = Announcements()
        return DrivenPublisher(announcements.publisher.map { announcements.current }) { announcements.announce($0) }
      }.endless()
    }
    add("$retriever", AnyPublisher<Int?, Never>.self) {
      SubjectVerification("$retriever", .newest) {
        let (counter, retriever) = (Counter(), Retriever<Int?>())
        retriever.toRetrieveDo { counter.number.withLock { $0 } }
        return DrivenPublisher(retriever.projectedValue.map { $0 ?? 0 }) { value in
          counter.number.withLock { $0 = value }
          retriever.triggerUpdate()
        }
      }.endless()
    }
    addNotifications()
  }

  private mutating func addNotifications() {
    let apart = "each subscriber observes the center for itself, so that two can see two orders"
    let skipped: [Rule: String] = [
      .c01: apart, .c07: apart, .c12: "a center serves its observers in no particular order",
    ]
    add("NotificationCenter.publisher(for:)", NotificationCenter.Publisher.self, [], skipped) {
      SubjectVerification("NotificationCenter.publisher(for:)", .none) {
        let (center, name) = (NotificationCenter(), Notification.Name("row"))
        return DrivenPublisher(center.publisher(for: name).map { $0.userInfo?["number"] as? Int ?? -1 }) { number in
          center.post(name: name, object: nil, userInfo: ["number": number])
        }
      }.endless()
    }
  }
}
