internal import Synchronization

/// The identity of a subscriber or subscription: an object's address, or a number that no other identifier has.
public struct CombineIdentifier: Hashable, CustomStringConvertible, Sendable {
  private let number: UInt64

  private static let numbers = Atomic<UInt64>(1)

  /// Makes an identifier that is equal to no other one made this way.
  public init() {
    number = Self.numbers.wrappingAdd(1, ordering: .relaxed).oldValue
  }

  /// Makes the identifier of an object: its address.
  ///
  /// - Parameter obj: The object; it is not kept alive.
  public init(_ obj: AnyObject) {
    number = UInt64(UInt(bitPattern: ObjectIdentifier(obj)))
  }

  /// The number in hexadecimal, with the prefix `0x`.
  public var description: String {
    "0x" + String(number, radix: 16)
  }
}
