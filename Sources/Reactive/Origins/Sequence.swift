extension Sequence {
  /// A publisher of the elements, in their order, for each subscriber from the start.
  ///
  /// Delivers as many as are requested, on the thread of the request, and finishes with the last one.
  @inlinable
  public var publisher: Publishers.Sequence<Self, Never> {
    Publishers.Sequence(sequence: self)
  }
}

/// The namespace of the publishers that operators return.
public enum Publishers {}

extension Publishers {
  /// Publishes the elements of a sequence; see `Sequence.publisher`.
  ///
  /// Each subscriber gets its own iterator, read one element ahead so that the completion follows the last value at
  /// once. A sequence that can be read only once serves the first subscriber.
  public struct Sequence<Elements: Swift.Sequence, Failure: Error>: Publisher {
    /// The element of the sequence.
    public typealias Output = Elements.Element

    /// The elements.
    public let sequence: Elements

    /// Makes a publisher of a sequence's elements.
    ///
    /// - Parameter sequence: The elements.
    @inlinable
    public init(sequence: Elements) {
      self.sequence = sequence
    }

    /// Attaches a subscriber, which gets the elements as it requests them.
    @inlinable @inline(__always)
    public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
      let cursor = Cursor(sequence.makeIterator())
      guard cursor.upcoming != nil else {
        deliverCompletion(.finished, to: subscriber)
        return
      }
      subscriber.receive(
        subscription: ColdSubscription(label: sequence, endedLabel: "Sequence") { subscription in
          cursor.deliver(to: subscriber, within: subscription)
        })
    }
  }
}

extension Publishers.Sequence: Equatable where Elements: Equatable {}
extension Publishers.Sequence: Sendable where Elements: Sendable {}

/// An iterator and the element it gave last.
@usableFromInline
final class Cursor<Iterator: IteratorProtocol> {
  // Only the one running loop touches these.
  @exclusivity(unchecked)
  @usableFromInline
  var iterator: Iterator

  @exclusivity(unchecked)
  @usableFromInline
  var upcoming: Iterator.Element?

  @inlinable
  init(_ iterator: Iterator) {
    self.iterator = iterator
    upcoming = self.iterator.next()
  }

  /// Delivers elements until the demand or the elements end, or somebody cancels.
  @inlinable @inline(__always)
  func deliver<S: Subscriber>(to subscriber: S, within subscription: ColdSubscription)
  where S.Input == Iterator.Element {
    while true {
      var budget = subscription.ledger.takeOrRest()
      if budget == .none { return }
      if budget.isUnlimited {
        while let element = upcoming {
          _ = subscriber.receive(element)
          if subscription.ledger.isClosed { return }
          upcoming = iterator.next()
        }
      } else {
        while budget > .none, let element = upcoming {
          budget -= 1
          budget += subscriber.receive(element)
          if subscription.ledger.isClosed { return }
          upcoming = iterator.next()
        }
      }
      if upcoming == nil {
        if subscription.end() { subscriber.receive(completion: .finished) }
        return
      }
    }
  }
}
