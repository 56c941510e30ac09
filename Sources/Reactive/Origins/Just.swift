/// Publishes one value, then finishes.
///
/// The value is delivered at the first request; it cannot fail. After a cancel nothing comes.
public struct Just<Output>: Publisher {
  /// A single value never fails.
  public typealias Failure = Never

  /// The value.
  public let output: Output

  /// Makes a publisher of one value.
  ///
  /// - Parameter output: The value.
  @inlinable
  public init(_ output: Output) {
    self.output = output
  }

  /// Attaches a subscriber, which gets the value at its first request.
  @inlinable @inline(__always)
  public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Never {
    deliverOnce(output, label: "Just", to: subscriber)
  }
}

extension Just: Equatable where Output: Equatable {}
extension Just: Sendable where Output: Sendable {}
