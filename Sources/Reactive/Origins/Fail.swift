/// Publishes no value and fails at once.
///
/// The failure needs no demand. A subscriber that cancels when it gets the subscription gets no failure.
public struct Fail<Output, Failure: Error>: Publisher, Sendable {
  /// The error.
  public let error: Failure

  /// Makes a publisher that fails.
  ///
  /// - Parameter error: The error.
  @inlinable
  public init(error: Failure) {
    self.error = error
  }

  /// Makes a publisher that fails, naming what it would publish.
  ///
  /// - Parameters:
  ///   - outputType: What would be published.
  ///   - failure: The error.
  @inlinable
  public init(outputType: Output.Type, failure: Failure) {
    error = failure
  }

  /// Attaches a subscriber, which gets a subscription and the failure.
  @inlinable @inline(__always)
  public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
    deliverCompletion(.failure(error), to: subscriber)
  }
}

extension Fail: Equatable where Failure: Equatable {}
