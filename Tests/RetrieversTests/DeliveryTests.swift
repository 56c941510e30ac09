import Retrievers
import Testing

/// What one thread can see of order, re-entrancy and demand.
@Suite struct DeliveryTests {
  /// A repository whose value is the number of its fetches, or of all that took place during the fetch.
  private final class Counter {
    @Retriever var fetches: Int?
    private(set) var count = 0

    init(updatingDuring busy: ClosedRange<Int>? = nil) {
      _fetches.toRetrieveDo { [unowned self] in
        count += 1
        if busy?.contains(count) == true { refresh() }
        return count
      }
    }

    func refresh() { _fetches.triggerUpdate() }
  }

  @Test func `an observer that updates from its first value gets the new ones, one after the other`() {
    let counter = Counter()
    var seen: [Int?] = []
    var depth = 0
    let token = counter.$fetches.sink { value in
      depth += 1
      #expect(depth == 1)
      seen.append(value)
      if counter.count < 3 { counter.refresh() }
      depth -= 1
    }
    #expect(seen == [1, 2, 3])
    token.cancel()
  }

  @Test func `an update from inside a delivery reaches the other observers before the older value does`() {
    let counter = Counter()
    var a: [Int?] = []
    var b: [Int?] = []
    let tokens = [
      counter.$fetches.sink { value in
        a.append(value)
        if value == 3 { counter.refresh() }
      },
      counter.$fetches.sink { b.append($0) },
    ]
    counter.refresh()
    #expect(a == [1, 3, 4])
    #expect(b == [2, 4])
    withExtendedLifetime(tokens) {}
  }

  @Test func `two updates from inside one delivery become one`() {
    let repository = Repository()
    var seen: [Int?] = []
    let token = repository.$number.sink { value in
      seen.append(value)
      guard value == 0 else { return }
      repository.change(to: 1)
      repository.change(to: 2)
    }
    #expect(seen == [0, 2])
    #expect(repository.fetches == 3)
    token.cancel()
  }

  @Test func `updates from inside the closure deliver the newest result only`() {
    let counter = Counter(updatingDuring: 2...3)
    var seen: [Int?] = []
    let token = counter.$fetches.sink { seen.append($0) }
    counter.refresh()
    #expect(seen == [1, 4])
    token.cancel()
  }

  @Test func `an observer that updates a hundred thousand times from its own delivery needs no stack`() {
    let repository = Repository()
    let token = repository.$number.sink { value in
      if let value, value < 100_000 { repository.change(to: value + 1) }
    }
    #expect(repository.fetches == 100_001)
    token.cancel()
  }

  @Test func `observers are served in the order they came, also after one has left`() {
    let repository = Repository()
    var served: [Int] = []
    var tokens = (0..<5).map { index in repository.$number.sink { _ in served.append(index) } }
    served = []
    repository.refresh()
    tokens.remove(at: 1).cancel()
    repository.refresh()
    #expect(served == [0, 1, 2, 3, 4, 0, 2, 3, 4])
  }

  @Test func `an observer that is cancelled during a round gets nothing more`() {
    let repository = Repository()
    var seen: [Int?] = []
    var second: AnyCancellable?
    let first = repository.$number.sink { _ in second?.cancel() }
    second = repository.$number.sink { seen.append($0) }
    repository.change(to: 1)
    #expect(seen == [0])
    first.cancel()
  }

  @Test func `an observer that subscribes another one during a round lets it fetch for itself`() {
    let repository = Repository()
    var seen: [Int?] = []
    var second: AnyCancellable?
    let first = repository.$number.sink { value in
      if value == 1 { second = repository.$number.sink { seen.append($0) } }
    }
    repository.change(to: 1)
    #expect(seen == [1])
    repository.change(to: 2)
    #expect(seen == [1, 2])
    first.cancel()
    second?.cancel()
  }

  @Test func `with unlimited demand every update is delivered`() {
    let repository = Repository()
    var seen: [Int?] = []
    let token = repository.$number.sink { seen.append($0) }
    for number in 1...100 { repository.change(to: number) }
    #expect(seen == (0...100).map { $0 })
    token.cancel()
  }

  @Test func `a slow consumer skips to the newest value`() {
    let repository = Repository()
    let recorder = Recorder<Int?>(.max(1))
    repository.$number.subscribe(recorder)
    for number in 1...5 { repository.change(to: number) }
    #expect(recorder.values == [0])
    recorder.subscription?.request(.max(1))
    #expect(recorder.values == [0, 5])
    recorder.subscription?.request(.max(1))
    #expect(recorder.values == [0, 5])
    repository.change(to: 6)
    #expect(recorder.values == [0, 5, 6])
    #expect(repository.fetches == 7)
  }

  @Test func `demand that a delivery returns counts`() {
    let repository = Repository()
    let recorder = Recorder<Int?>(.max(1)) { $0 == 0 ? .max(2) : .none }
    repository.$number.subscribe(recorder)
    for number in 1...3 { repository.change(to: number) }
    #expect(recorder.values == [0, 1, 2])
  }

  @Test func `a request from inside a delivery lets the newest value follow, without nesting`() {
    let repository = Repository()
    let recorder = Recorder<Int?>(.max(1))
    var depth = 0
    recorder.react = { [unowned recorder] value in
      depth += 1
      #expect(depth == 1)
      if value == 0 {
        repository.change(to: 1)
        recorder.subscription?.request(.max(1))
        #expect(recorder.values == [0])
      }
      depth -= 1
      return .none
    }
    repository.$number.subscribe(recorder)
    #expect(recorder.values == [0, 1])
  }

  @Test func `a request for nothing does nothing`() {
    let repository = Repository()
    let recorder = Recorder<Int?>(.none)
    repository.$number.subscribe(recorder)
    recorder.subscription?.request(.none)
    #expect(recorder.values.isEmpty)
    #expect(repository.fetches == 0)
  }

  @Test func `no value is stored once it is delivered, and a waiting one goes with a newer one or a cancel`() {
    let retriever = Retriever<Witness?>()
    var alive = 0
    retriever.toRetrieveDo {
      alive += 1
      return Witness { alive -= 1 }
    }
    let subscriber = Forgetful()
    retriever.projectedValue.subscribe(subscriber)
    #expect(subscriber.values == 1 && alive == 0)
    retriever.triggerUpdate()
    retriever.triggerUpdate()
    #expect(subscriber.values == 1 && alive == 1)
    subscriber.subscription?.request(.max(1))
    #expect(subscriber.values == 2 && alive == 0)
    retriever.triggerUpdate()
    #expect(alive == 1)
    subscriber.subscription?.cancel()
    #expect(subscriber.values == 2 && alive == 0)
  }

  /// Asks for one value and keeps none.
  private final class Forgetful: Subscriber {
    var subscription: (any Subscription)?
    var values = 0

    func receive(subscription: any Subscription) {
      self.subscription = subscription
      subscription.request(.max(1))
    }

    func receive(_ input: Witness?) -> Subscribers.Demand {
      values += 1
      return .none
    }

    func receive(completion: Subscribers.Completion<Never>) {}
  }
}
