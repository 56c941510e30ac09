internal import Reactive

/// A list that any thread may append to.
public final class Log<Element>: @unchecked Sendable, CustomStringConvertible {
  // Sendable: the list is touched under the lock only; its elements are the business of those who append them.
  private let lock = Lock()
  private var elements: [Element] = []

  /// Makes an empty list.
  public init() {}

  /// Adds an element.
  ///
  /// - Parameter element: Comes last.
  public func append(_ element: Element) {
    lock.withLock { elements.append(element) }
  }

  /// The elements so far, in their order.
  public var all: [Element] { lock.withLock { elements } }

  /// The elements.
  public var description: String { "\(all)" }
}
