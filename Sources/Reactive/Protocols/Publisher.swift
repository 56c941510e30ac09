/// Declares a stream of values over time, which each subscriber runs for itself or joins.
///
/// A subscriber gets a subscription first, then never more values than it asked for, then at most one completion.
public protocol Publisher<Output, Failure> {
  /// What is published.
  associatedtype Output
  /// How the stream may fail; `Never` when it cannot.
  associatedtype Failure: Error

  /// Attaches a subscriber.
  ///
  /// Implementations send a subscription first, and deliver values only as the subscriber requests them. Users call
  /// `subscribe(_:)`.
  func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure
}

extension Publisher {
  /// Attaches a subscriber.
  ///
  /// Requests nothing by itself: the subscriber does.
  ///
  /// - Parameter subscriber: What receives the subscription, the values and the completion.
  @inlinable
  public func subscribe<S: Subscriber>(_ subscriber: S) where S.Input == Output, S.Failure == Failure {
    receive(subscriber: subscriber)
  }

  /// Feeds a subject with everything this publisher sends, the completion included.
  ///
  /// The subject decides about demand: a current-value subject requests everything at once, a passthrough subject once
  /// a subscriber of its own has requested something.
  ///
  /// - Parameter subject: What the values are sent to. It is not kept alive by this.
  /// - Returns: Detaches the subject from this publisher when cancelled; the subject stays usable.
  @inlinable
  public func subscribe<S: Subject>(_ subject: S) -> AnyCancellable
  where S.Output == Output, S.Failure == Failure {
    let subscriber = SubjectSubscriber(subject)
    receive(subscriber: subscriber)
    return AnyCancellable(slot: subscriber.slot)
  }
}
