public import Foundation
public import Reactive

extension NotificationCenter {
  /// Publishes the notifications of a name as they are posted.
  ///
  /// - Parameters:
  ///   - name: The name of the notifications.
  ///   - object: The sender; nil for every one. The publisher keeps it alive, and so does a subscription until it is
  ///     cancelled.
  public func publisher(for name: Notification.Name, object: AnyObject? = nil) -> NotificationCenter.Publisher {
    Publisher(center: self, name: name, object: object)
  }

  /// Publishes notifications; see `publisher(for:object:)`.
  ///
  /// A subscriber gets what is posted after it has subscribed, on the thread that posts and before `post` returns. Two
  /// notifications posted at the same moment are delivered one after the other, by whichever thread came first; so is
  /// one that is posted inside a delivery. A subscriber without demand misses the notification. There is no completion,
  /// and a cancel removes the observer from the center.
  public struct Publisher: Reactive.Publisher, Equatable {
    /// What is posted.
    public typealias Output = Notification
    /// A center cannot fail.
    public typealias Failure = Never

    /// Where notifications are posted.
    public let center: NotificationCenter
    /// The name of the notifications.
    public let name: Notification.Name
    /// The sender; nil for every one.
    public let object: AnyObject?

    /// Makes the publisher; see `NotificationCenter.publisher(for:object:)`.
    public init(center: NotificationCenter, name: Notification.Name, object: AnyObject? = nil) {
      self.center = center
      self.name = name
      self.object = object
    }

    /// Adds an observer to the center, and attaches a subscriber to it.
    @inlinable @inline(__always)
    public func receive<S: Subscriber>(subscriber: S) where S.Input == Notification, S.Failure == Never {
      let hub = Hub<Notification, Never>()
      let observation = NotificationObservation(self) { hub.send($0) }
      hub.attach(
        ObservingSubscriber(observation, subscriber), owner: observation, name: NotificationObservation.name)
    }

    /// Whether both publish the notifications of the same name and sender in the same center.
    public static func == (lhs: Publisher, rhs: Publisher) -> Bool {
      lhs.center === rhs.center && lhs.name == rhs.name && lhs.object === rhs.object
    }
  }
}

/// The subscription of one subscriber to a center: a link to the values, and the observer that sends them.
@usableFromInline
package final class NotificationObservation: Subscription, CustomStringConvertible, @unchecked Sendable {
  // Sendable: the slot is, and the registration is touched under the lock only.
  @usableFromInline static var name: String { "NotificationCenter Observer" }
  @usableFromInline let slot = SubscriptionSlot(name: NotificationObservation.name)

  private let lock = Lock()
  private var registration: (center: NotificationCenter, observer: any NSObjectProtocol, object: AnyObject?)?

  @usableFromInline
  package init(_ publisher: NotificationCenter.Publisher, receive: @escaping @Sendable (Notification) -> Void) {
    let observer = publisher.center.addObserver(
      forName: publisher.name, object: publisher.object, queue: nil, using: receive)
    registration = (publisher.center, observer, publisher.object)
  }

  @usableFromInline
  package func request(_ demand: Subscribers.Demand) {
    slot.request(demand)
  }

  @usableFromInline
  package func cancel() {
    slot.cancel()
    let ended = lock.withLock {
      defer { registration = nil }
      return registration
    }
    guard let ended else { return }
    ended.center.removeObserver(ended.observer)
  }

  @usableFromInline
  package var description: String { slot.description }
}

/// Puts the subscription that knows the center in the place of the one that does not.
@usableFromInline
struct ObservingSubscriber<Downstream: Subscriber>: Subscriber where Downstream.Input == Notification {
  @usableFromInline let observation: NotificationObservation
  @usableFromInline let downstream: Downstream

  @inlinable
  init(_ observation: NotificationObservation, _ downstream: Downstream) {
    self.observation = observation
    self.downstream = downstream
  }

  @usableFromInline
  var combineIdentifier: CombineIdentifier { downstream.combineIdentifier }

  @inlinable
  func receive(subscription: any Subscription) {
    guard observation.slot.take(subscription) else { return }
    downstream.receive(subscription: observation)
  }

  @inlinable @inline(__always)
  func receive(_ input: Notification) -> Subscribers.Demand {
    downstream.receive(input)
  }

  @inlinable
  func receive(completion: Subscribers.Completion<Downstream.Failure>) {
    downstream.receive(completion: completion)
  }
}
