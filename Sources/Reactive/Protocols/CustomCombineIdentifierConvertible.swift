/// Something that tells its own identity, to distinguish subscribers and subscriptions.
public protocol CustomCombineIdentifierConvertible {
  /// The identity; equal identifiers mean the same subscriber or subscription.
  var combineIdentifier: CombineIdentifier { get }
}

extension CustomCombineIdentifierConvertible where Self: AnyObject {
  /// The identity of the object.
  public var combineIdentifier: CombineIdentifier {
    CombineIdentifier(self)
  }
}
