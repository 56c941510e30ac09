public import Observation
internal import Reactive

/// What is made when it is first needed, so that a retriever which nobody reads stays small.
///
/// It does not depend on the type of the values: a key path into a generic class is made anew for each use, which costs
/// a hundred times more than the rest of a read.
@usableFromInline
final class Extras: Observable, @unchecked Sendable {
  // Sendable: registrar and key path are; the rest is touched under the lock.
  // Not static: looking whether a static constant has been made costs more than reading it here.
  private let path = \Extras.reading
  private var reading: Void { () }
  private let registrar = ObservationRegistrar()

  private let lock = Lock()
  @exclusivity(unchecked) private var observer: ((RetrievalReason) -> Void)?
  @exclusivity(unchecked) private var triggers: [Int: AnyCancellable?] = [:]
  @exclusivity(unchecked) private var lastTrigger = 0

  /// Lets the observation that is being recorded, if any, depend on the retriever.
  func noteRead() {
    registrar.access(self, keyPath: path)
  }

  /// Invalidates the observations that depend on the retriever.
  func invalidateReads() {
    registrar.withMutation(of: self, keyPath: path) {}
  }

  @usableFromInline
  func setObserver(_ new: ((RetrievalReason) -> Void)?) {
    var replaced = new
    lock.withLock { swap(&observer, &replaced) }
    withExtendedLifetime(replaced) {}
  }

  @usableFromInline
  func report(_ reason: RetrievalReason) {
    lock.withLock { observer }?(reason)
  }

  /// Keeps the subscription to a trigger until the trigger or the retriever ends.
  ///
  /// - Parameter subscribe: Makes it; what it is given has to be called when the trigger ends.
  @usableFromInline
  func keep(_ subscribe: (_ hasEnded: @escaping () -> Void) -> AnyCancellable) {
    let number = lock.withLock {
      lastTrigger += 1
      triggers[lastTrigger] = .some(nil)
      return lastTrigger
    }
    let token = subscribe { [self] in withExtendedLifetime(lock.withLock { triggers.removeValue(forKey: number) }) {} }
    // A trigger may end while it is being subscribed to.
    lock.withLock { if triggers.keys.contains(number) { triggers[number] = token } }
    withExtendedLifetime(token) {}
  }

  /// Lets go of observer and triggers.
  func clear() {
    setObserver(nil)
    var ended: [Int: AnyCancellable?] = [:]
    lock.withLock { swap(&triggers, &ended) }
    for case let token? in ended.values { token.cancel() }
  }
}
