/// What an object that several threads use at once is allowed to do, as a pure value.
///
/// An operation takes effect in one step, at some moment between its call and its return; that is what *linearizable*
/// means (Herlihy and Wing, 1990). An operation of which more can be seen, such as a delivery to one subscriber after the
/// other, goes on in further steps, and other threads may come between them.
public protocol Specification: Hashable {
  /// What a thread can do with the object.
  associatedtype Operation: Hashable & Sendable
  /// What can be seen of the object and of the operations' results when all is done.
  associatedtype Observation: Hashable & Sendable

  /// Does the first step of an operation.
  ///
  /// - Parameters:
  ///   - operation: What is done.
  ///   - call: Which thread does it.
  /// - Returns: Whether the operation goes on.
  mutating func begin(_ operation: Operation, _ call: Call) -> Bool

  /// Does the next step of an operation that goes on.
  ///
  /// - Parameters:
  ///   - operation: What is done.
  ///   - call: Which thread does it.
  /// - Returns: Whether the operation goes on.
  mutating func proceed(_ operation: Operation, _ call: Call) -> Bool

  /// What can be seen now.
  var observation: Observation { get }
}

extension Specification {
  /// Does nothing: an operation is one step.
  public mutating func proceed(_ operation: Operation, _ call: Call) -> Bool { false }
}

/// One operation of one thread.
public struct Call: Hashable, Comparable, Sendable, CustomStringConvertible {
  /// The thread; the first is 0.
  public let thread: Int
  /// Which operation of this thread; the first is 0.
  public let number: Int

  /// Makes a call.
  ///
  /// - Parameters:
  ///   - thread: The thread; the first is 0.
  ///   - number: Which operation of this thread; the first is 0.
  public init(thread: Int, number: Int) {
    self.thread = thread
    self.number = number
  }

  /// Orders by thread, then by number.
  public static func < (lhs: Call, rhs: Call) -> Bool {
    (lhs.thread, lhs.number) < (rhs.thread, rhs.number)
  }

  /// A letter for the thread and the number, as in `B2` for the second call of the second thread.
  public var description: String {
    "\(Character(UnicodeScalar(UInt8(ascii: "A") + UInt8(clamping: thread % 26))))\(number + 1)"
  }
}
