/// A subscriber whose type is hidden behind closures.
///
/// It forwards everything and checks nothing. Signals to it are as serial as its publisher makes them.
@frozen
public struct AnySubscriber<Input, Failure: Error>: Subscriber, CustomStringConvertible, CustomReflectable,
  CustomPlaygroundDisplayConvertible
{
  @usableFromInline
  let box: AnySubscriberBox<Input, Failure>

  /// Hides a subscriber.
  ///
  /// - Parameter s: The subscriber; its identity and description stay.
  @inlinable @inline(__always)
  public init<S: Subscriber>(_ s: S) where S.Input == Input, S.Failure == Failure {
    if let same = s as? Self {
      self = same
    } else {
      box = AnySubscriberBox(
        identity: s,
        receiveSubscription: { s.receive(subscription: $0) },
        receiveValue: { s.receive($0) },
        receiveCompletion: { s.receive(completion: $0) })
    }
  }

  /// Makes a subscriber that sends what it receives to a subject.
  ///
  /// - Parameter s: The subject, which also decides about demand; it is not kept alive.
  @inlinable
  public init<S: Subject>(_ s: S) where S.Output == Input, S.Failure == Failure {
    self.init(SubjectSubscriber(s))
  }

  /// Makes a subscriber out of closures; it requests nothing by itself.
  ///
  /// - Parameters:
  ///   - receiveSubscription: Takes the subscription, to request from it.
  ///   - receiveValue: Takes a value and returns further demand; without it, none.
  ///   - receiveCompletion: Learns of the end.
  @inlinable
  public init(
    receiveSubscription: ((any Subscription) -> Void)? = nil,
    receiveValue: ((Input) -> Subscribers.Demand)? = nil,
    receiveCompletion: ((Subscribers.Completion<Failure>) -> Void)? = nil
  ) {
    box = AnySubscriberBox(
      identity: AnonymousIdentity(),
      receiveSubscription: receiveSubscription ?? { _ in },
      receiveValue: receiveValue ?? { _ in .none },
      receiveCompletion: receiveCompletion ?? { _ in })
  }

  /// The identity of the hidden subscriber.
  public var combineIdentifier: CombineIdentifier { box.identity.combineIdentifier }

  /// Forwards the subscription.
  @inlinable
  public func receive(subscription: any Subscription) {
    box.receiveSubscription(subscription)
  }

  /// Forwards a value.
  ///
  /// - Returns: The hidden subscriber's further demand.
  @inlinable @inline(__always)
  public func receive(_ value: Input) -> Subscribers.Demand {
    box.receiveValue(value)
  }

  /// Forwards the completion.
  @inlinable
  public func receive(completion: Subscribers.Completion<Failure>) {
    box.receiveCompletion(completion)
  }

  /// The description of the hidden subscriber.
  public var description: String { String(describing: box.identity) }
  /// The mirror of the hidden subscriber.
  public var customMirror: Mirror { Mirror(reflecting: box.identity) }
  /// The description of the hidden subscriber.
  public var playgroundDescription: Any { description }
}

/// The closures of a hidden subscriber: constants of a final class, the fastest there are to call.
@usableFromInline
final class AnySubscriberBox<Input, Failure: Error> {
  let identity: any CustomCombineIdentifierConvertible
  @usableFromInline let receiveSubscription: (any Subscription) -> Void
  @usableFromInline let receiveValue: (Input) -> Subscribers.Demand
  @usableFromInline let receiveCompletion: (Subscribers.Completion<Failure>) -> Void

  @usableFromInline
  init(
    identity: any CustomCombineIdentifierConvertible,
    receiveSubscription: @escaping (any Subscription) -> Void,
    receiveValue: @escaping (Input) -> Subscribers.Demand,
    receiveCompletion: @escaping (Subscribers.Completion<Failure>) -> Void
  ) {
    self.identity = identity
    self.receiveSubscription = receiveSubscription
    self.receiveValue = receiveValue
    self.receiveCompletion = receiveCompletion
  }
}

/// What stands for a subscriber made of closures.
@usableFromInline
struct AnonymousIdentity: CustomCombineIdentifierConvertible, CustomStringConvertible {
  @usableFromInline let combineIdentifier = CombineIdentifier()

  @usableFromInline
  init() {}

  @usableFromInline
  var description: String { "Anonymous AnySubscriber" }
}
