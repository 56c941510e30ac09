internal import Reactive

/// Counts what is alive, to find out whether something lets go of all that it was given.
///
/// It hands out tokens with labels, by themselves, in values and in closures; `count` tells how many still exist, and
/// `description` which. A token may be released on any thread.
///
///     let live = LiveObjects()
///     let subscription = source.map(live.track("map") { $0 + 1 }).sink { _ in }
///     subscription.cancel()
///     #expect(live.count == 0, "\(live)")
public final class LiveObjects: CustomStringConvertible, @unchecked Sendable {
  // Sendable: the numbers are touched under the lock only.
  private let lock = Lock()
  private var numbers: [String: Int] = [:]

  /// Starts with nothing alive.
  public init() {}

  /// Something that counts as alive until it is released.
  ///
  /// - Parameter label: What reports call it.
  public func token(_ label: String) -> LiveToken {
    LiveToken(label, self)
  }

  /// A value that carries a token, which all its copies share.
  ///
  /// - Parameters:
  ///   - value: The value.
  ///   - label: What reports call it.
  public func value<Value>(_ value: Value, _ label: String = "value") -> Tracked<Value> {
    Tracked(value, token(label))
  }

  /// A closure that counts as alive until the last copy of it is released.
  ///
  /// - Parameters:
  ///   - label: What reports call it.
  ///   - body: What it does.
  public func track<A, R>(
    _ label: String, _ body: @escaping (A) -> R
  ) -> (A) -> R {
    let token = token(label)
    return { a in
      defer { token.keep() }
      return body(a)
    }
  }

  /// A closure of two parameters that counts as alive until the last copy of it is released.
  ///
  /// - Parameters:
  ///   - label: What reports call it.
  ///   - body: What it does.
  public func track<A, B, R>(
    _ label: String, _ body: @escaping (A, B) -> R
  ) -> (A, B) -> R {
    let token = token(label)
    return { a, b in
      defer { token.keep() }
      return body(a, b)
    }
  }

  /// A closure that may throw, and counts as alive until the last copy of it is released.
  ///
  /// - Parameters:
  ///   - label: What reports call it.
  ///   - body: What it does.
  public func tryTrack<A, R>(
    _ label: String, _ body: @escaping (A) throws -> R
  ) -> (A) throws -> R {
    let token = token(label)
    return { a in
      defer { token.keep() }
      return try body(a)
    }
  }

  /// A closure of two parameters that may throw, and counts as alive until the last copy of it is released.
  ///
  /// - Parameters:
  ///   - label: What reports call it.
  ///   - body: What it does.
  public func tryTrack<A, B, R>(
    _ label: String, _ body: @escaping (A, B) throws -> R
  ) -> (A, B) throws -> R {
    let token = token(label)
    return { a, b in
      defer { token.keep() }
      return try body(a, b)
    }
  }

  /// How many tokens are alive.
  public var count: Int { lock.withLock { numbers.values.reduce(0, +) } }

  /// How many tokens are alive of each label that has any.
  public var counts: [String: Int] { lock.withLock { numbers } }

  /// What is alive, such as `2 alive: 1 map, 1 value`.
  public var description: String {
    let counts = counts.sorted { $0.key < $1.key }
    let total = counts.reduce(0) { $0 + $1.value }
    guard total > 0 else { return "nothing is alive" }
    return "\(total) alive: " + counts.map { "\($0.value) \($0.key)" }.joined(separator: ", ")
  }

  fileprivate func add(_ number: Int, to label: String) {
    lock.withLock {
      let sum = numbers[label, default: 0] + number
      numbers[label] = sum == 0 ? nil : sum
    }
  }
}

/// Counts as alive while it exists; handed out by `LiveObjects`.
public final class LiveToken: Sendable {
  /// What reports call it.
  public let label: String
  private let objects: LiveObjects

  fileprivate init(_ label: String, _ objects: LiveObjects) {
    self.label = label
    self.objects = objects
    objects.add(1, to: label)
  }

  deinit {
    objects.add(-1, to: label)
  }

  /// Does nothing but make sure that the token is alive here.
  ///
  /// Called in a closure, it makes the closure hold the token.
  @inline(never)
  public func keep() {}
}

/// A value with a token, so that `LiveObjects` knows of it.
///
/// Equality and order are those of the value alone.
public struct Tracked<Value> {
  /// The value.
  public let value: Value
  private let token: LiveToken

  fileprivate init(_ value: Value, _ token: LiveToken) {
    self.value = value
    self.token = token
  }

  /// Another value with the same token.
  ///
  /// - Parameter transform: Makes the value.
  /// - Throws: What the closure throws.
  public func map<Other>(_ transform: (Value) throws -> Other) rethrows -> Tracked<Other> {
    Tracked<Other>(try transform(value), token)
  }
}

extension Tracked: Sendable where Value: Sendable {}

extension Tracked: Equatable where Value: Equatable {
  /// Whether the values are equal.
  public static func == (lhs: Tracked, rhs: Tracked) -> Bool { lhs.value == rhs.value }
}

extension Tracked: Hashable where Value: Hashable {
  /// Hashes the value.
  public func hash(into hasher: inout Hasher) { hasher.combine(value) }
}

extension Tracked: Comparable where Value: Comparable {
  /// Whether the left value comes first.
  public static func < (lhs: Tracked, rhs: Tracked) -> Bool { lhs.value < rhs.value }
}

extension Tracked: CustomStringConvertible {
  /// The value.
  public var description: String { "\(value)" }
}
