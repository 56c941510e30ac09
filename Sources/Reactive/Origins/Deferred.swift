/// Makes a new publisher for each subscriber.
///
/// Demand, completion, failure and cancel are those of the publisher made.
public struct Deferred<DeferredPublisher: Publisher>: Publisher {
  /// What the publisher made publishes.
  public typealias Output = DeferredPublisher.Output
  /// How the publisher made may fail.
  public typealias Failure = DeferredPublisher.Failure

  /// Makes the publisher.
  public let createPublisher: () -> DeferredPublisher

  /// Makes a publisher out of a closure that makes one.
  ///
  /// - Parameter createPublisher: Called once for each subscriber, when it subscribes.
  @inlinable
  public init(createPublisher: @escaping () -> DeferredPublisher) {
    self.createPublisher = createPublisher
  }

  /// Attaches a subscriber to a publisher made for it.
  @inlinable @inline(__always)
  public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
    createPublisher().receive(subscriber: subscriber)
  }
}
