import Reactive
import ReactiveTesting
import Testing

@Suite struct ShareLinearizabilityRaceTests {
  typealias Source = PassthroughSubject<Int, TestFailure>
  typealias Probe = TestSubscriber<Int, TestFailure>

  /// A source, what shares it, and the subscribers.
  final class Scene<Shared: Publisher>: Cancellable, Sendable
  where Shared.Output == Int, Shared.Failure == TestFailure {
    private let source = Source()
    private nonisolated(unsafe) let shared: Shared
    private let first = Probe(initialDemand: .unlimited)
    private let others = Guarded<[String: Probe]>([:])

    init(_ share: (Source) -> Shared) {
      shared = share(source)
      shared.subscribe(first)
    }

    func perform(_ operation: ShareSpecification.Operation, _ call: Call) {
      switch operation {
      case .send: source.send(ShareSpecification.value(of: call))
      case .finish: source.send(completion: .finished)
      case .subscribe:
        let probe = Probe(initialDemand: .unlimited)
        others.update { $0["\(call)"] = probe }
        shared.subscribe(probe)
      case .cancel: first.cancel()
      }
    }

    func cancel() {
      first.cancel()
      for probe in others.value.values { probe.cancel() }
    }

    var observation: ShareSpecification.Observation {
      let probes = others.value.merging(["first": first]) { old, _ in old }
      return ShareSpecification.Observation(
        receipts: probes.mapValues { .init(values: $0.values, hasEnded: $0.completion != nil) })
    }
  }

  /// Shares, but looks at its count in one step and connects or disconnects in another.
  final class CarelessShare: Publisher, Sendable {
    typealias Output = Int
    typealias Failure = TestFailure

    private struct State {
      var subscribers = 0
      var connection: AnyCancellable?
    }

    private let source: Source
    private let subject = Source()
    private let state = Guarded(State())

    init(_ source: Source) {
      self.source = source
    }

    func receive<S: Subscriber>(subscriber: S) where S.Input == Int, S.Failure == TestFailure {
      state.update { $0.subscribers += 1 }
      subject.handleEvents(receiveCancel: { [self] in leave() }).subscribe(subscriber)
      if state.value.connection == nil {
        let subject = subject
        let connection = source.sink(
          receiveCompletion: { subject.send(completion: $0) }, receiveValue: { subject.send($0) })
        state.update { $0.connection = connection }
      }
    }

    private func leave() {
      let isLast = state.update { state in
        state.subscribers -= 1
        return state.subscribers == 0
      }
      guard isLast else { return }
      TestThread.linger()
      let connection = state.update { $0.connection.take() }
      connection?.cancel()
    }
  }

  func check<Shared: Publisher>(
    _ share: @escaping (Source) -> Shared
  ) -> Linearizability<ShareSpecification, Scene<Shared>> where Shared.Output == Int, Shared.Failure == TestFailure {
    Linearizability(
      "share", .c10, specification: ShareSpecification(),
      operations: [.send, .send, .subscribe, .subscribe, .cancel, .finish],
      make: { Scene(share) }, perform: { $0.perform($1, $2) }, observe: \.observation)
  }

  @Test func `every history of share is one of an order`() async throws {
    try await check { $0.share() }.verify(twin: check { CarelessShare($0) })
  }
}
