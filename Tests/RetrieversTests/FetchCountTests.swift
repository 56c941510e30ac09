import Retrievers
import Testing

@Suite struct FetchCountTests {
  @Test func `each read fetches once`() {
    let repository = Repository()
    #expect(repository.number == 0)
    repository.source = 1
    #expect(repository.number == 1)
    #expect(repository.fetches == 2)
  }

  @Test func `reading the publisher does not fetch`() {
    let repository = Repository()
    _ = repository.$number
    #expect(repository.fetches == 0)
  }

  @Test func `a subscription fetches once and has its value before sink returns`() {
    let repository = Repository()
    let publisher = repository.$number
    // The value is that of the subscription, not of the moment the publisher was made.
    repository.source = 1
    var seen: [Int?] = []
    let token = publisher.sink { seen.append($0) }
    #expect(seen == [1])
    #expect(repository.fetches == 1)
    token.cancel()
  }

  @Test(arguments: [true, false]) func `a thousand subscribers fetch a thousand times`(sharingOnePublisher: Bool) {
    let repository = Repository()
    let publisher = repository.$number
    var values = 0
    let tokens = (0..<1_000).map { _ in
      (sharingOnePublisher ? publisher : repository.$number).sink { _ in values += 1 }
    }
    #expect(repository.fetches == 1_000)
    #expect(values == 1_000)
    withExtendedLifetime(tokens) {}
  }

  @Test func `an update fetches once for all of a thousand subscribers`() {
    let repository = Repository()
    var values: [Int?] = []
    let tokens = (0..<1_000).map { _ in repository.$number.sink { values.append($0) } }
    #expect(repository.fetches == 1_000)
    values = []
    repository.change(to: 7)
    #expect(repository.fetches == 1_001)
    #expect(values == Array(repeating: 7, count: 1_000))
    withExtendedLifetime(tokens) {}
  }

  @Test func `an update without subscribers fetches too`() {
    let repository = Repository()
    repository.refresh()
    #expect(repository.fetches == 1)
  }

  @Test func `a subscriber that cancels at once has had one fetch and one value`() {
    let repository = Repository()
    var values = 0
    repository.$number.sink { _ in values += 1 }.cancel()
    repository.refresh()
    #expect(values == 1)
    #expect(repository.fetches == 2)
  }

  @Test func `a subscriber that cancels before it gets a value costs no fetch`() {
    let repository = Repository()
    let subscriber = AnySubscriber<Int?, Never>(receiveSubscription: {
      $0.request(.unlimited)
      $0.cancel()
    })
    repository.$number.subscribe(subscriber)
    #expect(repository.fetches == 0)
  }

  @Test func `without demand nothing is fetched, and the first demand gets a fresh value`() {
    let repository = Repository()
    let recorder = Recorder<Int?>(.none)
    repository.$number.subscribe(recorder)
    #expect(repository.fetches == 0)
    repository.change(to: 1)
    repository.source = 2
    recorder.subscription?.request(.max(1))
    #expect(recorder.values == [2])
    #expect(repository.fetches == 2)
  }

  @Test func `a retriever that was never told how to retrieve gives the default value`() {
    let retriever = Retriever<[Int]>()
    var seen: [[Int]] = []
    let token = retriever.projectedValue.sink { seen.append($0) }
    retriever.triggerUpdate()
    #expect(retriever.wrappedValue == [])
    #expect(seen == [[], []])
    token.cancel()
  }

  @Test func `a new closure is used from the next fetch on, and neither fetches nor ends anything`() {
    let retriever = Retriever<[Int]>()
    retriever.toRetrieveDo { [1] }
    let recorder = Recorder<[Int]>(.unlimited)
    retriever.projectedValue.subscribe(recorder)
    retriever.toRetrieveDo { [2] }
    #expect(recorder.values == [[1]])
    retriever.triggerUpdate()
    #expect(recorder.values == [[1], [2]])
    #expect(recorder.completions == 0)
  }

  @Test func `an update delivers a value also when nothing has changed`() {
    let repository = Repository()
    var seen: [Int?] = []
    let token = repository.$number.sink { seen.append($0) }
    repository.refresh()
    repository.refresh()
    #expect(seen == [0, 0, 0])
    token.cancel()
  }

  @Test func `two hundred observers that read the property cost one fetch each, and notify nobody`() {
    let repository = Repository()
    var reads = 0
    let tokens = (0..<200).map { _ in
      repository.$number.sink { _ in
        _ = repository.number
        reads += 1
      }
    }
    let before = repository.fetches
    repository.refresh()
    #expect(repository.fetches - before == 1 + 200)
    #expect(reads == 400)
    withExtendedLifetime(tokens) {}
  }

  @Test func `every fetch has its reason`() {
    let repository = Repository()
    var reasons: [RetrievalReason] = []
    repository.retriever.onRetrieve { reasons.append($0) }
    _ = repository.number
    let token = repository.$number.sink { _ in }
    repository.refresh()
    #expect(reasons == [.access, .subscription, .update])
    repository.retriever.onRetrieve(nil)
    repository.refresh()
    #expect(reasons.count == 3)
    token.cancel()
  }
}
