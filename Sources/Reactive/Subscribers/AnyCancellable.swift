/// A token that cancels an activity when told to, or when the last reference to it goes.
///
/// It cancels once; afterwards it holds nothing. `cancel()` may be called from any thread.
public final class AnyCancellable: Cancellable, Hashable, @unchecked Sendable {
  // Sendable: the closure is touched under the lock only, and taken out before it runs; a slot may be cancelled at will.
  private let lock = Lock()

  /// What every call cancels, so that a second one does not return while the first has yet to take effect.
  private let slot: SubscriptionSlot?

  @exclusivity(unchecked)
  private var action: (() -> Void)?

  /// Makes a token that runs a closure.
  ///
  /// - Parameter cancel: What to do, once.
  public init(_ cancel: @escaping () -> Void) {
    slot = nil
    action = cancel
  }

  /// Makes a token that cancels something else.
  ///
  /// - Parameter canceller: What to cancel, once; it is kept until then.
  public convenience init<C: Cancellable>(_ canceller: C) {
    self.init { canceller.cancel() }
  }

  /// Makes a token that closes a slot at every call, and runs a closure at the first.
  @usableFromInline
  package init(slot: SubscriptionSlot, _ cancel: (() -> Void)? = nil) {
    self.slot = slot
    action = cancel
  }

  deinit {
    cancel()
  }

  /// Cancels the activity, and lets go of it; does nothing after the first time.
  public func cancel() {
    slot?.cancel()
    let taken = lock.withLock { () -> (() -> Void)? in
      defer { action = nil }
      return action
    }
    taken?()
  }

  /// Whether both are the same token.
  public static func == (lhs: AnyCancellable, rhs: AnyCancellable) -> Bool {
    lhs === rhs
  }

  /// Feeds the identity of the token into a hasher.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(ObjectIdentifier(self))
  }

  /// Appends this token to a collection.
  ///
  /// - Parameter collection: What keeps the activity running; removing the element cancels it.
  public func store<C: RangeReplaceableCollection>(in collection: inout C) where C.Element == AnyCancellable {
    collection.append(self)
  }

  /// Inserts this token into a set.
  ///
  /// - Parameter set: What keeps the activity running; removing the element cancels it.
  public func store(in set: inout Set<AnyCancellable>) {
    set.insert(self)
  }
}
