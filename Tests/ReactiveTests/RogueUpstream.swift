import Reactive

/// A publisher driven by hand: it keeps no rule unless the test does, and writes down what it is asked.
///
/// It goes on sending after a cancel, sends without demand, and can hand out another subscription.
final class RogueUpstream<Output, Failure: Error>: Publisher {
  /// What downstream asked for, in order.
  enum Call: Equatable {
    case request(Subscribers.Demand)
    case cancel
  }

  private final class Link: Subscription, CustomStringConvertible {
    private let call: (Call) -> Void

    init(_ call: @escaping (Call) -> Void) {
      self.call = call
    }

    func request(_ demand: Subscribers.Demand) { call(.request(demand)) }
    func cancel() { call(.cancel) }
    var description: String { "Rogue" }
  }

  private(set) var calls: [Call] = []
  private var subscriber: (any Subscriber<Output, Failure>)?
  private let onCancel: () -> Void

  /// Makes an upstream.
  ///
  /// - Parameter onCancel: Called inside each cancel.
  init(onCancel: @escaping () -> Void = {}) {
    self.onCancel = onCancel
  }

  func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
    self.subscriber = subscriber
    subscribeAgain()
  }

  /// How what is attached describes itself.
  var subscriberDescription: String { subscriber.map { "\($0)" } ?? "" }

  /// Hands out a further subscription.
  func subscribeAgain() {
    subscriber?.receive(
      subscription: Link { [weak self] call in
        self?.calls.append(call)
        if call == .cancel { self?.onCancel() }
      })
  }

  /// Sends a value, whatever was asked for.
  @discardableResult
  func send(_ value: Output) -> Subscribers.Demand {
    subscriber?.receive(value) ?? .none
  }

  func send(completion: Subscribers.Completion<Failure>) {
    subscriber?.receive(completion: completion)
  }

  var cancels: Int { calls.count { $0 == .cancel } }
  var requested: [Subscribers.Demand] {
    calls.compactMap { if case .request(let demand) = $0 { demand } else { nil } }
  }
}

/// The error of the tests.
struct Oops: Error, Equatable {
  var number = 0
}
