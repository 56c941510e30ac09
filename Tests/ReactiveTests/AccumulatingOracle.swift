import Reactive
import ReactiveTesting
import Testing

/// What an aggregating operator has to do whatever it computes.
///
/// The helpers return values; tests assert.
enum AccumulatingOracle {
  /// How an upstream ends.
  enum End: Equatable {
    case finished, failed
  }

  struct Failed: Error, Equatable {
    var code = 0
  }

  /// What came out, in a form that can be compared.
  struct Outcome<Value: Equatable>: Equatable {
    var values: [Value] = []
    var end: End?
    var error: String?
  }

  /// Two hundred short arrays of small numbers, so that equal ones are frequent; the empty one is among them.
  static let inputs: [[Int]] = (0..<200 as Range<UInt64>).map { seed in
    var generator = SeededGenerator(seed: seed)
    return (0..<Int(seed % 12)).map { _ in Int.random(in: -5...5, using: &generator) }
  }

  /// Hides what a publisher is, so that the general operators serve it.
  struct Plain<Upstream: Publisher>: Publisher {
    typealias Output = Upstream.Output
    typealias Failure = Upstream.Failure
    let upstream: Upstream

    init(_ upstream: Upstream) {
      self.upstream = upstream
    }

    func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
      upstream.receive(subscriber: subscriber)
    }
  }

  /// Runs a publisher to its end, asking for one to three values at a time, sometimes for none.
  static func outcome<P: Publisher>(of publisher: P, seed: UInt64 = 0) -> Outcome<P.Output> where P.Output: Equatable {
    var generator = SeededGenerator(seed: seed)
    let recorder = Recorder<P.Output, P.Failure>(.none) { _, _ in
      .max(Int.random(in: 0...1, using: &generator))
    }
    publisher.subscribe(recorder)
    for _ in 0..<40 where recorder.completions.isEmpty {
      recorder.request(.max(Int.random(in: 0...3, using: &generator)))
    }
    return Outcome(values: recorder.values, end: recorder.end, error: recorder.error)
  }

  /// The inputs for which an operator gives something else than expected, or does not finish.
  static func differences<P: Publisher>(
    _ make: (Plain<Publishers.Sequence<[Int], Never>>) -> P, _ expected: ([Int]) -> [P.Output]
  ) -> [[Int]] where P.Output: Equatable {
    inputs.indices.filter { index in
      let input = inputs[index]
      return outcome(of: make(Plain(input.publisher)), seed: UInt64(index))
        != Outcome(values: expected(input), end: .finished)
    }.map { inputs[$0] }
  }
}

extension Recorder {
  var end: AccumulatingOracle.End? {
    guard completions.count == 1 else { return nil }
    return isFinished ? .finished : .failed
  }

  var error: String? {
    guard case .failure(let error)? = completions.first else { return nil }
    return String(describing: error)
  }
}

/// An upstream under the test's control, which goes on whatever it is told, and writes down what that was.
final class Faucet<Output, Failure: Error>: Publisher {
  final class Handle: Subscription {
    var requests: [Subscribers.Demand] = []
    var cancels = 0
    var onCancel: () -> Void = {}

    func request(_ demand: Subscribers.Demand) { requests.append(demand) }

    func cancel() {
      cancels += 1
      onCancel()
    }
  }

  let handle = Handle()
  private var subscriber: AnySubscriber<Output, Failure>?

  func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
    self.subscriber = AnySubscriber(subscriber)
    subscriber.receive(subscription: handle)
  }

  @discardableResult
  func send(_ value: Output) -> Subscribers.Demand { subscriber?.receive(value) ?? .none }
  func send(completion: Subscribers.Completion<Failure>) { subscriber?.receive(completion: completion) }
  func send(subscription: any Subscription) { subscriber?.receive(subscription: subscription) }

  /// Lets go of the subscriber, as an upstream does that obeys a cancel.
  func close() { subscriber = nil }
}
