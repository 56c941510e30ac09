#if canImport(Darwin)
  internal import Darwin
#elseif canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#elseif canImport(Android)
  internal import Android
#elseif os(Windows)
  internal import ucrt
#endif

/// The value of an environment variable; nil when it is not set, or the platform has none.
func environmentVariable(_ name: String) -> String? {
  #if os(WASI)
    nil
  #else
    getenv(name).map { String(cString: $0) }
  #endif
}
