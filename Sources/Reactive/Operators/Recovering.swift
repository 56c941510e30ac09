extension Publisher {
  /// Goes on with another publisher when this one fails.
  ///
  /// ```text
  /// source.catch { _ in source2 }
  /// source    -a-#
  /// source2   ----b-|
  /// demand    2
  /// output    -a--b-|
  /// upstream  2
  /// upstream2 ---1
  /// ```
  ///
  /// Demand that is still unmet goes over to the replacement, whose completion ends the stream. A cancel at any time
  /// ends whichever is current.
  ///
  /// - Parameter handler: Makes the replacement out of the error.
  @inlinable @inline(__always)
  public func `catch`<P: Publisher>(_ handler: @escaping (Failure) -> P) -> Publishers.Catch<Self, P>
  where P.Output == Output {
    Publishers.Catch(upstream: self, handler: handler)
  }

  /// Goes on with another publisher when this one fails, or fails with what the closure throws.
  ///
  /// ```text
  /// source.tryCatch { _ in try Just(check("x")) }
  /// source    -a-#
  /// output    -a-#
  /// upstream  *
  /// # = TestFailure(x)
  /// ```
  ///
  /// Demand that is still unmet goes over to the replacement, whose completion ends the stream. A cancel at any time
  /// ends whichever is current.
  ///
  /// - Parameter handler: Makes the replacement out of the error, or throws.
  @inlinable @inline(__always)
  public func tryCatch<P: Publisher>(_ handler: @escaping (Failure) throws -> P) -> Publishers.TryCatch<Self, P>
  where P.Output == Output {
    Publishers.TryCatch(upstream: self, handler: handler)
  }

  /// Publishes a value in place of a failure, then finishes.
  ///
  /// ```text
  /// source.replaceError(with: "z")
  /// source    -a-#
  /// demand    1----1
  /// output    -a---(z|)
  /// upstream  1
  /// ```
  ///
  /// Demand passes; the replacement waits for demand of its own.
  ///
  /// - Parameter output: The replacement.
  @inlinable @inline(__always)
  public func replaceError(with output: Output) -> Publishers.ReplaceError<Self> {
    Publishers.ReplaceError(upstream: self, output: output)
  }
}

extension Publisher {
  /// Publishes a value when this publisher finishes without one.
  ///
  /// ```text
  /// source.replaceEmpty(with: "z")
  /// source    ---|
  /// demand    -----1
  /// output    -----(z|)
  /// upstream  -----
  /// ```
  ///
  /// Demand passes; the replacement waits for demand of its own. A failure passes.
  ///
  /// - Parameter output: The replacement.
  @inlinable @inline(__always)
  public func replaceEmpty(with output: Output) -> Publishers.ReplaceEmpty<Self> {
    Publishers.ReplaceEmpty(upstream: self, output: output)
  }
}

extension Publishers {
  /// Goes on with another publisher when upstream fails; see `catch(_:)`.
  public struct Catch<Upstream: Publisher, NewPublisher: Publisher>: SequelOperator
  where Upstream.Output == NewPublisher.Output {
    /// Where the values come from at first.
    public let upstream: Upstream
    /// Makes the replacement.
    public let handler: (Upstream.Failure) -> NewPublisher

    /// What both publish.
    public typealias Output = Upstream.Output
    /// The failure of the replacement.
    public typealias Failure = NewPublisher.Failure

    @inlinable static var name: String { "Catch" }
    @inlinable var sequel: Continuation<NewPublisher> {
      { [handler] completion, _ in completion.recovered { .next(handler($0)) } }
    }

    /// Makes the publisher; see `catch(_:)`.
    @inlinable
    public init(upstream: Upstream, handler: @escaping (Upstream.Failure) -> NewPublisher) {
      self.upstream = upstream
      self.handler = handler
    }
  }

  /// Goes on with another publisher when upstream fails, or fails with what is thrown; see `tryCatch(_:)`.
  public struct TryCatch<Upstream: Publisher, NewPublisher: Publisher>: SequelOperator
  where Upstream.Output == NewPublisher.Output {
    /// Where the values come from at first.
    public let upstream: Upstream
    /// Makes the replacement or throws.
    public let handler: (Upstream.Failure) throws -> NewPublisher

    /// What both publish.
    public typealias Output = Upstream.Output
    /// Any error: the closure's or the replacement's.
    public typealias Failure = any Error

    @inlinable static var name: String { "TryCatch" }
    @inlinable var sequel: Continuation<NewPublisher> {
      { [handler] completion, _ in
        completion.recovered { failure in
          do { return .next(try handler(failure)) } catch { return .end(.failure(error)) }
        }
      }
    }

    @inlinable
    static func failure(_ error: NewPublisher.Failure) -> any Error { error }

    /// Makes the publisher; see `tryCatch(_:)`.
    @inlinable
    public init(upstream: Upstream, handler: @escaping (Upstream.Failure) throws -> NewPublisher) {
      self.upstream = upstream
      self.handler = handler
    }
  }

  /// Publishes a value in place of a failure; see `replaceError(with:)`.
  public struct ReplaceError<Upstream: Publisher>: SequelOperator {
    /// The replacement.
    public let output: Upstream.Output
    /// Where the values come from.
    public let upstream: Upstream

    /// What upstream publishes.
    public typealias Output = Upstream.Output
    /// A failure is replaced.
    public typealias Failure = Never

    @inlinable static var name: String { "ReplaceError" }
    @inlinable var sequel: Continuation<Just<Output>> {
      { [output] completion, _ in completion.recovered { _ in .next(Just(output)) } }
    }

    /// Makes the publisher; see `replaceError(with:)`.
    @inlinable
    public init(upstream: Upstream, output: Output) {
      self.upstream = upstream
      self.output = output
    }
  }
}

extension Publishers {
  /// Publishes a value when upstream finishes without one; see `replaceEmpty(with:)`.
  public struct ReplaceEmpty<Upstream: Publisher>: SequelOperator {
    /// The replacement.
    public let output: Upstream.Output
    /// Where the values come from.
    public let upstream: Upstream

    /// What upstream publishes.
    public typealias Output = Upstream.Output
    /// The failure of upstream.
    public typealias Failure = Upstream.Failure

    @inlinable static var name: String { "ReplaceEmpty" }
    @inlinable var sequel: Continuation<Publishers.Sequence<[Output], Failure>> {
      { [output] completion, isEmpty in
        if case .finished = completion, isEmpty { .next(Sequence(sequence: [output])) } else { .end(completion) }
      }
    }

    /// Makes the publisher; see `replaceEmpty(with:)`.
    @inlinable
    public init(upstream: Upstream, output: Output) {
      self.upstream = upstream
      self.output = output
    }
  }
}

extension Publishers.ReplaceEmpty: Equatable where Upstream: Equatable, Upstream.Output: Equatable {}
extension Publishers.ReplaceError: Equatable where Upstream: Equatable, Upstream.Output: Equatable {}

extension Subscribers.Completion {
  /// What follows this: nothing, or what a closure makes of the failure.
  @inlinable @inline(__always)
  func recovered<Next, NewFailure: Error>(
    _ goOn: (Failure) -> Sequel<Next, NewFailure>
  ) -> Sequel<Next, NewFailure> {
    switch self {
    case .finished: .end(.finished)
    case .failure(let error): goOn(error)
    }
  }
}
