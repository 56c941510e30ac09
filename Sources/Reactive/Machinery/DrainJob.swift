internal import Synchronization

/// What keeps a core alive while its drain is on the way to the scheduler, and can be emptied before it arrives.
@usableFromInline
final class DrainAnchor: @unchecked Sendable {
  // Sendable: the reference is counted, and changes hands by an exchange.
  private let core = Atomic<Unmanaged<AnyObject>?>(nil)

  @usableFromInline
  init() {}

  deinit {
    withExtendedLifetime(take()) {}
  }

  /// Keeps the core; it is not kept yet.
  @usableFromInline
  func keep(_ core: AnyObject) {
    self.core.store(Unmanaged.passRetained(core), ordering: .releasing)
  }

  /// Lets go of the core.
  @usableFromInline
  func take() -> AnyObject? {
    core.exchange(nil, ordering: .acquiringAndReleasing)?.takeRetainedValue()
  }
}

/// One drain that was handed to a scheduler; a scheduler that loses it lets go of the core.
@usableFromInline
final class DrainJob: @unchecked Sendable {
  // Sendable: all fields but one are atomic or constant, and that one is touched by the thread that schedules only.
  private let anchor: DrainAnchor
  private let hasRun = Atomic<Bool>(false)
  /// The thread that is handing the job over; afterwards what no thread is.
  private let thread: Atomic<UInt>
  @exclusivity(unchecked)
  private var isToBeRepeated = false

  /// Makes the next job of an anchor, which keeps the core from now on.
  @usableFromInline
  init(_ anchor: DrainAnchor, keeping core: AnyObject) {
    self.anchor = anchor
    thread = Atomic(ThreadIdentity.current.number)
    anchor.keep(core)
  }

  deinit {
    if !hasRun.load(ordering: .acquiring) { withExtendedLifetime(anchor.take()) {} }
  }

  /// Begins to run.
  ///
  /// - Returns: The core; nil after a cancel, and when the job has run already.
  @usableFromInline
  func begin() -> AnyObject? {
    hasRun.exchange(true, ordering: .acquiringAndReleasing) ? nil : anchor.take()
  }

  /// Asks for another job in place of one that would be scheduled here: a scheduler that runs jobs inside `schedule` is
  /// called again from outside, so that there is no recursion.
  ///
  /// - Returns: Whether this thread is handing the job over, and will see to it.
  @usableFromInline
  func repeatFromOutside() -> Bool {
    guard thread.load(ordering: .relaxed) == ThreadIdentity.current.number else { return false }
    isToBeRepeated = true
    return true
  }

  /// Ends the hand-over.
  ///
  /// - Returns: Whether the scheduler has run the job meanwhile and another one is due.
  @usableFromInline
  func endHandover() -> Bool {
    thread.store(.max, ordering: .relaxed)
    return isToBeRepeated
  }
}
