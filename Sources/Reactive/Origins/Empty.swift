/// Publishes no value, and finishes at once or never.
///
/// The completion needs no demand. A subscriber that cancels when it gets the subscription gets no completion.
public struct Empty<Output, Failure: Error>: Publisher, Equatable, Sendable {
  /// Whether the stream finishes as soon as somebody subscribes; otherwise it never does.
  public let completeImmediately: Bool

  /// Makes a publisher without values.
  ///
  /// - Parameter completeImmediately: Whether to finish at once, or never.
  @inlinable
  public init(completeImmediately: Bool = true) {
    self.completeImmediately = completeImmediately
  }

  /// Makes a publisher without values, naming its types.
  ///
  /// - Parameters:
  ///   - completeImmediately: Whether to finish at once, or never.
  ///   - outputType: What would be published.
  ///   - failureType: How the stream could fail.
  @inlinable
  public init(completeImmediately: Bool = true, outputType: Output.Type, failureType: Failure.Type) {
    self.completeImmediately = completeImmediately
  }

  /// Attaches a subscriber, which gets a subscription and perhaps the completion.
  @inlinable @inline(__always)
  public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
    if completeImmediately {
      deliverCompletion(.finished, to: subscriber)
    } else {
      subscriber.receive(subscription: Subscriptions.empty)
    }
  }
}
