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

/// Tells whether two moments are on the same thread, as long as that thread lives.
@usableFromInline
package struct ThreadIdentity: Equatable, Sendable {
  @usableFromInline let number: UInt

  /// The thread that is running.
  @usableFromInline
  package static var current: ThreadIdentity {
    #if canImport(Darwin)
      ThreadIdentity(number: UInt(bitPattern: pthread_self()))
    #elseif canImport(Glibc) || canImport(Musl) || canImport(Android)
      ThreadIdentity(number: UInt(pthread_self()))
    #elseif os(Windows)
      ThreadIdentity(number: UInt(GetCurrentThreadId()))
    #else
      // A platform without threads.
      ThreadIdentity(number: 0)
    #endif
  }
}
