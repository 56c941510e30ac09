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

/// A number that no other thread has as long as this one lives.
func currentThreadNumber() -> UInt {
  #if canImport(Darwin)
    UInt(bitPattern: pthread_self())
  #elseif canImport(Glibc) || canImport(Musl) || canImport(Android)
    UInt(pthread_self())
  #elseif os(Windows)
    UInt(GetCurrentThreadId())
  #else
    // A platform without threads.
    0
  #endif
}

/// Stops in the debugger; without one, ends the program.
@usableFromInline
func stopInDebugger() {
  #if os(Windows)
    DebugBreak()
  #elseif os(WASI)
    fatalError("A breakpoint was reached")
  #else
    raise(SIGTRAP)
  #endif
}
