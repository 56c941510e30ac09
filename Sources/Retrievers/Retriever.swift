// `$people.sink`, `AnyCancellable` and `store(in:)` belong to Reactive: whoever imports Retrievers needs all of it.
@_exported public import Reactive
internal import Synchronization

/// A property whose value is fetched anew each time somebody needs it, and that can be observed.
///
///     final class PeopleRepository {
///       @Retriever var people: [Person]
///       init(read: @escaping () -> [Person]) { _people.toRetrieveDo(read) }
///       func refresh() { _people.triggerUpdate() }
///     }
///
/// Nothing is cached. Reading `people` fetches; a subscriber of `$people` fetches for itself when it first asks for a
/// value; an update fetches once for all subscribers. The closure runs on the thread that reads, subscribes or updates,
/// and values are delivered on that thread.
///
/// A retriever publishes state, not events. When `triggerUpdate()` returns, every subscriber with demand has received a
/// value fetched at or after that call, unless it is inside its own `receive` just then; it gets the value right
/// after. No subscriber goes back to a fetch that began earlier. One that is slow skips to the newest value; equal
/// values are delivered. The stream finishes when the retriever is released.
///
/// Methods may be called from any thread. A closure that reads its own property, or always updates it, never ends.
@propertyWrapper
public final class Retriever<Value: Defaultable> {
  @usableFromInline let source = Source<Value>()

  /// Makes a retriever that gives the default value until it is told how to retrieve.
  public init() {}

  deinit {
    source.finish()
    // The publisher may live on, but not what the closure holds.
    toRetrieveDo { .defaultValue }
  }

  /// A value fetched for this read.
  ///
  /// A read inside `withObservationTracking` is recorded, and the next update invalidates it.
  @inlinable
  public var wrappedValue: Value {
    source.noteRead()
    return source.retrieve(for: .access)
  }

  /// Publishes a value for each subscriber first, then one for each update.
  ///
  /// Fetches when the subscriber first requests something, and keeps at most one value for it while it has no demand or
  /// is busy: the newest. Finishes when the retriever is released, which the publisher does not prevent; a subscriber
  /// that comes later gets the default value and the completion. Never fails. Cancelling lets go of everything.
  @inlinable
  public var projectedValue: AnyPublisher<Value, Never> {
    AnyPublisher(source)
  }

  /// Says how to retrieve; neither fetches nor notifies anybody.
  ///
  /// - Parameter retrieve: Runs once for each fetch; one that is running keeps the closure it has. Let it capture what
  ///   it reads from, rather than the owner: a fetch on another thread may outlast the owner.
  @inlinable
  public func toRetrieveDo(_ retrieve: @escaping () -> Value) {
    source.closure.replace(with: .init(retrieve), source.lock)
  }

  /// Invalidates what has been read under observation, then fetches once and delivers the value to every subscriber.
  ///
  /// Fetches without subscribers too. Called from inside a delivery, it leaves the value for the subscribers that are
  /// busy, and they get it as soon as they return.
  @inlinable
  public func triggerUpdate() {
    source.update()
  }

  /// Updates whenever a publisher sends something.
  ///
  /// Requests everything from it. Its completion ends only the updates; releasing the retriever cancels it.
  ///
  /// - Parameter trigger: A timer, a notification, another retriever.
  @inlinable
  public func triggerUpdate<P: Publisher>(on trigger: P) where P.Failure == Never {
    // The retriever itself is not captured: it could then never be released.
    source.extras.keep { [source] hasEnded in
      trigger.sink(receiveCompletion: { _ in hasEnded() }, receiveValue: { _ in source.update() })
    }
  }

  /// Observes why fetches happen, to log or count them.
  ///
  /// - Parameter observe: Called just before each run of the closure, on the thread of the fetch; nil stops it.
  public func onRetrieve(_ observe: ((RetrievalReason) -> Void)?) {
    source.extras.setObserver(observe)
    source.isObserved.store(observe != nil, ordering: .relaxed)
  }
}
