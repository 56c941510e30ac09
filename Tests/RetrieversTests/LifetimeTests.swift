import Retrievers
import Testing

@Suite struct LifetimeTests {
  @Test func `the stream finishes when the owner is released, also for who has no demand`() {
    var repository: Repository? = Repository()
    let recorders = [Recorder<Int?>(.unlimited), Recorder<Int?>(.max(1)), Recorder<Int?>(.none)]
    for recorder in recorders { repository?.$number.subscribe(recorder) }
    repository = nil
    #expect(recorders.map(\.completions) == [1, 1, 1])
    #expect(recorders.map(\.values) == [[0], [0], []])
  }

  @Test func `a publisher that outlives its owner gives the default value and finishes`() {
    func ownerless() -> AnyPublisher<Int?, Never> {
      let repository = Repository()
      repository.source = 5
      return repository.$number
    }
    let recorder = Recorder<Int?>(.max(1))
    ownerless().subscribe(recorder)
    #expect(recorder.values == [nil])
    #expect(recorder.completions == 1)
  }

  @Test func `neither publisher nor subscription keeps the retriever or its closure`() {
    weak var retriever: Retriever<Int?>?
    weak var captured: Witness?
    let recorder = Recorder<Int?>(.unlimited)
    let publisher: AnyPublisher<Int?, Never>
    do {
      let owned = Retriever<Int?>()
      let witness = Witness()
      owned.toRetrieveDo { withExtendedLifetime(witness) { 1 } }
      retriever = owned
      captured = witness
      publisher = owned.projectedValue
      publisher.subscribe(recorder)
    }
    #expect(retriever == nil)
    #expect(captured == nil)
    #expect(recorder.values == [1])
    #expect(recorder.completions == 1)
    withExtendedLifetime(publisher) {}
  }

  @Test func `a subscription that is kept after a cancel keeps no subscriber`() {
    let repository = Repository()
    var kept: (any Subscription)?
    weak var recorder: Recorder<Int?>?
    do {
      let subscriber = Recorder<Int?>(.unlimited)
      recorder = subscriber
      repository.$number.subscribe(subscriber)
      kept = subscriber.subscription
    }
    #expect(recorder != nil)
    kept?.cancel()
    #expect(recorder == nil)
  }

  @Test func `a subscription that is kept after the end keeps no subscriber`() {
    var repository: Repository? = Repository()
    var kept: (any Subscription)?
    weak var received: Witness?
    do {
      let witness = Witness()
      received = witness
      let subscriber = AnySubscriber<Int?, Never>(
        receiveSubscription: {
          kept = $0
          $0.request(.unlimited)
        }, receiveValue: { _ in withExtendedLifetime(witness) { .none } })
      repository?.$number.subscribe(subscriber)
    }
    #expect(received != nil)
    repository = nil
    #expect(received == nil)
    kept?.request(.unlimited)
    kept?.cancel()
  }

  @Test func `a view model that captures itself in sink goes when the repository does`() {
    final class Model {
      var number: Int?
      var cancellables = Set<AnyCancellable>()
      init(_ repository: Repository) {
        repository.$number.sink { self.number = $0 }.store(in: &cancellables)
      }
    }
    var repository: Repository? = Repository()
    weak var model: Model?
    do {
      let made = Model(repository!)
      model = made
      #expect(made.number == 0)
    }
    #expect(model != nil)
    repository = nil
    #expect(model == nil)
  }

  @Test func `an owner that goes during a delivery ends the stream after it`() {
    var repository: Repository? = Repository()
    let trigger = PassthroughSubject<Void, Never>()
    repository?.retriever.triggerUpdate(on: trigger)
    var events: [String] = []
    let recorder = Recorder<Int?>(.unlimited) { value in
      if value == 1 {
        repository = nil
        events.append("released")
      }
      return .none
    }
    let end = repository?.$number.sink(receiveCompletion: { _ in events.append("finished") }, receiveValue: { _ in })
    repository?.$number.subscribe(recorder)
    repository?.source = 1
    trigger.send()
    #expect(recorder.values == [0, 1])
    #expect(recorder.completions == 1)
    #expect(events == ["finished", "released"])
    end?.cancel()
  }

  @Test func `a value that waits for a delivery to return comes before the end`() {
    var repository: Repository? = Repository()
    let trigger = PassthroughSubject<Void, Never>()
    repository?.retriever.triggerUpdate(on: trigger)
    var completed: [Int?] = []
    let recorder = Recorder<Int?>(.unlimited)
    recorder.react = { [unowned recorder] value in
      if value == 1 {
        repository?.change(to: 2)
        repository = nil
        completed.append(recorder.completions)
      }
      return .none
    }
    repository?.$number.subscribe(recorder)
    repository?.source = 1
    trigger.send()
    #expect(recorder.values == [0, 1, 2])
    #expect(completed == [0] && recorder.completions == 1)
  }

  @Test func `an observer that subscribes again at the end gets the default value`() {
    var repository: Repository? = Repository()
    let publisher = repository!.$number
    let late = Recorder<Int?>(.unlimited)
    let token = publisher.sink(receiveCompletion: { _ in publisher.subscribe(late) }, receiveValue: { _ in })
    repository = nil
    #expect(late.values == [nil])
    #expect(late.completions == 1)
    token.cancel()
  }

  @Test func `a closure that is replaced while it runs is released when it has returned, with no lock held`() {
    let retriever = Retriever<Int?>()
    var log: [String] = []
    let observer = retriever.projectedValue.sink { log.append("value \($0 ?? -1)") }
    do {
      let witness = Witness {
        log.append("released")
        retriever.triggerUpdate()
      }
      retriever.toRetrieveDo {
        retriever.toRetrieveDo { 2 }
        retriever.toRetrieveDo { 3 }
        log.append("replaced")
        return withExtendedLifetime(witness) { 1 }
      }
    }
    #expect(retriever.wrappedValue == 1)
    #expect(log == ["value -1", "replaced", "released", "value 3"])
    observer.cancel()
  }

  @Test func `a closure that is replaced while none runs is released at once, with no lock held`() {
    let retriever = Retriever<Int?>()
    var seen: [Int?] = []
    do {
      let witness = Witness { seen.append(retriever.wrappedValue) }
      retriever.toRetrieveDo { withExtendedLifetime(witness) { 1 } }
    }
    retriever.toRetrieveDo { 2 }
    #expect(seen == [2])
  }

  @Test func `a subscriber that is released by its cancel may use the retriever`() {
    let repository = Repository()
    do {
      let witness = Witness { repository.refresh() }
      let token = repository.$number.sink { _ in withExtendedLifetime(witness) {} }
      token.cancel()
    }
    #expect(repository.fetches == 2)
  }

  @Test func `copies of a struct repository share one retriever`() {
    struct Numbers {
      @Retriever var number: Int?
      func refresh() { _number.triggerUpdate() }
    }
    let numbers = Numbers()
    let copy = numbers
    var values = 0
    let token = numbers.$number.sink { _ in values += 1 }
    copy.refresh()
    #expect(values == 2)
    token.cancel()
  }
}
