extension Publisher {
  /// Keeps values that come before they are wanted.
  ///
  /// ```text
  /// source.buffer(size: 2, prefetch: .byRequest, whenFull: .dropOldest)
  /// source    -a-b-c-|
  /// demand    ------1-1
  /// output    ------b-(c|)
  /// upstream  *
  /// ```
  ///
  /// ```text
  /// source.buffer(size: 2, prefetch: .keepFull, whenFull: .dropOldest)
  /// source    -a-b-c-|
  /// demand    ----1---2
  /// output    ----a---(bc|)
  /// upstream  2---1
  /// ```
  ///
  /// Requests as the strategy says, whatever is requested here. The end comes when the buffer is empty, without demand;
  /// a failure comes at once, and drops what is kept.
  ///
  /// - Parameters:
  ///   - size: How many values are kept; a negative number traps.
  ///   - prefetch: Whether to keep the buffer full, or to take whatever comes.
  ///   - whenFull: What to do with a value that does not fit.
  @inlinable @inline(__always)
  public func buffer(
    size: Int, prefetch: Publishers.PrefetchStrategy, whenFull: Publishers.BufferingStrategy<Failure>
  ) -> Publishers.Buffer<Self> {
    Publishers.Buffer(upstream: self, size: size, prefetch: prefetch, whenFull: whenFull)
  }
}

extension Publishers {
  /// When a buffer asks for values.
  public enum PrefetchStrategy: Equatable, Hashable, Sendable {
    /// As many as fit, and another one for each that has left.
    case keepFull
    /// Everything at once.
    case byRequest
  }

  /// What a buffer does with a value that does not fit.
  public enum BufferingStrategy<Failure: Error> {
    /// The new value is dropped.
    case dropNewest
    /// The oldest value is dropped.
    case dropOldest
    /// The stream fails, upstream is cancelled, and what is kept is dropped.
    case customError(() -> Failure)
  }

  /// Keeps values that come before they are wanted; see `buffer(size:prefetch:whenFull:)`.
  public struct Buffer<Upstream: Publisher>: Publisher {
    /// Where the values come from.
    public let upstream: Upstream
    /// How many values are kept.
    public let size: Int
    /// When values are asked for.
    public let prefetch: PrefetchStrategy
    /// What happens to a value that does not fit.
    public let whenFull: BufferingStrategy<Failure>

    /// What upstream publishes.
    public typealias Output = Upstream.Output
    /// The failure of upstream.
    public typealias Failure = Upstream.Failure

    /// Attaches a subscriber.
    @inlinable @inline(__always)
    public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
      let core = JunctionCore(subscriber, prefetch == .keepFull ? .refilling : .alone)
      let room = BufferRoom(size: size, isPrefetching: prefetch == .keepFull, whenFull: whenFull)
      upstream.receive(subscriber: BufferConduit(core, room))
    }

    /// Makes the publisher; see `buffer(size:prefetch:whenFull:)`.
    @inlinable
    public init(upstream: Upstream, size: Int, prefetch: PrefetchStrategy, whenFull: BufferingStrategy<Failure>) {
      precondition(size >= 0, "A buffer cannot have a negative size: \(size)")
      self.upstream = upstream
      self.size = size
      self.prefetch = prefetch
      self.whenFull = whenFull
    }
  }
}

/// How much a buffer holds, and what happens beyond that.
@usableFromInline
struct BufferRoom<Failure: Error> {
  @usableFromInline let size: Int
  @usableFromInline let isPrefetching: Bool
  @usableFromInline let whenFull: Publishers.BufferingStrategy<Failure>

  @inlinable
  init(size: Int, isPrefetching: Bool, whenFull: Publishers.BufferingStrategy<Failure>) {
    self.size = size
    self.isPrefetching = isPrefetching
    self.whenFull = whenFull
  }
}

/// The subscriber of a buffer's upstream.
@usableFromInline
final class BufferConduit<Downstream: Subscriber>: Subscriber, CustomStringConvertible {
  @usableFromInline let core: JunctionCore<Downstream>
  @usableFromInline let side: Side
  private let room: BufferRoom<Downstream.Failure>

  @usableFromInline
  init(_ core: JunctionCore<Downstream>, _ room: BufferRoom<Downstream.Failure>) {
    self.core = core
    self.room = room
    side = core.open(name: "Buffer", sides: 1)[0]
  }

  @usableFromInline
  func receive(subscription: any Subscription) {
    core.attach(subscription, to: side, requesting: room.isPrefetching ? .max(room.size) : .unlimited)
  }

  @inlinable
  func receive(_ input: Downstream.Input) -> Subscribers.Demand {
    guard side.slot.isOpen else { return .none }
    if isWelcome(input) { core.receive(input, from: side) }
    return .none
  }

  /// Makes room for a value, if there is to be any.
  @usableFromInline
  func isWelcome(_ input: Downstream.Input) -> Bool {
    var dropped: Downstream.Input?
    let isFull = core.lock.withLock { () -> Bool in
      // A value that can be delivered at once needs no room.
      guard core.junction.isDelivering || core.junction.demand == .none, core.junction.backlog.count >= room.size else {
        return false
      }
      if case .dropOldest = room.whenFull, room.size > 0 {
        dropped = core.junction.backlog.popFirst()?.output
        return false
      }
      return true
    }
    withExtendedLifetime(dropped) {}
    guard isFull else { return true }
    if case .customError(let makeError) = room.whenFull {
      let error = makeError()
      if let upstream = side.slot.end() {
        upstream.cancel()
        core.end(.failure(error))
      }
    }
    return false
  }

  @usableFromInline
  func receive(completion: Subscribers.Completion<Downstream.Failure>) {
    core.receive(completion: completion, from: side)
  }

  @usableFromInline
  var description: String { "Buffer" }
}
