extension Publisher {
  /// Subscribes to this publisher again when it fails.
  ///
  /// ```text
  /// source.retry(1)
  /// source    -a-#b-#
  /// demand    3
  /// output    -a--b-#
  /// upstream  3--2
  /// ```
  ///
  /// Demand that is unmet goes over to the new attempt; values that were delivered are not taken back. The failure of
  /// the last attempt ends the stream. Attempts that fail at once follow each other in a loop, which a cancel ends; so
  /// a subject that has failed uses up all attempts at once.
  ///
  /// - Parameter retries: How often to try again; a negative number means for ever.
  @inlinable @inline(__always)
  public func retry(_ retries: Int) -> Publishers.Retry<Self> {
    Publishers.Retry(upstream: self, retries: retries)
  }
}

extension Publishers {
  /// Subscribes again when upstream fails; see `retry(_:)`.
  public struct Retry<Upstream: Publisher>: Publisher {
    /// Where the values come from.
    public let upstream: Upstream
    /// How often to try again; nil for ever.
    public let retries: Int?

    /// What upstream publishes.
    public typealias Output = Upstream.Output
    /// The failure of upstream.
    public typealias Failure = Upstream.Failure

    /// Attaches a subscriber.
    @inlinable @inline(__always)
    public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
      Attempts(arbiter: Arbiter(name: "Retry"), downstream: subscriber, left: retries) { [upstream] leg in
        upstream.receive(subscriber: leg)
      }.start()
    }

    /// Makes the publisher; see `retry(_:)`.
    @inlinable
    public init(upstream: Upstream, retries: Int?) {
      self.upstream = upstream
      self.retries = retries
    }
  }
}

extension Publishers.Retry: Equatable where Upstream: Equatable {}

/// The attempts of one retry, one after the other.
@usableFromInline
final class Attempts<Downstream: Subscriber>: @unchecked Sendable {
  // Sendable: `isDue` is touched under the lock; the rest by one attempt at a time, each of which ends before the next.
  @usableFromInline typealias Attempt = Leg<Downstream.Input, Downstream.Failure, Downstream>

  private let arbiter: Arbiter
  private let downstream: Downstream
  private let subscribe: (Attempt) -> Void
  private let lock = Lock()
  private var left: Int
  private var isFirst = true
  private var isDue = 0

  @usableFromInline
  init(arbiter: Arbiter, downstream: Downstream, left: Int?, subscribe: @escaping (Attempt) -> Void) {
    self.arbiter = arbiter
    self.downstream = downstream
    self.subscribe = subscribe
    self.left = left ?? -1
  }

  /// Makes an attempt, and further ones as long as they fail at once.
  ///
  /// An attempt that fails while it is being made is followed by this loop, not by another one inside it.
  @usableFromInline
  func start() {
    let isRunning = lock.withLock {
      isDue += 1
      return isDue > 1
    }
    guard !isRunning else { return }
    repeat {
      if arbiter.isOpen {
        subscribe(Attempt(arbiter, downstream, isFirst: isFirst) { completion, _ in self.end(completion) })
      }
      isFirst = false
    } while lock.withLock { () -> Bool in
      isDue -= 1
      return isDue > 0
    }
  }

  private func end(_ completion: Subscribers.Completion<Downstream.Failure>) {
    if case .failure = completion, left != 0 {
      left -= left > 0 ? 1 : 0
      start()
    } else {
      arbiter.deliver(completion: completion, to: downstream)
    }
  }
}
