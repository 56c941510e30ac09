/// An object that tells before it changes.
///
/// A class that conforms needs nothing else: the `objectWillChange` that it gets is sent before each change of its
/// `@Published` properties, those of its superclasses included. A class that has an `objectWillChange` of its own sends
/// it by itself.
public protocol ObservableObject: AnyObject {
  /// What publishes that the object is about to change.
  associatedtype ObjectWillChangePublisher: Publisher = ObservableObjectPublisher
  where ObjectWillChangePublisher.Failure == Never

  /// Sends before the object changes.
  var objectWillChange: ObjectWillChangePublisher { get }
}

extension ObservableObject where ObjectWillChangePublisher == ObservableObjectPublisher {
  /// Sends before a `@Published` property of the object changes; the same publisher each time.
  ///
  /// The properties are found by reflection at the first use: those of a class that is `CustomReflectable` when its
  /// mirror shows them, and not a wrapper that is put in later by `_name = Published(...)`.
  public var objectWillChange: ObservableObjectPublisher {
    ObservedObjects.shared.publisher(of: self)
  }
}

/// Publishes that an object is about to change.
///
/// It has no memory: a subscriber gets a signal for each `send()` for which it has demand, and misses others. (Combine
/// delivers every signal once a subscriber has requested anything.) It never completes.
public final class ObservableObjectPublisher: Publisher, Sendable {
  /// A signal without a value.
  public typealias Output = Void
  /// A signal cannot fail.
  public typealias Failure = Never

  @usableFromInline let hub = Hub<Void, Never>()
  private let object: ObjectIdentifier?

  /// Makes a publisher, for a class that sends it by itself.
  public init() {
    object = nil
  }

  fileprivate init(of object: ObjectIdentifier) {
    self.object = object
  }

  deinit {
    if let object { ObservedObjects.shared.forget(object) }
  }

  /// Tells the subscribers, in the order they subscribed.
  ///
  /// Inside a delivery of the same publisher, and while another thread delivers, the signal waits for its turn and this
  /// returns at once.
  public func send() {
    hub.send(())
  }

  /// Attaches a subscriber, which gets what is sent from then on.
  @inlinable @inline(__always)
  public func receive<S: Subscriber>(subscriber: S) where S.Input == Void, S.Failure == Never {
    hub.attach(subscriber, owner: self, name: "ObservableObjectPublisher")
  }
}

/// The publishers that were made for objects without one.
///
/// A publisher belongs to the `@Published` properties of its object and goes with them; an entry only knows where it
/// is. Only for an object without such properties the entry keeps it. Nothing tells that such an object has gone, so
/// the entries of dead objects are swept out when entries are added: at most half of all, or a few, are dead.
final class ObservedObjects: @unchecked Sendable {
  // Sendable: everything is touched under the lock only.
  static let shared = ObservedObjects()

  private final class Entry {
    /// Tells a dead object from a new one at the same address.
    weak var object: AnyObject?
    weak var publisher: ObservableObjectPublisher?
    var kept: ObservableObjectPublisher?
    /// Whether all properties know the publisher.
    var isComplete = false

    init(_ object: AnyObject, _ publisher: ObservableObjectPublisher) {
      self.object = object
      self.publisher = publisher
    }
  }

  private let lock = Lock()
  private var entries: [ObjectIdentifier: Entry] = [:]
  private var sweepCount = 32

  /// The number of entries, those of dead objects included.
  var count: Int { lock.withLock { entries.count } }

  /// The one publisher of an object.
  func publisher(of object: AnyObject) -> ObservableObjectPublisher {
    let key = ObjectIdentifier(object)
    let known = lock.withLock { () -> ObservableObjectPublisher? in
      guard let entry = entries[key], entry.isComplete, entry.object != nil else { return nil }
      return entry.publisher
    }
    return known ?? complete(entry(of: object, key))
  }

  /// Finds or makes an entry.
  private func entry(
    of object: AnyObject, _ key: ObjectIdentifier
  ) -> (entry: Entry, object: AnyObject, publisher: ObservableObjectPublisher) {
    let made = ObservableObjectPublisher(of: key)
    let candidate = Entry(object, made)
    // What is seen here may be released by everybody else meanwhile, and then goes after the lock.
    var seen: [AnyObject] = []
    defer { withExtendedLifetime(seen) {} }
    return lock.withLock {
      if let entry = entries[key] {
        seen.append(entry)
        if entry.object != nil, let publisher = entry.publisher { return (entry, object, publisher) }
      }
      entries[key] = candidate
      if entries.count >= sweepCount {
        for (key, entry) in entries {
          if let object = entry.object {
            seen.append(object)
          } else {
            seen.append(entry)
            entries[key] = nil
          }
        }
        sweepCount = Swift.max(32, entries.count * 2)
      }
      return (candidate, object, made)
    }
  }

  /// Makes the publisher known to the properties of the object, which runs its mirror.
  ///
  /// Of two threads that are here at the same time both do it, so that neither waits for the other, nor returns early.
  private func complete(
    _ found: (entry: Entry, object: AnyObject, publisher: ObservableObjectPublisher)
  ) -> ObservableObjectPublisher {
    var isOwned = false
    var mirror: Mirror? = Mirror(reflecting: found.object)
    while let current = mirror {
      for case let property as any AnnouncingProperty in current.children.lazy.map(\.value) {
        property.announceChanges(through: found.publisher)
        isOwned = true
      }
      mirror = current.superclassMirror
    }
    lock.withLock {
      if !isOwned { found.entry.kept = found.publisher }
      found.entry.isComplete = true
    }
    return found.publisher
  }

  /// Removes the entry of a publisher that has gone.
  func forget(_ key: ObjectIdentifier) {
    // Another object may have got the address, and its publisher may go while it is looked at: after the lock.
    let released = lock.withLock { () -> AnyObject? in
      entries[key]?.publisher ?? entries.removeValue(forKey: key)
    }
    withExtendedLifetime(released) {}
  }
}
