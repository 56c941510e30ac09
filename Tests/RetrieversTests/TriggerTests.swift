import Retrievers
import Testing

@Suite struct TriggerTests {
  @Test func `each value of a trigger is one update`() {
    let repository = Repository()
    let trigger = PassthroughSubject<String, Never>()
    repository.retriever.triggerUpdate(on: trigger)
    #expect(repository.fetches == 0)
    var seen: [Int?] = []
    let token = repository.$number.sink { seen.append($0) }
    repository.source = 1
    trigger.send("changed")
    repository.source = 2
    trigger.send("changed again")
    #expect(seen == [0, 1, 2])
    #expect(repository.fetches == 3)
    token.cancel()
  }

  @Test func `several triggers work side by side, and one that ends stops nothing else`() {
    let repository = Repository()
    let first = PassthroughSubject<Void, Never>()
    let second = PassthroughSubject<Void, Never>()
    repository.retriever.triggerUpdate(on: first)
    repository.retriever.triggerUpdate(on: second)
    let recorder = Recorder<Int?>(.unlimited)
    repository.$number.subscribe(recorder)
    first.send(completion: .finished)
    second.send()
    #expect(recorder.values == [0, 0])
    #expect(recorder.completions == 0)
  }

  @Test func `a trigger that sends while it is subscribed to updates at once`() {
    let repository = Repository()
    repository.retriever.triggerUpdate(on: [1, 2, 3].publisher)
    #expect(repository.fetches == 3)
  }

  @Test func `another retriever can be the trigger`() {
    let people = Repository()
    let cities = Repository()
    cities.retriever.triggerUpdate(on: people.$number)
    #expect(cities.fetches == 1)
    people.refresh()
    #expect(cities.fetches == 2)
  }

  @Test func `releasing the retriever cancels its triggers, which did not keep it`() {
    let trigger = PassthroughSubject<Void, Never>()
    weak var repository: Repository?
    weak var captured: Witness?
    do {
      let owned = Repository()
      let witness = Witness()
      (repository, captured) = (owned, witness)
      owned.retriever.triggerUpdate(on: trigger.map { withExtendedLifetime(witness) {} })
    }
    #expect(repository == nil)
    #expect(captured == nil)
    trigger.send()
  }

  @Test func `a trigger that has ended is let go`() {
    let repository = Repository()
    weak var captured: Witness?
    do {
      let witness = Witness()
      captured = witness
      repository.retriever.triggerUpdate(on: Just(1).map { _ in withExtendedLifetime(witness) {} })
    }
    #expect(captured == nil)
    #expect(repository.fetches == 1)
  }
}
