internal import Reactive

#if canImport(Darwin)
  internal import Darwin
#elseif canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#elseif canImport(Android)
  internal import Android
#endif

#if canImport(Darwin) || canImport(Glibc) || canImport(Musl) || canImport(Android)
  /// State under a lock that a thread can wait for.
  final class WaitableState<State>: @unchecked Sendable {
    // Sendable: the state is touched under the mutex only.
    private var state: State
    private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
    private let condition = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)

    init(_ state: State) {
      self.state = state
      pthread_mutex_init(mutex, nil)
      pthread_cond_init(condition, nil)
    }

    deinit {
      pthread_cond_destroy(condition)
      pthread_mutex_destroy(mutex)
      condition.deallocate()
      mutex.deallocate()
    }

    /// Reads or changes the state; those who wait look again.
    func withLock<R>(_ body: (inout State) throws -> R) rethrows -> R {
      pthread_mutex_lock(mutex)
      defer {
        pthread_cond_broadcast(condition)
        pthread_mutex_unlock(mutex)
      }
      return try body(&state)
    }

    /// Waits for something to become true.
    ///
    /// - Parameters:
    ///   - limit: How long; nil for as long as it takes.
    ///   - isTrue: Looks at the state.
    /// - Returns: Whether it became true in time.
    func wait(atMost limit: Duration?, until isTrue: (State) -> Bool) -> Bool {
      var deadline = timespec()
      if let limit {
        clock_gettime(CLOCK_REALTIME, &deadline)
        let (seconds, attoseconds) = limit.components
        let nanoseconds = Int(deadline.tv_nsec) + Int(attoseconds / 1_000_000_000)
        deadline.tv_sec += .init(Int(seconds) + nanoseconds / 1_000_000_000)
        deadline.tv_nsec = .init(nanoseconds % 1_000_000_000)
      }
      pthread_mutex_lock(mutex)
      defer { pthread_mutex_unlock(mutex) }
      while !isTrue(state) {
        if limit == nil {
          pthread_cond_wait(condition, mutex)
        } else if pthread_cond_timedwait(condition, mutex, &deadline) != 0 {
          return isTrue(state)
        }
      }
      return true
    }
  }
#else
  /// State under a lock that a thread can wait for; without condition variables it looks again and again.
  final class WaitableState<State>: @unchecked Sendable {
    // Sendable: the state is touched under the lock only.
    private var state: State
    private let lock = Lock()

    init(_ state: State) {
      self.state = state
    }

    func withLock<R>(_ body: (inout State) throws -> R) rethrows -> R {
      try lock.withLock { try body(&state) }
    }

    func wait(atMost limit: Duration?, until isTrue: (State) -> Bool) -> Bool {
      let deadline = limit.map { ContinuousClock.now + $0 }
      while !lock.withLock({ isTrue(state) }) {
        if let deadline, ContinuousClock.now >= deadline { return lock.withLock { isTrue(state) } }
        TestThread.nap()
      }
      return true
    }
  }
#endif
