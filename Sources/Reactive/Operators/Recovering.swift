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
  public struct Catch<Upstream: Publisher, NewPublisher: Publisher>: Publisher
  where Upstream.Output == NewPublisher.Output {
    /// Where the values come from at first.
    public let upstream: Upstream
    /// Makes the replacement.
    public let handler: (Upstream.Failure) -> NewPublisher

    /// What both publish.
    public typealias Output = Upstream.Output
    /// The failure of the replacement.
    public typealias Failure = NewPublisher.Failure

    /// Attaches a subscriber.
    @inlinable @inline(__always)
    public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
      let arbiter = Arbiter(name: "Catch")
      upstream.receive(
        subscriber: Leg(arbiter, subscriber, isFirst: true) { [handler] completion, _ in
          arbiter.recover(from: completion, to: subscriber) { arbiter.finish(with: handler($0), to: subscriber) }
        })
    }

    /// Makes the publisher; see `catch(_:)`.
    @inlinable
    public init(upstream: Upstream, handler: @escaping (Upstream.Failure) -> NewPublisher) {
      self.upstream = upstream
      self.handler = handler
    }
  }

  /// Goes on with another publisher when upstream fails, or fails with what is thrown; see `tryCatch(_:)`.
  public struct TryCatch<Upstream: Publisher, NewPublisher: Publisher>: Publisher
  where Upstream.Output == NewPublisher.Output {
    /// Where the values come from at first.
    public let upstream: Upstream
    /// Makes the replacement or throws.
    public let handler: (Upstream.Failure) throws -> NewPublisher

    /// What both publish.
    public typealias Output = Upstream.Output
    /// Any error: the closure's or the replacement's.
    public typealias Failure = any Error

    /// Attaches a subscriber.
    @inlinable @inline(__always)
    public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
      let arbiter = Arbiter(name: "TryCatch")
      upstream.receive(
        subscriber: Leg(arbiter, subscriber, isFirst: true) { [handler] completion, _ in
          arbiter.recover(from: completion, to: subscriber) { failure in
            do {
              arbiter.finishErasing(with: try handler(failure), to: subscriber)
            } catch {
              arbiter.deliver(completion: .failure(error), to: subscriber)
            }
          }
        })
    }

    /// Makes the publisher; see `tryCatch(_:)`.
    @inlinable
    public init(upstream: Upstream, handler: @escaping (Upstream.Failure) throws -> NewPublisher) {
      self.upstream = upstream
      self.handler = handler
    }
  }

  /// Publishes a value in place of a failure; see `replaceError(with:)`.
  public struct ReplaceError<Upstream: Publisher>: Publisher {
    /// The replacement.
    public let output: Upstream.Output
    /// Where the values come from.
    public let upstream: Upstream

    /// What upstream publishes.
    public typealias Output = Upstream.Output
    /// A failure is replaced.
    public typealias Failure = Never

    /// Attaches a subscriber.
    @inlinable @inline(__always)
    public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Never {
      let arbiter = Arbiter(name: "ReplaceError")
      let replacement = Just(output)
      upstream.receive(
        subscriber: Leg(arbiter, subscriber, isFirst: true) { completion, _ in
          arbiter.recover(from: completion, to: subscriber) { _ in arbiter.finish(with: replacement, to: subscriber) }
        })
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
  public struct ReplaceEmpty<Upstream: Publisher>: Publisher {
    /// The replacement.
    public let output: Upstream.Output
    /// Where the values come from.
    public let upstream: Upstream

    /// What upstream publishes.
    public typealias Output = Upstream.Output
    /// The failure of upstream.
    public typealias Failure = Upstream.Failure

    /// Attaches a subscriber.
    @inlinable @inline(__always)
    public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
      let arbiter = Arbiter(name: "ReplaceEmpty")
      let replacement = Sequence<[Output], Failure>(sequence: [output])
      upstream.receive(
        subscriber: Leg(arbiter, subscriber, isFirst: true) { completion, isEmpty in
          if case .finished = completion, isEmpty {
            arbiter.finish(with: replacement, to: subscriber)
          } else {
            arbiter.deliver(completion: completion, to: subscriber)
          }
        })
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

extension Arbiter {
  /// Passes a normal end on, and lets a closure go on after a failure.
  @inlinable @inline(__always)
  func recover<Failure: Error, S: Subscriber>(
    from completion: Subscribers.Completion<Failure>, to subscriber: S, _ goOn: (Failure) -> Void
  ) {
    switch completion {
    case .finished: deliver(completion: .finished, to: subscriber)
    case .failure(let error): goOn(error)
    }
  }

  /// Goes on with a last publisher, whose end is the end.
  @inlinable @inline(__always)
  func finish<P: Publisher, S: Subscriber>(with last: P, to subscriber: S)
  where P.Output == S.Input, P.Failure == S.Failure {
    last.receive(
      subscriber: Leg(self, subscriber, isFirst: false) { completion, _ in
        self.deliver(completion: completion, to: subscriber)
      })
  }

  /// Goes on with a last publisher, whose end is the end and whose failure loses its type.
  @inlinable @inline(__always)
  func finishErasing<P: Publisher, S: Subscriber>(with last: P, to subscriber: S)
  where P.Output == S.Input, S.Failure == any Error {
    last.receive(
      subscriber: Leg(self, subscriber, isFirst: false) { completion, _ in
        self.deliver(completion: completion.mapError { $0 }, to: subscriber)
      })
  }
}
