extension Publisher where Failure == Never {
  /// Assigns each value to a property of an object.
  ///
  /// Requests everything at once. The object is kept alive until the end, by completion or by cancelling; storing the
  /// token in the object itself therefore keeps both alive.
  ///
  /// - Parameters:
  ///   - keyPath: The property.
  ///   - object: The object.
  /// - Returns: Ends the assignments when cancelled or released.
  public func assign<Root>(to keyPath: ReferenceWritableKeyPath<Root, Output>, on object: Root) -> AnyCancellable {
    let subscriber = Subscribers.Assign(object: object, keyPath: keyPath)
    receive(subscriber: subscriber)
    return AnyCancellable(slot: subscriber.slot) { subscriber.cancel() }
  }
}

extension Subscribers {
  /// Assigns each value to a property of an object; the subscriber behind `assign(to:on:)`.
  ///
  /// Requests everything at once, refuses a second subscription, and lets go of the object at the end and on cancel.
  public final class Assign<Root, Input>: Subscriber, Cancellable, CustomStringConvertible, CustomReflectable,
    CustomPlaygroundDisplayConvertible, @unchecked Sendable
  {
    // Sendable: the object is touched under the lock only; the property is set as the publisher delivers, serially.
    /// Nothing that is assigned can fail.
    public typealias Failure = Never

    private let lock = Lock()
    private var target: Root?
    fileprivate let slot = SubscriptionSlot(name: nil)

    /// The property that is set.
    public let keyPath: ReferenceWritableKeyPath<Root, Input>

    /// Makes a subscriber that sets a property.
    ///
    /// - Parameters:
    ///   - object: The object, kept until the end.
    ///   - keyPath: The property.
    public init(object: Root, keyPath: ReferenceWritableKeyPath<Root, Input>) {
      target = object
      self.keyPath = keyPath
    }

    /// The object; nil after the end.
    public var object: Root? { lock.withLock { target } }

    /// Takes the subscription and requests everything; cancels a second one.
    public func receive(subscription: any Subscription) {
      guard slot.take(subscription) else { return }
      slot.request(.unlimited)
    }

    /// Sets the property.
    ///
    /// - Returns: `.none`: everything was requested already.
    public func receive(_ value: Input) -> Subscribers.Demand {
      if slot.isOpen, let object { object[keyPath: keyPath] = value }
      return .none
    }

    /// Lets go of the object.
    public func receive(completion: Subscribers.Completion<Never>) {
      if slot.end() != nil { letGo() }
    }

    /// Ends the subscription and lets go of the object; an upstream that comes later is cancelled at once.
    public func cancel() {
      slot.cancel()
      letGo()
    }

    private func letGo() {
      let released = lock.withLock { () -> Root? in
        defer { target = nil }
        return target
      }
      withExtendedLifetime(released) {}
    }

    /// The name of the subscriber, with the type of the object.
    public var description: String { "Assign \(Root.self)." }
    /// A mirror of the object and the property.
    public var customMirror: Mirror {
      Mirror(self, children: ["object": object as Any, "keyPath": keyPath, "status": String(describing: slot)])
    }
    /// The name of the subscriber, with the type of the object.
    public var playgroundDescription: Any { description }
  }
}
