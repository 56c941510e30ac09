import Foundation
import Reactive
import ReactiveFoundation
import Testing

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

@Suite struct DataTaskPublisherTests {
  typealias Answer = URLSession.DataTaskPublisher.Output
  typealias AnswerProbe = Probe<Answer, URLError>

  let server: LoopbackServer
  let session: URLSession

  init() throws {
    server = try LoopbackServer()
    let configuration = URLSessionConfiguration.ephemeral
    configuration.timeoutIntervalForRequest = patience
    session = URLSession(configuration: configuration)
  }

  private func probe(
    _ path: String, demand: Subscribers.Demand = .unlimited,
    react: @escaping (Answer, AnswerProbe) -> Subscribers.Demand = { _, _ in .none }
  ) -> AnswerProbe {
    let probe = AnswerProbe(demand, react: react)
    session.dataTaskPublisher(for: server.url(path)).subscribe(probe)
    return probe
  }

  /// Loads something else from beginning to end: what was on its way before has arrived then.
  private func fence() -> Bool {
    probe("echo/fence").waitForEnd()?.isFinished == true
  }

  private func bodies(_ probe: AnswerProbe) -> [String] {
    probe.values.map { String(decoding: $0.data, as: UTF8.self) }
  }

  @Test func `an answer is a value with the response, and then the end`() {
    let probe = probe("echo/hello")
    #expect(probe.waitForEnd()?.isFinished == true)
    #expect(bodies(probe) == ["hello"])
    #expect((probe.values.first?.response as? HTTPURLResponse)?.statusCode == 200)
    #expect(probe.values.first?.response.url == server.url("echo/hello"))
  }

  @Test func `the publisher keeps the request and the session it was made for`() {
    var request = URLRequest(url: server.url("echo/method"))
    request.httpMethod = "OPTIONS"
    let publisher = session.dataTaskPublisher(for: request)
    #expect(publisher.request == request)
    #expect(publisher.session === session)
    #expect(session.dataTaskPublisher(for: server.url("echo/x")).request == URLRequest(url: server.url("echo/x")))
  }

  @Test(arguments: [404, 500]) func `an HTTP error is an answer`(status: Int) {
    let probe = probe("status/\(status)")
    #expect(probe.waitForEnd()?.isFinished == true)
    #expect(probe.values.map { ($0.response as? HTTPURLResponse)?.statusCode } == [status])
    #expect(bodies(probe) == [""])
  }

  @Test func `nothing is sent before there is demand, and asking for nothing is none`() {
    let probe = probe("echo/late", demand: .none)
    probe.request(.none)
    #expect(fence())
    #expect(server.state.value.requests == ["echo/fence"])
    probe.request(.max(1))
    #expect(probe.waitForEnd()?.isFinished == true)
    #expect(bodies(probe) == ["late"])
  }

  @Test func `every subscriber has a task of its own, however often it asks`() {
    let publisher = session.dataTaskPublisher(for: server.url("echo/twice"))
    let probes = (0..<2).map { _ in AnswerProbe(.max(1)) }
    for probe in probes {
      publisher.subscribe(probe)
      probe.request(.max(1))
      probe.request(.unlimited)
    }
    for probe in probes { #expect(probe.waitForEnd()?.isFinished == true) }
    #expect(probes.map(bodies) == [["twice"], ["twice"]])
    #expect(fence())
    #expect(server.state.value.requests.filter { $0 == "echo/twice" }.count == 2)
  }

  @Test(arguments: ["cut", "drop"]) func `a broken connection is a failure without a value`(path: String) {
    let probe = probe(path)
    #expect(probe.waitForEnd()?.error != nil)
    #expect(probe.values.isEmpty)
  }

  @Test func `nobody who listens is a failure that says so`() throws {
    let url = try #require(URL(string: "http://127.0.0.1:1/"))
    let probe = AnswerProbe()
    session.dataTaskPublisher(for: url).subscribe(probe)
    #expect(probe.waitForEnd()?.error?.code == .cannotConnectToHost)
    #expect(probe.values.isEmpty)
  }

  @Test func `a URL of an unknown scheme is a failure that says so`() throws {
    let url = try #require(URL(string: "unheard-of://there"))
    let probe = AnswerProbe()
    session.dataTaskPublisher(for: url).subscribe(probe)
    #expect(probe.waitForEnd()?.error?.code == .unsupportedURL)
  }

  @Test func `an answer that takes too long is a failure that says so`() {
    var request = URLRequest(url: server.url("slow/never"))
    request.timeoutInterval = 1
    let probe = AnswerProbe()
    session.dataTaskPublisher(for: request).subscribe(probe)
    #expect(probe.waitForEnd()?.error?.code == .timedOut)
  }

  @Test func `a slow answer comes when it comes`() {
    let probe = probe("slow/patience")
    #expect(server.state.wait { $0.waiting == 1 })
    #expect(probe.values.isEmpty)
    server.open()
    #expect(probe.waitForEnd()?.isFinished == true)
    #expect(bodies(probe) == ["patience"])
  }

  @Test func `a cancel half-way ends the transfer, and nothing is reported`() {
    let probe = probe("half")
    #expect(server.state.wait { $0.waiting == 1 })
    probe.cancel()
    probe.cancel()
    #expect(server.state.wait { $0.left == 1 })
    #expect(fence())
    #expect(probe.values.isEmpty)
    #expect(probe.record.value.completions.isEmpty)
  }

  @Test func `a token that goes cancels the task, and its closures hear nothing`() {
    let events = Watched<[String]>([])
    var token: AnyCancellable? = session.dataTaskPublisher(for: server.url("half")).sink(
      receiveCompletion: { _ in events.change { $0.append("end") } },
      receiveValue: { _ in events.change { $0.append("value") } })
    #expect(server.state.wait { $0.waiting == 1 })
    withExtendedLifetime(token) {}
    token = nil
    #expect(server.state.wait { $0.left == 1 })
    #expect(fence())
    #expect(events.value == [])
  }

  @Test func `a cancel before any demand starts nothing, also when demand comes later`() {
    let probe = probe("echo/never", demand: .none)
    probe.cancel()
    probe.request(.unlimited)
    #expect(fence())
    #expect(server.state.value.requests == ["echo/fence"])
    #expect(probe.record.value.completions.isEmpty)
  }

  @Test func `a cancel inside the value keeps the end away`() {
    let probe = probe("echo/stop") { _, probe in
      probe.cancel()
      return .unlimited
    }
    #expect(probe.waitForValues(1))
    #expect(fence())
    #expect(probe.record.value.completions.isEmpty)
  }

  @Test func `taking only the first answer is safe, again and again`() {
    for _ in 0..<300 {
      let probe = probe("echo/first") { _, probe in
        probe.cancel()
        return .none
      }
      #expect(probe.waitForValues(1))
    }
    #expect(fence())
  }

  @Test func `nothing is delivered while the subscriber is still getting its subscription`() {
    final class Slow: Subscriber {
      typealias Input = Answer
      typealias Failure = URLError
      let events = Watched<[String]>([])
      let whileAttaching: () -> Void
      init(_ whileAttaching: @escaping () -> Void) { self.whileAttaching = whileAttaching }
      func receive(subscription: any Subscription) {
        subscription.request(.max(1))
        whileAttaching()
        events.change { $0.append("attached") }
      }
      func receive(_ input: Answer) -> Subscribers.Demand {
        events.change { $0.append("value") }
        return .none
      }
      func receive(completion: Subscribers.Completion<URLError>) { events.change { $0.append("end") } }
    }
    let subscriber = Slow {
      #expect(fence())
      #expect(fence())
    }
    session.dataTaskPublisher(for: server.url("echo/soon")).subscribe(subscriber)
    #expect(subscriber.events.wait { $0.count == 3 })
    #expect(subscriber.events.value == ["attached", "value", "end"])
  }

  @Test func `a cancelled subscription that is kept holds no subscriber`() {
    weak var gone: AnswerProbe?
    var subscription: (any Subscription)?
    do {
      let probe = probe("half")
      gone = probe
      #expect(server.state.wait { $0.waiting == 1 })
      subscription = probe.record.value.subscription
      subscription?.cancel()
    }
    #expect(gone == nil)
    withExtendedLifetime(subscription) {}
  }

  @Test func `a subscription that has ended holds no subscriber`() {
    weak var gone: AnswerProbe?
    var subscription: (any Subscription)?
    do {
      let probe = probe("echo/end")
      gone = probe
      #expect(probe.waitForEnd()?.isFinished == true)
      subscription = probe.record.value.subscription
    }
    // The thread that delivered the end may still be on its way out.
    #expect(fence())
    #expect(gone == nil)
    withExtendedLifetime(subscription) {}
  }

  @Test func `many requests one after the other all have their answers`() {
    var wrong = 0
    for number in 0..<sequentialRequests {
      let probe = probe("echo/\(number)")
      if probe.waitForEnd()?.isFinished != true || bodies(probe) != ["\(number)"] { wrong += 1 }
    }
    #expect(wrong == 0)
    #expect(server.state.value.requests.count == sequentialRequests)
  }

  @Test func `a hundred requests at once all have their own answers`() {
    let probes = (0..<100).map { probe("echo/\($0)") }
    for (number, probe) in probes.enumerated() {
      #expect(probe.waitForEnd()?.isFinished == true)
      #expect(bodies(probe) == ["\(number)"])
      #expect(probe.record.value.completions.count == 1)
    }
  }
}

/// How many requests follow each other; a run on a small machine lowers them.
private let sequentialRequests =
  ProcessInfo.processInfo.environment["REACTIVE_REQUESTS"].flatMap(Int.init) ?? 10_000
