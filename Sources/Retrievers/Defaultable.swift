/// A type with a value that stands for "nothing yet".
///
/// A retriever gives it as long as it has not been told how to retrieve.
public protocol Defaultable {
  /// The value that stands for "nothing yet".
  static var defaultValue: Self { get }
}

extension Array: Defaultable {
  /// The empty array.
  public static var defaultValue: [Element] { [] }
}

extension Optional: Defaultable {
  /// `nil`.
  public static var defaultValue: Wrapped? { nil }
}

extension Set: Defaultable {
  /// The empty set.
  public static var defaultValue: Set<Element> { [] }
}

extension Dictionary: Defaultable {
  /// The empty dictionary.
  public static var defaultValue: [Key: Value] { [:] }
}
