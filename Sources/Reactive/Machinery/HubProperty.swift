extension Hub {
  /// A property whose changes a hub publishes before they happen.
  ///
  /// Both fields are touched under the lock of the hub.
  @usableFromInline
  final class Property {
    /// What a read of the property gives: the last value whose event has ended.
    @exclusivity(unchecked)
    @usableFromInline
    var value: Output

    /// What learns of each change first.
    @exclusivity(unchecked)
    @usableFromInline
    var willChange: ObservableObjectPublisher?

    @inlinable
    init(_ value: Output) {
      self.value = value
    }
  }

  /// Makes a hub that publishes the changes of a property.
  @inlinable
  convenience init(property initial: Output) {
    self.init(latest: initial, property: Property(initial))
  }

  /// The value that is stored in the property.
  @inlinable
  var stored: Output {
    guard let property else { preconditionFailure("Only the hub of a property stores a value") }
    return lock.withLock { property.value }
  }

  /// Gives a change its place in the order; the change itself is the last step of its event, after the deliveries.
  @inlinable @inline(__always)
  func assign(_ value: Output) {
    guard let property else { return }
    var replaced: Output?
    var own: UInt64 = 0
    var willChange: ObservableObjectPublisher?
    let ports = lock.withLock { () -> ContiguousArray<AnyPort?>? in
      willChange = property.willChange
      return accept(value, place: &own, replaced: &replaced)
    }
    guard let ports else { return }
    willChange?.send()
    ports.forEachPort(Port.self) { deliver(value, place: own, to: $0) }
    var old = value
    let isDone = lock.withLock {
      swap(&property.value, &old)
      return rest()
    }
    if !isDone { drain() }
    // As in `send`: released with no lock held.
    withExtendedLifetime((ports, replaced, old)) {}
  }

  /// The first step of a change that was pending.
  func announceChange() {
    guard let property else { return }
    lock.withLock { property.willChange }?.send()
  }

  /// The last step of a change that was pending.
  func store(_ value: Output) {
    guard let property else { return }
    var old = value
    lock.withLock { swap(&property.value, &old) }
    withExtendedLifetime(old) {}
  }

  /// Makes a publisher the one that learns of each change first.
  func announceChanges(through publisher: ObservableObjectPublisher) {
    guard let property else { return }
    var old: ObservableObjectPublisher? = publisher
    lock.withLock { swap(&property.willChange, &old) }
    withExtendedLifetime(old) {}
  }
}
