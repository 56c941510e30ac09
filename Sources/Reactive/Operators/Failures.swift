extension Publisher {
  /// Publishes the same values, and fails with what a closure makes of the error.
  ///
  /// ```text
  /// source.mapError { _ in TestFailure("lost") }
  /// source    -a-b-#
  /// demand    1-1
  /// output    -a-b-#
  /// upstream  1-1
  /// # = TestFailure(lost)
  /// ```
  ///
  /// Demand, values, the normal completion and cancel pass.
  ///
  /// - Parameter transform: Makes a new error; called on the thread that delivers the failure.
  @inlinable @inline(__always)
  public func mapError<E: Error>(_ transform: @escaping (Failure) -> E) -> Publishers.MapError<Self, E> {
    Publishers.MapError(upstream: self, transform)
  }

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

extension Publisher where Failure == Never {
  /// Publishes the same values as a stream that could fail, to fit one that can.
  ///
  /// ```text
  /// source.replaceError(with: "z").setFailureType(to: TestFailure.self)
  /// source    -a-b-|
  /// demand    1-1
  /// output    -a-b-|
  /// upstream  1-1
  /// ```
  ///
  /// Demand, values, completion and cancel pass; it never fails.
  ///
  /// - Parameter failureType: The type of failure.
  @inlinable @inline(__always)
  public func setFailureType<E: Error>(to failureType: E.Type) -> Publishers.SetFailureType<Self, E> {
    Publishers.SetFailureType(upstream: self)
  }
}

extension Publishers {
  /// Publishes the same values, and fails with what a closure makes of the error; see `mapError(_:)`.
  public struct MapError<Upstream: Publisher, Failure: Error>: StageOperator {
    /// The value of upstream.
    public typealias Output = Upstream.Output
    /// Where the values come from.
    public let upstream: Upstream
    /// Makes a new error.
    public let transform: (Upstream.Failure) -> Failure

    /// Makes the publisher; see `mapError(_:)`.
    @inlinable
    public init(upstream: Upstream, transform: @escaping (Upstream.Failure) -> Failure) {
      self.upstream = upstream
      self.transform = transform
    }

    /// Makes the publisher; see `mapError(_:)`.
    @inlinable
    public init(upstream: Upstream, _ map: @escaping (Upstream.Failure) -> Failure) {
      self.init(upstream: upstream, transform: map)
    }

    @inlinable var stage: MappingError<Output, Upstream.Failure, Failure> { MappingError(transform: transform) }
  }
}

/// The logic of `mapError`.
@usableFromInline
struct MappingError<Input, Before: Error, After: Error>: Stage {
  @usableFromInline typealias Output = Input
  @usableFromInline typealias Rule = Replacing<Before, After>
  @inlinable static var name: String { "MapError" }
  @inlinable static var isTransparent: Bool { true }

  @usableFromInline let transform: (Before) -> After

  @inlinable
  init(transform: @escaping (Before) -> After) {
    self.transform = transform
  }

  @inlinable
  func completion(_ completion: Subscribers.Completion<Before>) -> Subscribers.Completion<After> {
    completion.mapError(transform)
  }
}

extension Publishers {
  /// Publishes the same values as a stream that could fail; see `setFailureType(to:)`.
  public struct SetFailureType<Upstream: Publisher, Failure: Error>: StageOperator where Upstream.Failure == Never {
    /// The value of upstream.
    public typealias Output = Upstream.Output
    /// Where the values come from.
    public let upstream: Upstream

    /// Makes the publisher; see `setFailureType(to:)`.
    @inlinable
    public init(upstream: Upstream) {
      self.upstream = upstream
    }

    @inlinable var stage: SettingFailureType<Output, Failure> { SettingFailureType() }

    /// Publishes the same values as a stream that could fail in another way.
    @inlinable @inline(__always)
    public func setFailureType<E: Error>(to failure: E.Type) -> Publishers.SetFailureType<Upstream, E> {
      upstream.setFailureType(to: failure)
    }
  }
}

extension Publishers.SetFailureType: Equatable where Upstream: Equatable {}

/// The logic of `setFailureType`.
@usableFromInline
struct SettingFailureType<Input, Failure: Error>: Stage {
  @usableFromInline typealias Output = Input
  @usableFromInline typealias Rule = Replacing<Never, Failure>
  @inlinable static var name: String { "SetFailureType" }
  @inlinable static var isTransparent: Bool { true }

  @inlinable
  init() {}

  @inlinable
  func completion(_ completion: Subscribers.Completion<Never>) -> Subscribers.Completion<Failure> { .finished }
}

extension Publishers {
  /// Publishes the same values, and ends the program when upstream fails; see `assertNoFailure(_:file:line:)`.
  public struct AssertNoFailure<Upstream: Publisher>: StageOperator {
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

    @inlinable var stage: AssertingNoFailure<Output, Upstream.Failure> {
      AssertingNoFailure(prefix: prefix, file: file, line: line)
    }
  }
}

/// The logic of `assertNoFailure`.
@usableFromInline
struct AssertingNoFailure<Input, Failure: Error>: Stage {
  @usableFromInline typealias Output = Input
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

  @usableFromInline
  func completion(_ completion: Subscribers.Completion<Failure>) -> Subscribers.Completion<Never> {
    completion.mapError { fatalError(prefix.isEmpty ? "\($0)" : "\(prefix): \($0)", file: file, line: line) }
  }
}
