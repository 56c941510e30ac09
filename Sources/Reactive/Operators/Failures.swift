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
  public struct MapError<Upstream: Publisher, Failure: Error>: LogicOperator {
    /// Where the values come from.
    public let upstream: Upstream
    /// Makes a new error.
    public let transform: (Upstream.Failure) -> Failure

    /// The value of upstream.
    public typealias Output = Upstream.Output

    @inlinable var logic: ConvertingFailure<Output, Upstream.Failure, Failure> {
      ConvertingFailure("MapError", transform)
    }

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
  }
}

extension Publishers {
  /// Publishes the same values as a stream that could fail; see `setFailureType(to:)`.
  public struct SetFailureType<Upstream: Publisher, Failure: Error>: LogicOperator where Upstream.Failure == Never {
    /// Where the values come from.
    public let upstream: Upstream

    /// The value of upstream.
    public typealias Output = Upstream.Output

    @inlinable var logic: ConvertingFailure<Output, Never, Failure> {
      ConvertingFailure("SetFailureType") { never -> Failure in }
    }

    /// Makes the publisher; see `setFailureType(to:)`.
    @inlinable
    public init(upstream: Upstream) {
      self.upstream = upstream
    }

    /// Publishes the same values as a stream that could fail in another way.
    @inlinable @inline(__always)
    public func setFailureType<E: Error>(to failure: E.Type) -> Publishers.SetFailureType<Upstream, E> {
      upstream.setFailureType(to: failure)
    }
  }
}

extension Publishers.SetFailureType: Equatable where Upstream: Equatable {}

extension Publishers {
  /// Publishes the same values, and ends the program when upstream fails; see `assertNoFailure(_:file:line:)`.
  public struct AssertNoFailure<Upstream: Publisher>: LogicOperator {
    /// Where the values come from.
    public let upstream: Upstream
    /// What the message starts with.
    public let prefix: String
    /// The file that the message names.
    public let file: StaticString
    /// The line that the message names.
    public let line: UInt

    /// The value of upstream.
    public typealias Output = Upstream.Output
    /// It does not fail.
    public typealias Failure = Never

    @inlinable var logic: ConvertingFailure<Output, Upstream.Failure, Never> {
      ConvertingFailure("AssertNoFailure") { [prefix, file, line] in endProgram(prefix, $0, file: file, line: line) }
    }

    /// Makes the publisher; see `assertNoFailure(_:file:line:)`.
    @inlinable
    public init(upstream: Upstream, prefix: String, file: StaticString, line: UInt) {
      self.upstream = upstream
      self.prefix = prefix
      self.file = file
      self.line = line
    }
  }
}

/// The logic of the operators on failures: values pass, a failure becomes another one.
@usableFromInline
struct ConvertingFailure<Input, Before: Error, After: Error>: Stage {
  @usableFromInline typealias Output = Input
  @usableFromInline typealias Rule = Replacing<Before, After>
  @usableFromInline let name: String
  @usableFromInline let convert: (Before) -> After
  @inlinable var isTransparent: Bool { true }

  @inlinable
  init(_ name: String, _ convert: @escaping (Before) -> After) {
    self.name = name
    self.convert = convert
  }

  @inlinable
  func completion(_ completion: Subscribers.Completion<Before>) -> Subscribers.Completion<After> {
    completion.mapError(convert)
  }
}

/// Ends the program.
@usableFromInline
func endProgram(_ prefix: String, _ error: any Error, file: StaticString, line: UInt) -> Never {
  fatalError(prefix.isEmpty ? "\(error)" : "\(prefix): \(error)", file: file, line: line)
}
