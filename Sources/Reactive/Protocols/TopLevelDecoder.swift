/// Turns another form, such as data, back into values.
public protocol TopLevelDecoder {
  /// The form that values are read from.
  associatedtype Input

  /// Decodes a value.
  ///
  /// - Returns: The value that was encoded.
  func decode<T: Decodable>(_ type: T.Type, from: Input) throws -> T
}
