extension Publisher {
  /// Hides the type of this publisher.
  ///
  /// ```text
  /// source.eraseToAnyPublisher()
  /// source    -a-b-|
  /// demand    1-1
  /// output    -a-b-|
  /// upstream  1-1
  /// ```
  ///
  /// Changes nothing else: demand, values, completion and cancel pass.
  @inlinable @inline(__always)
  public func eraseToAnyPublisher() -> AnyPublisher<Output, Failure> {
    AnyPublisher(self)
  }
}

/// A publisher whose type is hidden.
///
/// The subscriber's type is hidden too, so a chain of any length costs the same for each link.
@frozen
public struct AnyPublisher<Output, Failure: Error>: Publisher, CustomStringConvertible,
  CustomPlaygroundDisplayConvertible
{
  @usableFromInline
  let box: AnyPublisherBox<Output, Failure>

  /// Hides a publisher.
  ///
  /// - Parameter publisher: The publisher; one that is hidden already is taken as it is.
  @inlinable @inline(__always)
  public init<P: Publisher>(_ publisher: P) where P.Output == Output, P.Failure == Failure {
    if let same = publisher as? Self {
      self = same
    } else {
      box = AnyPublisherBox { publisher.receive(subscriber: $0) }
    }
  }

  /// Attaches a subscriber to the hidden publisher.
  @inlinable @inline(__always)
  public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
    box.receive(AnySubscriber(subscriber))
  }

  /// The name of the type.
  public var description: String { "AnyPublisher" }
  /// The name of the type.
  public var playgroundDescription: Any { description }
}

@usableFromInline
final class AnyPublisherBox<Output, Failure: Error> {
  @usableFromInline let receive: (AnySubscriber<Output, Failure>) -> Void

  @inlinable
  init(_ receive: @escaping (AnySubscriber<Output, Failure>) -> Void) {
    self.receive = receive
  }
}
