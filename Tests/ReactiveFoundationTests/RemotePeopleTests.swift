import Dispatch
import Foundation
import Reactive
import ReactiveFoundation
import Retrievers
import Testing

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// A retriever over HTTP: a repository, two view models, and a server that comes and goes.
@Suite(.timeLimit(.minutes(5))) struct RemotePeopleTests {
  private let queue = DispatchQueue(label: "models")
  private let ada = Person(name: "Ada", age: 36)
  private let grace = Person(name: "Grace", age: 45)

  private func json(_ people: [Person]) throws -> String {
    String(decoding: try JSONEncoder().encode(people), as: UTF8.self)
  }

  private func session() -> URLSession {
    let configuration = URLSessionConfiguration.ephemeral
    configuration.timeoutIntervalForRequest = patience
    return URLSession(configuration: configuration)
  }

  /// Ticks that the test gives by hand.
  private struct Ticks {
    let subject = PassthroughSubject<Date, Never>()
    private let accepted = Watched(0)

    var publisher: some Publisher<Date, Never> {
      subject.handleEvents(receiveOutput: { _ in accepted.change { $0 += 1 } })
    }

    /// Gives one tick, as soon as one is asked for: without demand, the subject drops it.
    func send() {
      let before = accepted.value
      let deadline = Date(timeIntervalSinceNow: patience)
      while accepted.value == before, Date() < deadline {
        subject.send(Date())
        sched_yield()
      }
      #expect(accepted.value == before + 1)
    }
  }

  /// A server at a port that another one has just left.
  private func server(at port: UInt16) throws -> LoopbackServer {
    let deadline = Date(timeIntervalSinceNow: patience)
    while true {
      do {
        return try LoopbackServer(port: port)
      } catch {
        if Date() > deadline { throw error }
        sched_yield()
      }
    }
  }

  @Test func `two view models follow a server that changes, goes away and comes back`() throws {
    let thread = LoopThread()
    let first = try LoopbackServer()
    first.state.change { [text = try json([ada])] in $0.pages["people"] = text }
    let repository = RemotePeopleRepository(
      at: first.url("page/people"), with: session(),
      refreshing: Timer.publish(every: 0.02, on: thread.loop, in: .default).autoconnect())
    let names = NamesModel(repository, on: queue)
    let status = StatusModel(repository, on: queue)
    // It subscribes last: when it has something, the models have it too.
    let seen = Probe<Directory, Never>()
    repository.$directory.receive(on: queue).subscribe(seen)
    func shown() -> [String] { queue.sync { names.names + [status.status] } }

    #expect(seen.record.wait { $0.values.last?.people == [ada] })
    #expect(shown() == ["Ada", "1 people"])

    first.state.change { [text = try json([ada, grace])] in $0.pages["people"] = text }
    #expect(seen.record.wait { $0.values.last?.people == [ada, grace] })
    #expect(shown() == ["Ada", "Grace", "2 people"])

    first.leave()
    #expect(seen.record.wait { $0.values.last?.problem != nil })
    #expect(shown().dropLast() == ["Ada", "Grace"])
    #expect(shown().last?.hasPrefix("offline: ") == true)
    #expect(repository.directory.people == [ada, grace])

    let second = try server(at: first.port)
    second.state.change { [text = try json([grace])] in $0.pages["people"] = text }
    #expect(seen.record.wait { $0.values.last == Directory(people: [grace]) })
    #expect(shown() == ["Grace", "1 people"])
  }

  @Test func `an answer that is none of people, and one with an HTTP error, are problems, and the people stay`() throws
  {
    let server = try LoopbackServer()
    server.state.change { [text = try json([ada])] in $0.pages["people"] = text }
    let ticks = Ticks()
    let repository = RemotePeopleRepository(at: server.url("page/people"), with: session(), refreshing: ticks.publisher)
    let seen = Probe<Directory, Never>()
    repository.$directory.subscribe(seen)
    #expect(seen.record.wait { $0.values.last == Directory(people: [ada]) })

    for page in ["no JSON", nil] {
      let count = seen.values.count
      server.state.change { $0.pages["people"] = page }
      ticks.send()
      #expect(seen.waitForValues(count + 1))
      #expect(seen.values.last?.people == [ada])
      #expect(seen.values.last?.problem != nil)
    }

    server.state.change { [text = try json([grace])] in $0.pages["people"] = text }
    ticks.send()
    #expect(seen.record.wait { $0.values.last == Directory(people: [grace]) })
  }

  @Test func `ticks that come while an answer is on its way start no further request`() throws {
    let server = try LoopbackServer()
    let ticks = Ticks()
    let repository = RemotePeopleRepository(at: server.url("slow/[]"), with: session(), refreshing: ticks.publisher)
    let seen = Probe<Directory, Never>()
    repository.$directory.subscribe(seen)
    #expect(server.state.wait { $0.waiting == 1 })
    for _ in 0..<5 { ticks.subject.send(Date()) }
    server.open()
    #expect(seen.waitForValues(2))
    ticks.send()
    #expect(seen.waitForValues(3))
    #expect(server.state.value.requests.count == 2)
  }

  @Test func `a repository that goes ends the streams, the requests and the timer`() throws {
    let server = try LoopbackServer()
    let ticks = Ticks()
    let seen = Probe<Directory, Never>()
    do {
      let repository = RemotePeopleRepository(at: server.url("half"), with: session(), refreshing: ticks.publisher)
      repository.$directory.subscribe(seen)
      #expect(server.state.wait { $0.waiting == 1 })
    }
    #expect(seen.waitForEnd()?.isFinished == true)
    #expect(server.state.wait { $0.left == 1 })
    ticks.subject.send(Date())
    #expect(server.state.value.requests.count == 1)
  }
}
