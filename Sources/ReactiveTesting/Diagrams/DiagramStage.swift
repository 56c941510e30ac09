public import Reactive

/// What a diagram hands to the operator under test: its sources, its inner publishers and its time.
///
/// It is itself the publisher of the lane `source`. The publishers are hot: a lane goes on whether somebody listens or
/// not, and its `|` or `#` ends the subscriptions of that moment only.
public final class DiagramStage<Value>: Publisher {
  /// What the sources publish.
  public typealias Output = Value
  /// How the sources fail.
  public typealias Failure = TestFailure

  /// The time of the diagram: a tick is a second.
  public let scheduler = TestScheduler()

  private(set) var publishers: [Diagram.Lane: TestPublisher<Value, TestFailure>] = [:]
  private(set) var missing: [Diagram.Lane] = []
  /// What the publishers were asked for.
  private(set) var upstreams: [Diagram.Lane: Diagram.Ticks] = [:]

  init(_ diagram: Diagram) {
    for lane in diagram.lanes.map(\.lane) where lane.isPublisher {
      let publisher = TestPublisher<Value, TestFailure>()
      publishers[lane] = publisher
      guard let upstream = lane.upstream else { continue }
      publisher.onCall = { [unowned self] kind in
        switch kind {
        case .request(let demand), .returned(let demand):
          upstreams[upstream, default: []].add(.demand(demand), at: tick)
        case .cancel: upstreams[upstream, default: []].add(.cancel, at: tick)
        default: break
        }
      }
    }
  }

  /// The tick that is being played.
  var tick: Int { scheduler.now.elapsed.magnitude / 1_000_000_000 }

  func schedule(_ ticks: Diagram.Ticks, _ play: @escaping (Diagram.Mark) -> Void) {
    for (tick, marks) in ticks.enumerated() where !marks.isEmpty {
      scheduler.schedule(after: .init(.seconds(tick))) {
        for mark in marks { play(mark) }
      }
    }
  }

  /// Attaches a subscriber to the lane `source`.
  public func receive<S: Subscriber>(subscriber: S) where S.Input == Value, S.Failure == TestFailure {
    source(1).receive(subscriber: subscriber)
  }

  /// The publisher of the lane `source2`, `source3`, and so on.
  ///
  /// - Parameter number: Which one; 1 is the lane `source`.
  public func source(_ number: Int) -> TestPublisher<Value, TestFailure> {
    publisher(of: .source(number))
  }

  /// The publisher of a lane such as `inner a`.
  ///
  /// - Parameter letter: The letter of the lane.
  public func inner(_ letter: Character) -> TestPublisher<Value, TestFailure> {
    publisher(of: .inner(letter))
  }

  /// The publisher of a lane such as `inner a`, for a value of that name.
  ///
  /// - Parameter name: The letter of the lane; only the first character counts.
  public func inner(_ name: String) -> TestPublisher<Value, TestFailure> {
    inner(name.first ?? " ")
  }

  /// The publisher of a lane such as `every 3`.
  ///
  /// - Parameter period: The number of the lane: after so many ticks it begins anew.
  public func every(_ period: Int) -> TestPublisher<Value, TestFailure> {
    publisher(of: .every(period))
  }

  private func publisher(of lane: Diagram.Lane) -> TestPublisher<Value, TestFailure> {
    if let publisher = publishers[lane] { return publisher }
    missing.append(lane)
    return TestPublisher()
  }
}
