import Reactive
import Testing

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

@Suite struct PrintTests {
  /// Collects what is written to it.
  private final class Log: TextOutputStream {
    var text = ""
    func write(_ string: String) { text += string }
    var lines: [String] { text.split(separator: "\n").map(String.init) }
  }

  private struct Numbered: TextOutputStream {
    let log: Log
    var count = 0
    mutating func write(_ string: String) {
      guard string.count > 1 else { return }
      count += 1
      log.write("\(count) \(string)\n")
    }
  }

  @Test func `each signal is a line, in either direction`() {
    let log = Log()
    let (upstream, recorder) = attach(
      { $0.print(to: log) }, demand: .max(2), react: { value, _ in value == 1 ? .max(3) : .none })
    upstream.send(1)
    upstream.send(2)
    recorder.request(.unlimited)
    upstream.send(completion: .finished)
    #expect(
      log.lines == [
        "receive subscription: (Rogue)",
        "request max: (2)",
        "receive value: (1)",
        "request max: (3) (synchronous)",
        "receive value: (2)",
        "request unlimited",
        "receive finished",
      ])
    #expect(upstream.calls == [.request(.max(2)), .request(.unlimited)])
  }

  @Test func `a failure and a cancel are lines, with the prefix in front`() {
    let log = Log()
    let failing = attach({ $0.print("p", to: log) }, demand: .unlimited).0
    failing.send(completion: .failure(Oops(number: 4)))
    attach({ $0.print("q", to: log) }, demand: .none).1.cancel()
    #expect(
      log.lines == [
        "p: receive subscription: (Rogue)", "p: request unlimited", "p: receive error: (Oops(number: 4))",
        "q: receive subscription: (Rogue)", "q: request max: (0)", "q: receive cancel",
      ])
  }

  @Test func `nothing is written after the end`() {
    let log = Log()
    let (upstream, recorder) = attach { $0.print(to: log) }
    upstream.send(completion: .finished)
    let before = log.lines
    recorder.request(.max(1))
    recorder.cancel()
    upstream.send(1)
    #expect(log.lines == before && upstream.cancels == 0)
  }

  @Test func `a stream that is a value keeps its state from line to line`() {
    let log = Log()
    let upstream = attach { $0.print(to: Numbered(log: log)) }.0
    upstream.send(5)
    #expect(log.lines == ["1 receive subscription: (Rogue)", "2 request unlimited", "3 receive value: (5)"])
  }

  @Test func `a line that comes while one is written follows it`() {
    final class Requesting: TextOutputStream {
      var text = ""
      var act: () -> Void = {}
      func write(_ string: String) {
        text += string
        if string.hasPrefix("receive value") { act() }
      }
    }
    let stream = Requesting()
    let (upstream, recorder) = attach({ $0.print(to: stream) }, demand: .none)
    stream.act = { recorder.request(.max(7)) }
    upstream.send(1)
    #expect(stream.text.hasSuffix("receive value: (1)\nrequest max: (7)\n"))
  }

  @Test func `lines of several threads are written one at a time`() async {
    final class Counting: TextOutputStream {
      var lines = 0
      func write(_ string: String) { if string == "\n" { lines += 1 } }
    }
    let stream = Counting()
    nonisolated(unsafe) let recorder = attach({ $0.print(to: stream) }, demand: .none).1
    await withTaskGroup { group in
      for _ in 0..<4 {
        group.addTask { for _ in 0..<1000 { recorder.request(.none) } }
      }
    }
    #expect(stream.lines == 4002)
  }

  @Test func `a misbehaving upstream breaks no law`() {
    #expect(breaches("Print") { $0.print(to: Log()) } == [])
  }
}

@Suite struct HandleEventsTests {
  /// Attaches `handleEvents` with all closures, which write into a list.
  private func watched(
    _ demand: Subscribers.Demand = .unlimited, returning more: Subscribers.Demand = .none
  ) -> (events: () -> [String], upstream: RogueUpstream<Int, Oops>, recorder: Recorder<Int, Oops>) {
    var events: [String] = []
    let upstream = RogueUpstream<Int, Oops>(onCancel: { events.append("upstream cancelled") })
    let recorder = Recorder<Int, Oops>(demand) { value, _ in
      events.append("downstream \(value)")
      return more
    }
    upstream.handleEvents(
      receiveSubscription: { events.append("subscription \($0)") },
      receiveOutput: { events.append("output \($0)") },
      receiveCompletion: { events.append("completion \($0)") },
      receiveCancel: { events.append("cancel") },
      receiveRequest: { events.append("request \($0)") }
    ).subscribe(recorder)
    return ({ events }, upstream, recorder)
  }

  @Test func `each closure is called before its signal passes`() {
    let (events, upstream, recorder) = watched(.max(1), returning: .max(2))
    upstream.send(1)
    recorder.cancel()
    #expect(
      events() == [
        "subscription Rogue", "request max(1)", "output 1", "downstream 1", "request max(2)", "cancel",
        "upstream cancelled",
      ])
    #expect(upstream.calls == [.request(.max(1)), .cancel])
  }

  @Test func `returned demand of none is no request`() {
    let (events, upstream, _) = watched()
    upstream.send(1)
    #expect(events() == ["subscription Rogue", "request unlimited", "output 1", "downstream 1"])
  }

  @Test func `a chain that has completed reports no cancel`() {
    var cancels = 0
    var completions = 0
    var token: AnyCancellable? = Just(1).handleEvents(
      receiveCompletion: { _ in completions += 1 }, receiveCancel: { cancels += 1 }
    ).sink { _ in }
    token?.cancel()
    token = nil
    #expect(completions == 1 && cancels == 0)
  }

  @Test func `after a cancel no completion and no request is reported`() {
    let (events, upstream, recorder) = watched()
    recorder.cancel()
    let before = events()
    recorder.cancel()
    recorder.request(.max(1))
    upstream.send(1)
    upstream.send(completion: .finished)
    #expect(events() == before)
  }

  @Test func `a cancel inside a closure stops the signal`() {
    let upstream = RogueUpstream<Int, Oops>()
    let recorder = Recorder<Int, Oops>()
    upstream.handleEvents(receiveOutput: { if $0 == 2 { recorder.cancel() } }).subscribe(recorder)
    upstream.send(1)
    upstream.send(2)
    #expect(recorder.values == [1] && upstream.cancels == 1)
    let (ending, ended) = (RogueUpstream<Int, Oops>(), Recorder<Int, Oops>())
    ending.handleEvents(receiveCompletion: { _ in ended.cancel() }).subscribe(ended)
    ending.send(completion: .finished)
    #expect(ended.completions.isEmpty && ending.cancels == 0)
  }

  @Test(arguments: [true, false]) func `the closures are released at the end, though downstream keeps its subscription`(
    _ isCancelled: Bool
  ) {
    final class Owned {}
    weak var owned: Owned?
    let subject = PassthroughSubject<Int, Never>()
    let recorder = Recorder<Int, Never>()
    do {
      let object = Owned()
      owned = object
      subject.handleEvents(
        receiveSubscription: { _ in _ = object }, receiveOutput: { _ in _ = object },
        receiveCompletion: { _ in _ = object }, receiveCancel: { _ = object }, receiveRequest: { _ in _ = object }
      ).subscribe(recorder)
    }
    #expect(owned != nil)
    if isCancelled { recorder.cancel() } else { subject.send(completion: .finished) }
    #expect(owned == nil && recorder.subscription != nil)
  }

  @Test func `closures can be changed before subscribing`() {
    var values: [Int] = []
    var events = [1, 2].publisher.handleEvents()
    events.receiveOutput = { values.append($0) }
    events.sink { _ in }.cancel()
    #expect(values == [1, 2])
  }

  @Test func `values pass unchanged`() {
    #expect(
      differences {
        $0
      } _: {
        $0.handleEvents(receiveOutput: { _ in })
      } == [])
    #expect(breaches("HandleEvents") { $0.handleEvents() } == [])
  }
}

@Suite struct BreakpointTests {
  @Test func `a closure that returns true raises SIGTRAP`() async {
    await #expect(processExitsWith: .signal(SIGTRAP)) {
      _ = [1, 2].publisher.breakpoint(receiveOutput: { $0 == 2 }).sink { _ in }
    }
    await #expect(processExitsWith: .signal(SIGTRAP)) {
      _ = [1, 2].publisher.breakpoint(receiveSubscription: { _ in true }).sink { _ in }
    }
    await #expect(processExitsWith: .signal(SIGTRAP)) {
      _ = [1, 2].publisher.breakpoint(receiveCompletion: { _ in true }).sink { _ in }
    }
  }

  @Test func `breakpointOnError stops at a failure only`() async {
    await #expect(processExitsWith: .signal(SIGTRAP)) {
      _ = Fail<Int, Oops>(error: Oops()).breakpointOnError().sink(receiveCompletion: { _ in }, receiveValue: { _ in })
    }
    #expect(
      differences {
        $0
      } _: {
        $0.breakpointOnError()
      } == [])
  }

  @Test func `values pass when no closure wants to stop`() {
    #expect(
      differences {
        $0
      } _: {
        $0.breakpoint()
      } == [])
    #expect(breaches("Breakpoint", subscription: "Rogue") { $0.breakpoint(receiveOutput: { _ in false }) } == [])
  }
}
