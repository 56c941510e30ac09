internal import Reactive

/// A value that is read and written under a lock: each step is safe by itself, and nothing is said about two of them.
package final class Guarded<Value>: @unchecked Sendable {
  // Sendable: the value is touched under the lock only.
  private let lock = Lock()
  private var guarded: Value

  /// Guards a value.
  package init(_ value: Value) {
    guarded = value
  }

  /// The value: to change it by way of this is two steps.
  package var value: Value {
    get { lock.withLock { guarded } }
    set {
      // What was there goes after the lock: its end may run code.
      let old = lock.withLock {
        defer { guarded = newValue }
        return guarded
      }
      withExtendedLifetime(old) {}
    }
  }

  /// Changes the value in one step.
  ///
  /// - Parameter change: Runs under the lock: what it lets go of must not run code.
  @discardableResult
  package func update<R>(_ change: (inout Value) -> R) -> R {
    lock.withLock { change(&guarded) }
  }
}
