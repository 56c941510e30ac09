extension Optional {
  /// A publisher of the value, if there is one.
  @inlinable
  public var publisher: Optional<Wrapped>.Publisher {
    Publisher(self)
  }

  /// Publishes a value if there is one, then finishes.
  ///
  /// The value is delivered at the first request; it cannot fail. Without a value the completion comes at once and needs
  /// no demand. After a cancel nothing comes.
  public struct Publisher: Reactive.Publisher {
    /// The type of the value.
    public typealias Output = Wrapped
    /// A value or nothing never fails.
    public typealias Failure = Never

    /// The value, or nil.
    public let output: Wrapped?

    /// Makes a publisher of a value or nothing.
    ///
    /// - Parameter output: The value, or nil.
    @inlinable
    public init(_ output: Wrapped?) {
      self.output = output
    }

    /// Attaches a subscriber, which gets the value at its first request.
    @inlinable @inline(__always)
    public func receive<S: Subscriber>(subscriber: S) where S.Input == Wrapped, S.Failure == Never {
      if let output {
        deliverOnce(output, label: "Optional", to: subscriber)
      } else {
        deliverCompletion(.finished, to: subscriber)
      }
    }
  }
}

extension Optional.Publisher: Equatable where Wrapped: Equatable {}
extension Optional.Publisher: Sendable where Wrapped: Sendable {}
