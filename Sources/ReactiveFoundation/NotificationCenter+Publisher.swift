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
      let observation = observe { hub.send($0) }
      hub.attach(ObservingSubscriber(observation, subscriber), owner: observation, name: observation.description)
    }

    /// Adds an observer to the center.
    @usableFromInline
    package func observe(_ receive: @escaping @Sendable (Notification) -> Void) -> Observation {
      let observer = center.addObserver(forName: name, object: object, queue: nil, using: receive)
      return Observation(name: "NotificationCenter Observer") {
        // The sender stays alive until here.
        withExtendedLifetime(self) { center.removeObserver(observer) }
      }
    }

    /// Whether both publish the notifications of the same name and sender in the same center.
    public static func == (lhs: Publisher, rhs: Publisher) -> Bool {
      lhs.center === rhs.center && lhs.name == rhs.name && lhs.object === rhs.object
    }
  }
}
