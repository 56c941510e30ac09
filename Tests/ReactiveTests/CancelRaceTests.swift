import Reactive
import ReactiveTesting
import Testing

/// Two threads cancel the same thing.
///
/// The one that comes second has nothing to do, but must not return before the first one's cancel has taken effect: what
/// it sends afterwards must not arrive.
@Suite struct CancelRaceTests {
  final class Scene: @unchecked Sendable {
    // Sendable: only the second thread sends, and only it is delivered to.
    var values: [Int] = []
    private let subject: any Subject<Int, Never>
    private var cancellable: any Cancellable = AnyCancellable {}

    init<S: Subject<Int, Never>>(_ subject: S, _ subscribe: (S, Scene) -> any Cancellable) {
      self.subject = subject
      cancellable = subscribe(subject, self)
    }

    func cancel() {
      cancellable.cancel()
    }

    func cancelAndSend() {
      cancellable.cancel()
      subject.send(1)
    }
  }

  func race<S: Subject<Int, Never>>(
    over make: @escaping () -> S, _ subscribe: @escaping (S, Scene) -> any Cancellable
  ) -> Race<Scene> {
    Race(
      .c14, make: { Scene(make(), subscribe) }, first: { $0.cancel() }, second: { $0.cancelAndSend() },
      isRight: { $0.values.isEmpty })
  }

  /// Subscribes so that the subscription itself is what is cancelled.
  static func subscribe<P: Publisher<Int, Never>>(_ publisher: P, _ scene: Scene) -> any Cancellable {
    let probe = TestSubscriber<Int, Never>(initialDemand: .unlimited) { [unowned scene] signal in
      if case .value(let value) = signal { scene.values.append(value) }
      return .proceed
    }
    publisher.subscribe(probe)
    return probe
  }

  static func sink(_ publisher: some Publisher<Int, Never>, _ scene: Scene) -> any Cancellable {
    publisher.sink { [unowned scene] in scene.values.append($0) }
  }

  /// One twin for all: it shows that a value after a cancel would be noticed.
  var twin: Race<Scene> { race(over: { CarelessSubject() }, Self.subscribe) }

  @Test func `a second cancel of a subject's subscription returns after the first has taken effect`() throws {
    try race(over: { PassthroughSubject() }, Self.subscribe).verify(twin: twin)
  }

  @Test func `a second cancel of a merge returns after the first has taken effect`() throws {
    try race(over: { PassthroughSubject() }) { subject, scene in
      Self.subscribe(subject.merge(with: Empty(completeImmediately: false)), scene)
    }.verify(twin: twin)
  }

  @Test func `a second cancel of a sink's token returns after the first has taken effect`() throws {
    try race(over: { PassthroughSubject() }, Self.sink).verify(twin: twin)
  }

  @Test func `a second cancel of an assignment's token returns after the first has taken effect`() throws {
    try race(over: { PassthroughSubject() }) { subject, scene in
      subject.map { [$0] }.assign(to: \.values, on: scene)
    }.verify(twin: twin)
  }
}
