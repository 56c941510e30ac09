#if canImport(ObjectiveC)
  public import Foundation
  public import Reactive

  extension _KeyValueCodingAndObserving where Self: NSObject {
    /// Publishes the values of a property that supports key-value observing.
    ///
    /// - Parameters:
    ///   - keyPath: The property.
    ///   - options: `.initial` for the present value first, `.prior` for the old value before each change.
    public func publisher<Value>(
      for keyPath: KeyPath<Self, Value>, options: NSKeyValueObservingOptions = [.initial, .new]
    ) -> NSObject.KeyValueObservingPublisher<Self, Value> {
      NSObject.KeyValueObservingPublisher(object: self, keyPath: keyPath, options: options)
    }
  }

  extension NSObject {
    /// Publishes the values of a property; see `publisher(for:options:)`.
    ///
    /// It observes the object from the subscription to the cancel, and keeps it alive so long; there is no completion.
    /// A value comes on the thread that changes the property, before the change returns. With `.initial`, a subscriber
    /// gets the value of that time at its first request, and one that asks for no more skips to the newest value;
    /// without, it misses what comes while it has no demand.
    public struct KeyValueObservingPublisher<Subject: NSObject, Value>: Reactive.Publisher, Equatable {
      /// The value of the property.
      public typealias Output = Value
      /// A property cannot fail.
      public typealias Failure = Never

      /// The object that is observed.
      public let object: Subject
      /// The property.
      public let keyPath: KeyPath<Subject, Value>
      /// When values come.
      public let options: NSKeyValueObservingOptions

      /// Makes the publisher; see `publisher(for:options:)`.
      public init(object: Subject, keyPath: KeyPath<Subject, Value>, options: NSKeyValueObservingOptions) {
        self.object = object
        self.keyPath = keyPath
        self.options = options
      }

      /// Observes the property, and attaches a subscriber.
      public func receive<S: Subscriber>(subscriber: S) where S.Input == Value, S.Failure == Never {
        // The observer is called at once with `.initial`: nothing is lost between this value and the first change.
        let hub = options.contains(.initial) ? Hub<Value, Never>(latest: object[keyPath: keyPath]) : Hub()
        nonisolated(unsafe) let keyPath = keyPath
        let token = object.observe(keyPath, options: options) { object, _ in hub.send(object[keyPath: keyPath]) }
        let observation = Observation(name: "KVOSubscription") {
          withExtendedLifetime(object) { token.invalidate() }
        }
        hub.attach(ObservingSubscriber(observation, subscriber), owner: observation, name: observation.description)
      }

      /// Publishes that the property has changed, without its value.
      public func didChange() -> Publishers.Map<Self, Void> {
        map { _ in }
      }

      /// Whether both publish the values of the same property of the same object, at the same times.
      public static func == (lhs: Self, rhs: Self) -> Bool {
        lhs.object === rhs.object && lhs.keyPath == rhs.keyPath && lhs.options == rhs.options
      }
    }
  }
#endif
