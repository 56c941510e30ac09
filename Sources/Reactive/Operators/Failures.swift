extension Publisher {
  /// Publishes the same values, and ends the program when upstream fails.
  ///
  /// ```text
  /// source.assertNoFailure()
  /// source    -a-b-|
  /// demand    1-1
  /// output    -a-b-|
  /// upstream  1-1
  /// ```
  ///
  /// Demand, values, the normal completion and cancel pass. A failure traps, in release builds too, with a message that
  /// tells the error.
  ///
  /// - Parameters:
  ///   - prefix: What the message starts with.
  ///   - file: The file that the message names.
  ///   - line: The line that the message names.
  @inlinable @inline(__always)
  public func assertNoFailure(
    _ prefix: String = "", file: StaticString = #file, line: UInt = #line
  ) -> Publishers.AssertNoFailure<Self> {
    Publishers.AssertNoFailure(upstream: self, prefix: prefix, file: file, line: line)
  }
}

extension Publishers {
  /// Publishes the same values, and ends the program when upstream fails; see `assertNoFailure(_:file:line:)`.
  public struct AssertNoFailure<Upstream: Publisher>: Publisher {
    /// The value of upstream.
    public typealias Output = Upstream.Output
    /// It does not fail.
    public typealias Failure = Never
    /// Where the values come from.
    public let upstream: Upstream
    /// What the message starts with.
    public let prefix: String
    /// The file that the message names.
    public let file: StaticString
    /// The line that the message names.
    public let line: UInt

    /// Makes the publisher; see `assertNoFailure(_:file:line:)`.
    @inlinable
    public init(upstream: Upstream, prefix: String, file: StaticString, line: UInt) {
      self.upstream = upstream
      self.prefix = prefix
      self.file = file
      self.line = line
    }

    /// Attaches a subscriber.
    @inlinable @inline(__always)
    public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
      let stage = AssertingNoFailure<Output, Upstream.Failure>(prefix: prefix, file: file, line: line)
      upstream.receive(subscriber: Conduit(stage, subscriber))
    }
  }
}

/// The logic of `assertNoFailure`.
@usableFromInline
struct AssertingNoFailure<Input, Failure: Error>: Stage {
  @usableFromInline typealias Rule = Replacing<Failure, Never>
  @inlinable static var name: String { "AssertNoFailure" }
  @inlinable static var isTransparent: Bool { true }

  private let prefix: String
  private let file: StaticString
  private let line: UInt

  @usableFromInline
  init(prefix: String, file: StaticString, line: UInt) {
    self.prefix = prefix
    self.file = file
    self.line = line
  }

  @inlinable @inline(__always)
  func receive(_ input: Input) -> Step<Input> { .emit(input) }

  @usableFromInline
  func completion(_ completion: Subscribers.Completion<Failure>) -> Subscribers.Completion<Never> {
    completion.mapError { fatalError(prefix.isEmpty ? "\($0)" : "\(prefix): \($0)", file: file, line: line) }
  }
}
