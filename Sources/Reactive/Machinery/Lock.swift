#if REACTIVE_TSAN
  #if canImport(Darwin)
    public import Darwin
  #elseif canImport(Glibc)
    public import Glibc
  #elseif canImport(Musl)
    public import Musl
  #endif
#else
  public import Synchronization
#endif

/// The one lock of the package: held for a few instructions, never while calling out.
///
/// It is the standard library's `Mutex`, stored inline. ThreadSanitizer does not understand that one on Linux and
/// reports races that do not exist, so a build with `REACTIVE_TSAN` uses a pthread mutex.
@usableFromInline
package struct Lock: ~Copyable, @unchecked Sendable {
  #if REACTIVE_TSAN
    @usableFromInline
    let mutex: UnsafeMutablePointer<pthread_mutex_t>

    @inlinable
    package init() {
      mutex = .allocate(capacity: 1)
      pthread_mutex_init(mutex, nil)
    }

    deinit {
      pthread_mutex_destroy(mutex)
      mutex.deallocate()
    }

    /// Runs a closure while no other thread is inside one of the same lock.
    @inlinable @inline(__always)
    package borrowing func withLock<R, E: Error>(_ body: () throws(E) -> R) throws(E) -> R {
      pthread_mutex_lock(mutex)
      defer { pthread_mutex_unlock(mutex) }
      return try body()
    }
  #else
    @usableFromInline
    let mutex = Mutex<Void>(())

    @inlinable
    package init() {}

    /// Runs a closure while no other thread is inside one of the same lock.
    @inlinable @inline(__always)
    package borrowing func withLock<R, E: Error>(_ body: () throws(E) -> R) throws(E) -> R {
      // The lock protects fields of the object it is stored in, which the compiler cannot know: results are what
      // the caller takes out of that protection on purpose.
      mutex._unsafeLock()
      defer { mutex._unsafeUnlock() }
      return try body()
    }
  #endif
}
