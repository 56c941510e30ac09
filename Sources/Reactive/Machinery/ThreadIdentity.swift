/// Tells whether two moments are on the same thread, as long as that thread lives.
@usableFromInline
package struct ThreadIdentity: Equatable, Sendable {
  @usableFromInline let number: UInt

  /// The thread that is running.
  @usableFromInline
  package static var current: ThreadIdentity { ThreadIdentity(number: currentThreadNumber()) }
}
