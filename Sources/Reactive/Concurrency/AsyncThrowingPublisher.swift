extension Publisher {
  /// The values as an asynchronous sequence, which throws when the publisher fails.
  ///
  /// Each iterator subscribes when it is made, and requests one value for each `next()`. Nothing is stored between the
  /// calls: what a subject sends while nobody waits is lost. The loop ends with the publisher; when the task is
  /// cancelled or the last copy of the iterator goes, the subscription is cancelled.
  @inlinable
  public var values: AsyncThrowingPublisher<Self> {
    AsyncThrowingPublisher(self)
  }
}

/// The values of a publisher, as an asynchronous sequence that throws its failure; see `Publisher.values`.
public struct AsyncThrowingPublisher<P: Publisher>: AsyncSequence {
  /// What the publisher publishes.
  public typealias Element = P.Output

  @usableFromInline let publisher: P

  /// Makes a sequence of the values of a publisher.
  ///
  /// - Parameter publisher: Each iterator subscribes to it.
  @inlinable
  public init(_ publisher: P) {
    self.publisher = publisher
  }

  /// One subscription to the publisher, which all copies of the iterator share.
  public struct Iterator: AsyncIteratorProtocol {
    @usableFromInline let subscription: AsyncSubscription<P.Output, P.Failure>

    @inlinable
    init(_ publisher: P) {
      subscription = AsyncSubscription(publisher)
    }

    /// Requests a value and waits for it.
    ///
    /// Calls that wait at the same time, through copies of the iterator, are answered in the order they came. When the
    /// task is cancelled, the subscription is, and every call that waits ends with nil; nothing is thrown then.
    ///
    /// - Returns: The value, or nil after the end and after a cancel.
    /// - Throws: The failure of the publisher, once.
    @inlinable
    public mutating func next() async throws -> P.Output? {
      try await next(isolation: nil)
    }

    /// Requests a value and waits for it, without leaving the actor.
    ///
    /// - Parameter actor: The actor of the caller.
    /// - Returns: The value, or nil after the end and after a cancel.
    /// - Throws: The failure of the publisher, once.
    @inlinable
    public mutating func next(isolation actor: isolated (any Actor)?) async throws -> P.Output? {
      try await subscription.delivery.next(isolation: actor)
    }
  }

  /// Subscribes to the publisher, and requests nothing yet.
  @inlinable
  public func makeAsyncIterator() -> Iterator {
    Iterator(publisher)
  }
}

extension AsyncThrowingPublisher: Sendable where P: Sendable {}
extension AsyncThrowingPublisher.Iterator: Sendable where P.Output: Sendable {}
