extension Publisher {
  /// Publishes each value encoded, and fails when it cannot be.
  ///
  /// ```text
  /// source.encode(encoder: Uppercase())
  /// source    -a-x-b-|
  /// demand    2
  /// output    -A-#
  /// upstream  2--!
  /// ```
  ///
  /// Demand, completion, failure and cancel pass. An error of the encoder cancels upstream and becomes the failure.
  ///
  /// - Parameter encoder: Encodes the values, on the thread that delivers.
  @inlinable @inline(__always)
  public func encode<Coder: TopLevelEncoder>(encoder: Coder) -> Publishers.Encode<Self, Coder>
  where Output: Encodable {
    Publishers.Encode(upstream: self, encoder: encoder)
  }

  /// Publishes each value decoded, and fails when it cannot be.
  ///
  /// ```text
  /// source.decode(type: String.self, decoder: Lowercase())
  /// source    -A-X-B-|
  /// demand    2
  /// output    -a-#
  /// upstream  2--!
  /// ```
  ///
  /// Demand, completion, failure and cancel pass. An error of the decoder cancels upstream and becomes the failure.
  ///
  /// - Parameters:
  ///   - type: What to decode.
  ///   - decoder: Decodes the values, on the thread that delivers.
  @inlinable @inline(__always)
  public func decode<Item: Decodable, Coder: TopLevelDecoder>(
    type: Item.Type, decoder: Coder
  ) -> Publishers.Decode<Self, Item, Coder> where Output == Coder.Input {
    Publishers.Decode(upstream: self, decoder: decoder)
  }
}

extension Publishers {
  /// Publishes each value encoded; see `encode(encoder:)`.
  public struct Encode<Upstream: Publisher, Coder: TopLevelEncoder>: LogicOperator where Upstream.Output: Encodable {
    /// Where the values come from.
    public let upstream: Upstream
    @usableFromInline let encoder: Coder

    /// What the encoder makes.
    public typealias Output = Coder.Output
    /// Any error: the encoder's or upstream's.
    public typealias Failure = any Error

    @inlinable var logic: Applying<Throwing<Output>, Encoding<Upstream.Output, Output>> {
      Applying(Throwing { [encoder] in try encoder.encode($0) })
    }

    /// Makes the publisher; see `encode(encoder:)`.
    @inlinable
    public init(upstream: Upstream, encoder: Coder) {
      self.upstream = upstream
      self.encoder = encoder
    }
  }

  /// Publishes each value decoded; see `decode(type:decoder:)`.
  public struct Decode<Upstream: Publisher, Output: Decodable, Coder: TopLevelDecoder>: LogicOperator
  where Upstream.Output == Coder.Input {
    /// Where the values come from.
    public let upstream: Upstream
    @usableFromInline let decoder: Coder

    /// Any error: the decoder's or upstream's.
    public typealias Failure = any Error

    @inlinable var logic: Applying<Throwing<Output>, Decoding<Upstream.Output, Output>> {
      Applying(Throwing { [decoder] in try decoder.decode(Output.self, from: $0) })
    }

    /// Makes the publisher; see `decode(type:decoder:)`.
    @inlinable
    public init(upstream: Upstream, decoder: Coder) {
      self.upstream = upstream
      self.decoder = decoder
    }
  }
}

/// The logic of `encode`.
@usableFromInline
enum Encoding<Input, Output>: Conversion {
  @inlinable static var name: String { "Encode" }
  @inlinable static var hasTwin: Bool { false }
  @inlinable static var isTransparent: Bool { false }
}

/// The logic of `decode`.
@usableFromInline
enum Decoding<Input, Output>: Conversion {
  @inlinable static var name: String { "Decode" }
  @inlinable static var hasTwin: Bool { false }
  @inlinable static var isTransparent: Bool { false }
}
