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
      deliverElements(of: sequence, then: .finished, endedLabel: "Sequence", to: subscriber)
    }
  }
}

extension Publishers.Sequence: Equatable where Elements: Equatable {}
extension Publishers.Sequence: Sendable where Elements: Sendable {}

/// Delivers the elements of a sequence as they are requested, and the completion with the last one.
@inlinable @inline(__always)
func deliverElements<Elements: Sequence, S: Subscriber>(
  of elements: Elements, then completion: Subscribers.Completion<S.Failure>, endedLabel: String, to subscriber: S
) where S.Input == Elements.Element {
  let cursor = Cursor(elements.makeIterator(), then: completion)
  guard cursor.upcoming != nil else {
    deliverCompletion(completion, to: subscriber)
    return
  }
  subscriber.receive(
    subscription: ColdSubscription(label: elements, endedLabel: endedLabel) { subscription in
      cursor.deliver(to: subscriber, within: subscription)
    })
}

/// An iterator, the element it gave last, and what comes after all elements.
@usableFromInline
final class Cursor<Iterator: IteratorProtocol, Failure: Error> {
  // Only the one running loop touches these.
  @exclusivity(unchecked)
  @usableFromInline
  var iterator: Iterator

  @exclusivity(unchecked)
  @usableFromInline
  var upcoming: Iterator.Element?

  @usableFromInline let completion: Subscribers.Completion<Failure>

  @inlinable
  init(_ iterator: Iterator, then completion: Subscribers.Completion<Failure>) {
    self.iterator = iterator
    self.completion = completion
    upcoming = self.iterator.next()
  }

  /// Delivers elements until the demand or the elements end, or somebody cancels.
  @inlinable @inline(__always)
  func deliver<S: Subscriber>(to subscriber: S, within subscription: ColdSubscription)
  where S.Input == Iterator.Element, S.Failure == Failure {
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
        if subscription.end() { subscriber.receive(completion: completion) }
        return
      }
    }
  }
}
