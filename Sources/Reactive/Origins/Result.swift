extension Result {
  /// A publisher of the success, or of the failure.
  @inlinable
  public var publisher: Result<Success, Failure>.Publisher {
    Publisher(self)
  }

  /// Publishes a value and finishes, or fails.
  ///
  /// The value is delivered at the first request. The failure comes at once and needs no demand. After a cancel nothing
  /// comes.
  public struct Publisher: Reactive.Publisher {
    /// The type of the value.
    public typealias Output = Success

    /// The value or the error.
    public let result: Result<Success, Failure>

    /// Makes a publisher of a value or an error.
    ///
    /// - Parameter result: The value or the error.
    @inlinable
    public init(_ result: Result<Success, Failure>) {
      self.result = result
    }

    /// Makes a publisher of a value.
    ///
    /// - Parameter output: The value.
    @inlinable
    public init(_ output: Success) {
      result = .success(output)
    }

    /// Makes a publisher that fails.
    ///
    /// - Parameter failure: The error.
    @inlinable
    public init(_ failure: Failure) {
      result = .failure(failure)
    }

    /// Attaches a subscriber, which gets the value at its first request, or the failure.
    @inlinable @inline(__always)
    public func receive<S: Subscriber>(subscriber: S) where S.Input == Success, S.Failure == Failure {
      switch result {
      case .success(let output): deliverOnce(output, label: "Once", to: subscriber)
      case .failure(let error): deliverCompletion(.failure(error), to: subscriber)
      }
    }
  }
}

extension Result.Publisher: Equatable where Success: Equatable, Failure: Equatable {}
extension Result.Publisher: Sendable where Success: Sendable {}
