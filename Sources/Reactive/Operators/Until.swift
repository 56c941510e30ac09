public import Synchronization

extension Publisher {
  /// Publishes values until another publisher sends one, then finishes.
  ///
  /// ```text
  /// source.prefix(untilOutputFrom: source2)
  /// source    -a-b-c-|
  /// source2   ----z
  /// output    -a-b|
  /// upstream  *---!
  /// upstream2 1---!
  /// ```
  ///
  /// The other one is subscribed to first and asked for one value; its end, also by failure, is ignored. Demand passes.
  /// An end of this publisher, or a cancel, cancels the other one.
  ///
  /// - Parameter publisher: Ends the stream with its first value.
  @inlinable @inline(__always)
  public func prefix<P: Publisher>(untilOutputFrom publisher: P) -> Publishers.PrefixUntilOutput<Self, P> {
    Publishers.PrefixUntilOutput(upstream: self, other: publisher)
  }

  /// Ignores values until another publisher sends one, then publishes all.
  ///
  /// ```text
  /// source.drop(untilOutputFrom: source2)
  /// source    -a-b-c-|
  /// source2   ----z
  /// demand    1
  /// output    -----c-|
  /// upstream  11-1
  /// upstream2 1---!
  /// ```
  ///
  /// The other one is subscribed to first and asked for one value. When it ends before that, so does the stream, and
  /// this publisher is cancelled; afterwards its end is ignored. An ignored value is asked for again.
  ///
  /// - Parameter publisher: Opens the stream with its first value.
  @inlinable @inline(__always)
  public func drop<P: Publisher>(untilOutputFrom publisher: P) -> Publishers.DropUntilOutput<Self, P>
  where P.Failure == Failure {
    Publishers.DropUntilOutput(upstream: self, other: publisher)
  }
}

extension Publishers {
  /// Publishes values until another publisher sends one; see `prefix(untilOutputFrom:)`.
  public struct PrefixUntilOutput<Upstream: Publisher, Other: Publisher>: Publisher {
    /// Where the values come from.
    public let upstream: Upstream
    /// What ends the stream.
    public let other: Other

    /// What upstream publishes.
    public typealias Output = Upstream.Output
    /// The failure of upstream.
    public typealias Failure = Upstream.Failure

    /// Attaches a subscriber.
    @inlinable @inline(__always)
    public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
      let core = JunctionCore(subscriber, .inStep)
      core.open(
        name: "PrefixUntilOutput", trigger: other, fired: { core.end(.finished) }, ended: { _ in },
        attachValues: { upstream.receive(subscriber: $0) })
    }

    /// Makes the publisher; see `prefix(untilOutputFrom:)`.
    @inlinable
    public init(upstream: Upstream, other: Other) {
      self.upstream = upstream
      self.other = other
    }
  }

  /// Ignores values until another publisher sends one; see `drop(untilOutputFrom:)`.
  public struct DropUntilOutput<Upstream: Publisher, Other: Publisher>: Publisher
  where Upstream.Failure == Other.Failure {
    /// Where the values come from.
    public let upstream: Upstream
    /// What opens the stream.
    public let other: Other

    /// What upstream publishes.
    public typealias Output = Upstream.Output
    /// The failure of both.
    public typealias Failure = Upstream.Failure

    /// Attaches a subscriber.
    @inlinable @inline(__always)
    public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
      let core = JunctionCore(subscriber, .inStep)
      let door = Door()
      core.open(
        name: "DropUntilOutput", trigger: other, fired: door.open, ended: { core.end($0) },
        attachValues: { Waiting(door).attach($0, to: upstream) })
    }

    /// Makes the publisher; see `drop(untilOutputFrom:)`.
    @inlinable
    public init(upstream: Upstream, other: Other) {
      self.upstream = upstream
      self.other = other
    }
  }
}

extension Publishers.DropUntilOutput: Equatable where Upstream: Equatable, Other: Equatable {}
extension Publishers.PrefixUntilOutput: Equatable where Upstream: Equatable, Other: Equatable {}

extension JunctionCore {
  /// Gives downstream its subscription and attaches a publisher of which only the first value counts, then the values.
  ///
  /// - Parameters:
  ///   - fired: Called for that value.
  ///   - ended: Called when the trigger ends before it.
  ///   - attachValues: Attaches a subscriber to the values; their end is the end.
  @inlinable @inline(__always)
  func open<Trigger: Publisher>(
    name: String, trigger: Trigger, fired: @escaping () -> Void,
    ended: @escaping (Subscribers.Completion<Trigger.Failure>) -> Void,
    attachValues: (SideConduit<Downstream>) -> Void
  ) {
    let sides = open(name: name, sides: 2)
    trigger.receive(
      subscriber: TriggerConduit<Trigger.Output, Trigger.Failure>(sides[1], fired: fired, ended: ended))
    attachValues(SideConduit(self, sides[0], ended: { self.end(.finished) }))
  }
}

/// The subscriber of a publisher of which only the first value counts.
@usableFromInline
final class TriggerConduit<Input, Failure: Error>: Subscriber, CustomStringConvertible {
  private let side: Side
  private let fired: () -> Void
  private let ended: (Subscribers.Completion<Failure>) -> Void

  @usableFromInline
  init(
    _ side: Side, fired: @escaping () -> Void, ended: @escaping (Subscribers.Completion<Failure>) -> Void
  ) {
    self.side = side
    self.fired = fired
    self.ended = ended
  }

  @usableFromInline
  func receive(subscription: any Subscription) {
    if side.slot.take(subscription) { side.slot.request(.max(1)) }
  }

  @usableFromInline
  func receive(_ input: Input) -> Subscribers.Demand {
    if let upstream = side.slot.end() {
      upstream.cancel()
      fired()
    }
    return .none
  }

  @usableFromInline
  func receive(completion: Subscribers.Completion<Failure>) {
    if side.slot.end() != nil { ended(completion) }
  }

  @usableFromInline
  var description: String { "Trigger" }
}

/// Whether values may pass; opened by another publisher, on its thread.
@usableFromInline
final class Door: Sendable {
  @usableFromInline let isOpen = Atomic<Bool>(false)

  @usableFromInline
  init() {}

  @usableFromInline
  func open() {
    isOpen.store(true, ordering: .releasing)
  }
}

/// The logic of `drop(untilOutputFrom:)`: values are skipped while the door is closed.
@usableFromInline
struct Waiting<Value, Failure: Error>: Stage {
  @usableFromInline typealias Rule = Keeping<Failure>
  @inlinable var name: String { "DropUntilOutput" }

  @usableFromInline let door: Door

  @inlinable
  init(_ door: Door) {
    self.door = door
  }

  @inlinable @inline(__always)
  mutating func receive(_ input: Value) -> Step<Value> {
    door.isOpen.load(ordering: .acquiring) ? .emit(input) : .skip
  }
}
