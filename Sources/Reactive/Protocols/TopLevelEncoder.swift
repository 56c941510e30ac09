/// Turns values into another form, such as data.
public protocol TopLevelEncoder {
  /// The form that values are turned into.
  associatedtype Output

  /// Encodes a value.
  ///
  /// - Returns: The value in its other form.
  func encode<T: Encodable>(_ value: T) throws -> Output
}
