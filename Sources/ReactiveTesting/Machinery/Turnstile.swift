internal import Synchronization

/// Lets one thread pass at a time and turns others away: what is written down between the two is safe at faulty peers too.
package final class Turnstile: Sendable {
  private let isTaken = Atomic<Bool>(false)

  /// Makes one that lets the next one pass.
  package init() {}

  /// Takes the place.
  ///
  /// - Returns: Whether it was free.
  package func enter() -> Bool {
    // An order would hide from ThreadSanitizer that the publisher has established none.
    #if REACTIVE_TSAN
      !isTaken.exchange(true, ordering: .relaxed)
    #else
      !isTaken.exchange(true, ordering: .acquiringAndReleasing)
    #endif
  }

  /// Gives the place back.
  package func leave() {
    #if REACTIVE_TSAN
      isTaken.store(false, ordering: .relaxed)
    #else
      isTaken.store(false, ordering: .releasing)
    #endif
  }
}
