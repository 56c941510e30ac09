/// Something that can be told to stop.
///
/// `cancel()` may be called any number of times, from any thread; only the first call has an effect. It never waits
/// for work that is already running.
public protocol Cancellable {
  /// Stops the activity and lets go of what it holds.
  func cancel()
}

extension Cancellable {
  /// Wraps this in an `AnyCancellable` and appends it to a collection.
  ///
  /// - Parameter collection: What keeps the activity running; removing the element cancels it.
  public func store<C: RangeReplaceableCollection>(in collection: inout C) where C.Element == AnyCancellable {
    collection.append(AnyCancellable(self))
  }

  /// Wraps this in an `AnyCancellable` and inserts it into a set.
  ///
  /// - Parameter set: What keeps the activity running; removing the element cancels it.
  public func store(in set: inout Set<AnyCancellable>) {
    set.insert(AnyCancellable(self))
  }
}
