extension Publisher where Failure == Never {
  /// Assigns each value to a `@Published` property.
  ///
  /// Requests everything at once. The property is not kept alive: when it goes, usually with the object it belongs to,
  /// the subscription is cancelled. A completion leaves the property as it is. Several publishers can be assigned to
  /// one property; none replaces another.
  ///
  /// - Parameter published: The property, as in `assign(to: &$name)`.
  public func assign(to published: inout Published<Output>.Publisher) {
    receive(subscriber: PropertyFeed(published.hub))
  }
}

/// Publishes a property of a class: `$name` is a publisher of its values.
///
/// A subscriber gets the value that the property has, at its first request, and then each new one; without demand it
/// gets the latest one later. Every assignment is published, also of an equal value. The publisher never completes.
///
/// A change is published before it happens: first the `objectWillChange` of the object is sent, then the subscribers
/// get the new value, and then the property changes. So inside a subscriber the property still has the old value.
/// Assignments from several threads, and from inside a subscriber, are put in one order: one that finds another at work
/// leaves its value to that one and returns, and until its turn has come the property keeps the value it has. In the
/// end the property has the value that was published last; in Combine an assignment inside a subscriber is overwritten
/// by the outer one. Reading and assigning are safe from any thread as far as the values are.
@propertyWrapper
public struct Published<Value> {
  @usableFromInline let hub: Hub<Value, Never>

  /// Makes a property with its first value, as `@Published var name = value` does.
  ///
  /// - Parameter wrappedValue: The value until something is assigned.
  @inlinable
  public init(wrappedValue: Value) {
    hub = Hub(property: wrappedValue)
  }

  /// Makes a property with its first value, as in `_name = Published(initialValue: value)`.
  ///
  /// - Parameter initialValue: The value until something is assigned.
  @inlinable
  public init(initialValue: Value) {
    self.init(wrappedValue: initialValue)
  }

  /// A publisher of the values of one property.
  ///
  /// It keeps the value alive, not the object whose property it is.
  public struct Publisher: Reactive.Publisher {
    /// What the property holds.
    public typealias Output = Value
    /// A property cannot fail.
    public typealias Failure = Never

    @usableFromInline let hub: Hub<Value, Never>

    @inlinable
    init(hub: Hub<Value, Never>) {
      self.hub = hub
    }

    /// Attaches a subscriber, which gets the value of the property at its first request.
    @inlinable @inline(__always)
    public func receive<S: Subscriber>(subscriber: S) where S.Input == Value, S.Failure == Never {
      hub.attach(subscriber, owner: hub, name: "PublishedSubject")
    }
  }

  /// The publisher of the property; setting it does nothing, and is there for `assign(to: &$name)`.
  @inlinable
  public var projectedValue: Publisher {
    get { Publisher(hub: hub) }
    // Not mutating, so that nothing has exclusive access to the property while a publisher is assigned to it.
    nonmutating set {}
  }

  /// Not for use: a property of a class is read and set through the object.
  @available(*, unavailable, message: "@Published is only available on properties of classes")
  public var wrappedValue: Value {
    get { hub.stored }
    nonmutating set { hub.assign(newValue) }
  }

  /// Reads and sets the property of an object; the compiler calls this for `object.name`.
  ///
  /// - Parameters:
  ///   - object: The object.
  ///   - wrappedKeyPath: The property.
  ///   - storageKeyPath: The storage of the property.
  @inlinable @inline(__always)
  public static subscript<EnclosingSelf: AnyObject>(
    _enclosingInstance object: EnclosingSelf,
    wrapped wrappedKeyPath: ReferenceWritableKeyPath<EnclosingSelf, Value>,
    storage storageKeyPath: ReferenceWritableKeyPath<EnclosingSelf, Published<Value>>
  ) -> Value {
    get { object[keyPath: storageKeyPath].hub.stored }
    set { object[keyPath: storageKeyPath].hub.assign(newValue) }
  }
}

extension Published: Sendable where Value: Sendable {}
extension Published.Publisher: Sendable where Value: Sendable {}

/// A property that can announce its changes, whatever its type.
protocol AnnouncingProperty {
  func announceChanges(through publisher: ObservableObjectPublisher)
}

extension Published: AnnouncingProperty {
  func announceChanges(through publisher: ObservableObjectPublisher) {
    hub.announceChanges(through: publisher)
  }
}

/// The subscriber behind `assign(to:)` with a property, to which it refers weakly.
final class PropertyFeed<Input>: Subscriber, CustomStringConvertible {
  private weak var hub: Hub<Input, Never>?
  private let slot = SubscriptionSlot(name: nil)

  init(_ hub: Hub<Input, Never>) {
    self.hub = hub
  }

  func receive(subscription: any Subscription) {
    guard slot.take(subscription) else { return }
    if let hub {
      hub.feed(from: slot)
    } else {
      slot.cancel()
    }
  }

  func receive(_ input: Input) -> Subscribers.Demand {
    if slot.isOpen { hub?.assign(input) }
    return .none
  }

  func receive(completion: Subscribers.Completion<Never>) {
    if slot.end() != nil { hub?.forget(slot) }
  }

  var description: String { "PublishedSubscriber" }
}
