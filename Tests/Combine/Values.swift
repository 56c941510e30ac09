// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation
// Nobody but the tests of the bridge can import this module.

import Synchronization

public enum Subscribers {
  /// A number of values, of which `Int.max` stands for any number.
  public struct Demand: Equatable, Comparable, Sendable {
    private let count: Int

    public static let unlimited = Demand(count: .max)
    public static let none = Demand(count: 0)

    public static func max(_ value: Int) -> Demand {
      precondition(value >= 0)
      return Demand(count: value)
    }

    public var max: Int? { count == .max ? nil : count }

    public static func < (lhs: Demand, rhs: Demand) -> Bool { lhs.count < rhs.count }

    public static func + (lhs: Demand, rhs: Demand) -> Demand {
      let (sum, overflow) = lhs.count.addingReportingOverflow(rhs.count)
      return overflow ? .unlimited : Demand(count: sum)
    }

    public static func += (lhs: inout Demand, rhs: Demand) { lhs = lhs + rhs }

    public static func -= (lhs: inout Demand, rhs: Int) {
      if lhs != .unlimited { lhs = Demand(count: lhs.count - rhs) }
    }
  }

  public enum Completion<Failure: Error> {
    case finished
    case failure(Failure)
  }
}

public struct CombineIdentifier: Hashable {
  private let object: ObjectIdentifier?
  private let number: Int

  private static let numbers = Atomic(0)

  public init() {
    object = nil
    number = Self.numbers.add(1, ordering: .relaxed).newValue
  }

  public init(_ obj: AnyObject) {
    object = ObjectIdentifier(obj)
    number = 0
  }
}
