import ReactiveTesting
import Retrievers
import Synchronization
import Testing

/// What several threads can see, each order pinned with gates.
@Suite struct ConcurrencyTests {
  /// A number behind a closure that can be stopped after it has read.
  private final class Source: Sendable {
    let number = Atomic(0)
    let fetches = Atomic(0)
    let gate = Gate()
    private let parked: Int

    /// Makes a source.
    ///
    /// - Parameter parked: Which fetch waits at the gate, with the number it has read.
    init(parking parked: Int) {
      self.parked = parked
    }

    func retriever() -> Retriever<Int?> {
      let retriever = Retriever<Int?>()
      retriever.toRetrieveDo { [self] in
        let fetch = fetches.add(1, ordering: .relaxed).newValue
        let read = number.load(ordering: .acquiring)
        if fetch == parked { gate.pass() }
        return read
      }
      return retriever
    }
  }

  @Test func `an update during a first fetch becomes the first value, and the late result is dropped`() throws {
    let source = Source(parking: 1)
    let retriever = source.retriever()
    let seen = Log<Int?>()
    let tokens = Log<AnyCancellable>()
    let subscribing = TestThread { tokens.append(retriever.projectedValue.sink { seen.append($0) }) }
    try source.gate.waitUntilParked()
    source.number.store(1, ordering: .releasing)
    retriever.triggerUpdate()
    #expect(seen.all == [1])
    source.gate.open()
    #expect(subscribing.join())
    #expect(seen.all == [1])
    retriever.triggerUpdate()
    #expect(seen.all == [1, 1])
  }

  @Test func `a slower older update does not replace a newer one`() throws {
    let source = Source(parking: 2)
    let retriever = source.retriever()
    let seen = Log<Int?>()
    let token = retriever.projectedValue.sink { seen.append($0) }
    source.number.store(1, ordering: .releasing)
    let updating = TestThread { retriever.triggerUpdate() }
    try source.gate.waitUntilParked()
    source.number.store(2, ordering: .releasing)
    retriever.triggerUpdate()
    #expect(seen.all == [0, 2])
    source.gate.open()
    #expect(updating.join())
    #expect(seen.all == [0, 2])
    token.cancel()
  }

  @Test func `an older first fetch does not use up demand`() throws {
    let source = Source(parking: 1)
    let retriever = source.retriever()
    let recorder = Recorder<Int?>(.none)
    retriever.projectedValue.subscribe(recorder)
    let requesting = TestThread { recorder.subscription?.request(.max(2)) }
    try source.gate.waitUntilParked()
    source.number.store(1, ordering: .releasing)
    retriever.triggerUpdate()
    source.gate.open()
    #expect(requesting.join())
    source.number.store(2, ordering: .releasing)
    retriever.triggerUpdate()
    #expect(recorder.values == [1, 2])
  }

  @Test func `an observer that is busy keeps nobody else waiting, and gets the newest value afterwards`() throws {
    let source = Source(parking: 0)
    let retriever = source.retriever()
    let gate = Gate()
    let busy = Log<Int?>()
    let idle = Log<Int?>()
    let tokens = [
      retriever.projectedValue.sink {
        busy.append($0)
        if $0 == 1 { gate.pass() }
      },
      retriever.projectedValue.sink { idle.append($0) },
    ]
    source.number.store(1, ordering: .releasing)
    let updating = TestThread { retriever.triggerUpdate() }
    try gate.waitUntilParked()
    for number in 2...4 {
      source.number.store(number, ordering: .releasing)
      retriever.triggerUpdate()
      #expect(idle.all.last == number)
    }
    #expect(busy.all == [0, 1])
    gate.open()
    #expect(updating.join())
    #expect(busy.all == [0, 1, 4])
    // The round that was stopped has nothing new for it.
    #expect(idle.all == [0, 2, 3, 4])
    withExtendedLifetime(tokens) {}
  }

  @Test func `nothing is delivered from another thread before receive subscription has returned`() throws {
    let source = Source(parking: 0)
    let retriever = source.retriever()
    let gate = Gate()
    let seen = Log<Int?>()
    let subscriber = AnySubscriber<Int?, Never>(
      receiveSubscription: {
        $0.request(.unlimited)
        gate.pass()
      },
      receiveValue: {
        seen.append($0)
        return .none
      })
    let subscribing = TestThread { retriever.projectedValue.subscribe(subscriber) }
    try gate.waitUntilParked()
    source.number.store(1, ordering: .releasing)
    retriever.triggerUpdate()
    #expect(seen.all == [])
    gate.open()
    #expect(subscribing.join())
    #expect(seen.all == [1])
    #expect(source.fetches.load(ordering: .relaxed) == 2)
  }

  @Test func `reading, subscribing, cancelling and updating do not wait for a fetch that hangs`() throws {
    let source = Source(parking: 1)
    let retriever = source.retriever()
    let hanging = TestThread { _ = retriever.wrappedValue }
    try source.gate.waitUntilParked()
    #expect(retriever.wrappedValue == 0)
    var seen: [Int?] = []
    let token = retriever.projectedValue.sink { seen.append($0) }
    retriever.triggerUpdate()
    token.cancel()
    #expect(seen == [0, 0])
    source.gate.open()
    #expect(hanging.join())
  }

  @Test func `a closure that is replaced while another thread runs it finishes that fetch`() throws {
    let source = Source(parking: 1)
    let retriever = source.retriever()
    let seen = Log<Int?>()
    let released = Log<Bool>()
    do {
      let witness = Witness { released.append(true) }
      retriever.toRetrieveDo {
        withExtendedLifetime(witness) { () -> Int? in
          source.gate.pass()
          return 1
        }
      }
    }
    let reading = TestThread { seen.append(retriever.wrappedValue) }
    try source.gate.waitUntilParked()
    retriever.toRetrieveDo { 2 }
    #expect(retriever.wrappedValue == 2)
    #expect(released.all == [])
    source.gate.open()
    #expect(reading.join())
    #expect(seen.all == [1])
    #expect(released.all == [true])
  }

  @Test func `an observer that cancels while another thread delivers to it gets nothing after that`() throws {
    let source = Source(parking: 0)
    let retriever = source.retriever()
    let gate = Gate()
    let seen = Log<Int?>()
    let token = retriever.projectedValue.sink {
      seen.append($0)
      if $0 == 1 { gate.pass() }
    }
    source.number.store(1, ordering: .releasing)
    let updating = TestThread { retriever.triggerUpdate() }
    try gate.waitUntilParked()
    source.number.store(2, ordering: .releasing)
    retriever.triggerUpdate()
    token.cancel()
    gate.open()
    #expect(updating.join())
    #expect(seen.all == [0, 1])
  }

  @Test func `an owner that goes while another thread delivers lets the completion follow`() throws {
    let gate = Gate()
    let events = Log<String>()
    let trigger = PassthroughSubject<Void, Never>()
    var retriever: Retriever<Int?>? = Retriever<Int?>()
    retriever?.triggerUpdate(on: trigger)
    var isFirst = true
    let token = retriever?.projectedValue.sink(
      receiveCompletion: { _ in events.append("end") },
      receiveValue: { _ in
        defer { isFirst = false }
        guard !isFirst else { return }
        gate.pass()
        events.append("value")
      })
    let updating = TestThread { trigger.send() }
    try gate.waitUntilParked()
    retriever = nil
    #expect(events.all == [])
    gate.open()
    #expect(updating.join())
    #expect(events.all == ["value", "end"])
    token?.cancel()
  }

  @Test @MainActor func `a sink made on the main actor takes values from another thread without a trap`() {
    let source = Source(parking: 0)
    let retriever = source.retriever()
    var seen: [Int?] = []
    let token = retriever.projectedValue.sink { seen.append($0) }
    let updating = TestThread { retriever.triggerUpdate() }
    #expect(updating.join())
    #expect(seen == [0, 0])
    token.cancel()
  }
}
