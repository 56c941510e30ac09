import Foundation
import Reactive
import ReactiveFoundation
import Testing

@Suite struct NotificationPublisherTests {
  typealias NoteProbe = Probe<Notification, Never>

  private let center = NotificationCenter()
  private let name = Notification.Name("note")

  private func numbers(_ probe: NoteProbe) -> [Int] {
    probe.values.compactMap { $0.userInfo?["number"] as? Int }
  }

  private func post(_ number: Int, object: AnyObject? = nil) {
    center.post(name: name, object: object, userInfo: ["number": number])
  }

  @Test func `a notification is delivered before post returns, on the thread that posts`() {
    let probe = NoteProbe()
    post(0)
    center.publisher(for: name).subscribe(probe)
    post(1)
    #expect(numbers(probe) == [1])
    let posted = DispatchSemaphore(value: 0)
    let poster = Watched<Thread?>(nil)
    Thread.detachNewThread {
      poster.change { $0 = .current }
      post(2)
      posted.signal()
    }
    #expect(posted.wait(timeout: .now() + patience) == .success)
    #expect(numbers(probe) == [1, 2])
    #expect(probe.record.value.threads.last === poster.value)
  }

  @Test func `others' names are not delivered`() {
    let probe = NoteProbe()
    center.publisher(for: name).subscribe(probe)
    center.post(name: Notification.Name("other"), object: nil)
    NotificationCenter().post(name: name, object: nil)
    post(1)
    #expect(numbers(probe) == [1])
  }

  @Test func `a sender is heard alone, and without one everybody is`() {
    final class Sender {}
    let (chosen, other) = (Sender(), Sender())
    let (narrow, wide) = (NoteProbe(), NoteProbe())
    center.publisher(for: name, object: chosen).subscribe(narrow)
    center.publisher(for: name).subscribe(wide)
    post(1, object: other)
    post(2, object: chosen)
    post(3)
    #expect(numbers(narrow) == [2])
    #expect(numbers(wide) == [1, 2, 3])
  }

  @Test func `notifications without demand are missed`() {
    let probe = NoteProbe(.max(1))
    center.publisher(for: name).subscribe(probe)
    for number in 1...3 { post(number) }
    probe.request(.none)
    post(4)
    probe.request(.max(1))
    post(5)
    post(6)
    #expect(numbers(probe) == [1, 5])
  }

  @Test func `demand that a subscriber returns counts`() {
    let probe = NoteProbe(.max(1)) { _, probe in probe.values.count == 1 ? .max(2) : .none }
    center.publisher(for: name).subscribe(probe)
    for number in 1...5 { post(number) }
    #expect(numbers(probe) == [1, 2, 3])
  }

  @Test func `a cancel ends the subscription, however often it is called`() {
    let probe = NoteProbe()
    center.publisher(for: name).subscribe(probe)
    post(1)
    probe.cancel()
    probe.cancel()
    post(2)
    #expect(numbers(probe) == [1])
    #expect(probe.record.value.completions.isEmpty)
  }

  @Test func `a cancel removes the observer from the center`() {
    let calls = Watched(0)
    let observation = center.publisher(for: name).observe { _ in calls.change { $0 += 1 } }
    post(1)
    observation.cancel()
    post(2)
    #expect(calls.value == 1)
  }

  @Test func `a cancel while subscribing leaves nothing behind`() {
    final class Refusing: Subscriber {
      typealias Input = Notification
      typealias Failure = Never
      var values = 0
      func receive(subscription: any Subscription) {
        subscription.request(.unlimited)
        subscription.cancel()
      }
      func receive(_ input: Notification) -> Subscribers.Demand {
        values += 1
        return .none
      }
      func receive(completion: Subscribers.Completion<Never>) {}
    }
    weak var gone: Refusing?
    do {
      let subscriber = Refusing()
      gone = subscriber
      center.publisher(for: name).subscribe(subscriber)
      post(1)
      #expect(subscriber.values == 0)
    }
    #expect(gone == nil)
  }

  @Test func `a cancel inside a delivery is the end, also for notifications posted inside it`() {
    let probe = NoteProbe { _, probe in
      post(2)
      probe.cancel()
      return .unlimited
    }
    center.publisher(for: name).subscribe(probe)
    post(1)
    post(3)
    #expect(numbers(probe) == [1])
  }

  @Test func `a notification posted inside a delivery comes after it`() {
    let probe = NoteProbe { note, _ in
      let number = note.userInfo?["number"] as? Int ?? 0
      if number < 3 { post(number + 1) }
      return .none
    }
    center.publisher(for: name).subscribe(probe)
    post(1)
    #expect(numbers(probe) == [1, 2, 3])
    #expect(probe.record.value.overlaps == 0)
  }

  @Test func `notifications posted by several threads come one at a time, and each thread's in order`() {
    let probe = NoteProbe()
    center.publisher(for: name).subscribe(probe)
    let posters = 4
    DispatchQueue.concurrentPerform(iterations: posters) { poster in
      for number in 0..<500 { post(poster * 1_000 + number) }
    }
    #expect(probe.waitForValues(posters * 500))
    #expect(probe.record.value.overlaps == 0)
    for poster in 0..<posters {
      #expect(numbers(probe).filter { $0 / 1_000 == poster } == (0..<500).map { poster * 1_000 + $0 })
    }
  }

  @Test func `the sender is held by the publisher and the subscription, and by nothing after them`() {
    final class Sender {}
    weak var gone: Sender?
    var publisher: NotificationCenter.Publisher?
    var token: AnyCancellable?
    do {
      let sender = Sender()
      gone = sender
      publisher = center.publisher(for: name, object: sender)
      token = publisher?.sink { _ in }
    }
    publisher = nil
    #expect(gone != nil)
    token?.cancel()
    #expect(gone == nil)
    withExtendedLifetime((publisher, token)) {}
  }

  @Test func `a cancelled subscription that is kept holds no subscriber`() {
    weak var gone: NoteProbe?
    var subscription: (any Subscription)?
    do {
      let probe = NoteProbe()
      gone = probe
      center.publisher(for: name).subscribe(probe)
      post(1)
      subscription = probe.record.value.subscription
      probe.record.change { $0.subscription = nil }
    }
    #expect(gone != nil)
    subscription?.cancel()
    #expect(gone == nil)
  }

  @Test func `publishers are equal when center, name and sender are`() {
    final class Sender {}
    let (sender, other) = (Sender(), Sender())
    let publisher = center.publisher(for: name, object: sender)
    #expect(publisher == NotificationCenter.Publisher(center: center, name: name, object: sender))
    #expect(publisher != center.publisher(for: name, object: other))
    #expect(publisher != center.publisher(for: name))
    #expect(publisher != center.publisher(for: Notification.Name("other"), object: sender))
    #expect(publisher != NotificationCenter().publisher(for: name, object: sender))
  }

  @Test func `a call can say which module it means, where another one has the name too`() {
    let center = center
    let publisher = center.ReactiveFoundation::publisher(for: name)
    #expect(publisher == center.publisher(for: name))
  }

  @Test func `the subscription says what it is`() {
    let probe = NoteProbe()
    center.publisher(for: name).subscribe(probe)
    #expect(probe.record.value.subscription.map { String(describing: $0) } == "NotificationCenter Observer")
  }
}
