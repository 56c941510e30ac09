public import Synchronization

/// A closure that any number of threads may be calling while it is replaced.
///
/// A call counts itself in and out, which costs less than to retain the closure under a lock. What has been replaced
/// during a call stays until no call is running, and is then released outside the lock.
@usableFromInline
package struct ReplaceableClosure<Result>: ~Copyable, @unchecked Sendable {
  // Sendable: the words are atomic; what the boxes hold changes under the owner's lock only.
  /// The closure, a constant of a final class: the fastest there is to call.
  @usableFromInline
  package final class Box {
    @usableFromInline package let call: () -> Result

    /// What this one has replaced, and is not released yet.
    fileprivate var replaced: Box?

    @inlinable
    package init(_ call: @escaping () -> Result) {
      self.call = call
    }
  }

  /// Twice the number of calls that are running, plus one while something replaced waits for them.
  @usableFromInline let calls = Atomic<UInt>(0)
  @usableFromInline let current = Atomic<Unmanaged<Box>?>(nil)

  @inlinable
  package init() {}

  @inlinable
  deinit {
    current.load(ordering: .relaxed)?.release()
  }

  /// Calls the closure.
  ///
  /// - Parameters:
  ///   - lock: The owner's lock, which is not held.
  ///   - prepare: Runs just before the closure.
  ///   - substitute: Runs instead, if none has been set.
  @inlinable @inline(__always)
  package borrowing func call(_ lock: borrowing Lock, prepare: () -> Void, substitute: () -> Result) -> Result {
    calls.wrappingAdd(2, ordering: .sequentiallyConsistent)
    defer {
      if calls.wrappingSubtract(2, ordering: .sequentiallyConsistent).newValue == 1 { releaseReplaced(lock) }
    }
    guard let box = current.load(ordering: .sequentiallyConsistent) else { return substitute() }
    prepare()
    return box._withUnsafeGuaranteedRef { $0.call() }
  }

  /// Sets the closure.
  ///
  /// - Parameter lock: The owner's lock, which is not held.
  @usableFromInline
  package borrowing func replace(with new: Box, _ lock: borrowing Lock) {
    let old = lock.withLock { () -> Box? in
      let old = current.exchange(.passRetained(new), ordering: .sequentiallyConsistent)?.takeRetainedValue()
      // A call that has not counted itself in yet will find the new one.
      guard let old, calls.load(ordering: .sequentiallyConsistent) > 0 else { return old }
      new.replaced = old
      calls.bitwiseOr(1, ordering: .sequentiallyConsistent)
      return nil
    }
    withExtendedLifetime(old) {}
    releaseReplaced(lock)
  }

  /// Releases what has been replaced, unless a call is running; the last one to end comes here again.
  @usableFromInline
  borrowing func releaseReplaced(_ lock: borrowing Lock) {
    var released = lock.withLock { () -> Box? in
      guard calls.compareExchange(expected: 1, desired: 0, ordering: .sequentiallyConsistent).exchanged else {
        return nil
      }
      return current.load(ordering: .relaxed)?._withUnsafeGuaranteedRef { box in
        defer { box.replaced = nil }
        return box.replaced
      }
    }
    // One by one: a chain that is released as a whole needs stack for each link.
    while let box = released {
      released = box.replaced
      box.replaced = nil
    }
  }
}
