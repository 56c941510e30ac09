internal import Synchronization

#if canImport(Darwin)
  internal import Darwin
#elseif canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#elseif canImport(Android)
  internal import Android
#elseif os(Windows)
  internal import WinSDK
#endif

/// Another thread that runs a closure, with a stack of a chosen size.
package final class TestThread: @unchecked Sendable {
  // Sendable: the only state is behind its own lock.
  private let isDone = WaitableState(false)

  /// Starts a thread.
  ///
  /// - Parameters:
  ///   - stackSize: The size of its stack in bytes; nil for what the platform gives. Windows ignores it.
  ///   - body: What it runs.
  package init(stackSize: Int? = nil, _ body: @escaping () -> Void) {
    let isDone = isDone
    Self.start(stackSize: stackSize) {
      body()
      isDone.withLock { $0 = true }
    }
  }

  /// Waits until the closure has returned.
  ///
  /// - Parameter limit: How long.
  /// - Returns: Whether it has returned.
  @discardableResult
  package func join(atMost limit: Duration = .seconds(60)) -> Bool {
    isDone.wait(atMost: limit) { $0 }
  }

  /// Runs something on a thread of its own, and waits without keeping the thread of the task.
  static func run<R: Sendable>(_ body: @escaping () -> R) async -> R {
    await withCheckedContinuation { continuation in
      _ = TestThread { continuation.resume(returning: body()) }
    }
  }

  /// Sleeps for a moment.
  ///
  /// On a busy machine this is the better way to wait for another thread: who has slept gets a core soon, but who yields
  /// gets it after everybody else has had a turn.
  package static func nap() {
    #if os(Windows)
      Sleep(1)
    #elseif !os(WASI)
      usleep(20)
    #endif
  }

  /// Passes the time of some turns of a loop, and keeps the core.
  static func spin(_ turns: UInt64) {
    var turns = turns
    while turns > 0 { turns = down(turns) }
  }

  // Not inlined: the optimizer would leave out a loop that does nothing.
  @inline(never)
  private static func down(_ turns: UInt64) -> UInt64 { turns - 1 }

  /// Lets some time pass between two steps of something faulty: else another thread hardly ever comes between them.
  package static func linger() {
    // The other thread may have no core: it gets this one now and then.
    if lingers.wrappingAdd(1, ordering: .relaxed).newValue % 16 == 0 { nap() } else { spin(200) }
  }

  private static let lingers = Atomic<UInt>(0)

  private final class Body {
    let run: () -> Void

    init(_ run: @escaping () -> Void) {
      self.run = run
    }
  }

  #if canImport(Darwin) || canImport(Glibc) || canImport(Musl) || canImport(Android)
    private static func start(stackSize: Int?, _ body: @escaping () -> Void) {
      var attributes = pthread_attr_t()
      pthread_attr_init(&attributes)
      defer { pthread_attr_destroy(&attributes) }
      if let stackSize { pthread_attr_setstacksize(&attributes, stackSize) }
      pthread_attr_setdetachstate(&attributes, .init(PTHREAD_CREATE_DETACHED))
      let argument = Unmanaged.passRetained(Body(body)).toOpaque()
      #if canImport(Darwin)
        var thread: pthread_t?
      #else
        var thread = pthread_t()
      #endif
      let result = pthread_create(
        &thread, &attributes,
        { argument in
          #if canImport(Darwin)
            Unmanaged<Body>.fromOpaque(argument).takeRetainedValue().run()
          #else
            if let argument { Unmanaged<Body>.fromOpaque(argument).takeRetainedValue().run() }
          #endif
          return nil
        }, argument)
      precondition(result == 0, "The system gave no thread: error \(result)")
    }
  #elseif os(Windows)
    private static func start(stackSize: Int?, _ body: @escaping () -> Void) {
      let argument = Unmanaged.passRetained(Body(body)).toOpaque()
      let handle = CreateThread(
        nil, 0,
        { argument in
          if let argument { Unmanaged<Body>.fromOpaque(argument).takeRetainedValue().run() }
          return 0
        }, argument, 0, nil)
      precondition(handle != nil, "The system gave no thread")
      CloseHandle(handle)
    }
  #else
    private static func start(stackSize: Int?, _ body: @escaping () -> Void) {
      preconditionFailure("This platform has no threads")
    }
  #endif
}
