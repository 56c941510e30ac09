/// The own part of an operator with one upstream: a value without lock, demand or downstream.
///
/// One logic serves an operator and its `try` twin: with `Rule` = `Keeping` nothing is thrown and upstream's failure
/// stays; with `Erasing` both become `any Error`.
@usableFromInline
package protocol OperatorLogic {
  associatedtype Input
  associatedtype Output
  associatedtype Rule: FailureRule

  /// How the operator describes itself; its `try` twin puts `Try` in front.
  var name: String { get }

  /// Attaches downstream to upstream, with this in between.
  func attach<P: Publisher, S: Subscriber>(_ downstream: S, to upstream: P)
  where P.Output == Input, P.Failure == Rule.Input, S.Input == Output, S.Failure == Rule.Output
}

/// What an operator may throw, and what becomes of failures.
@usableFromInline
package protocol FailureRule {
  associatedtype Input: Error
  associatedtype Thrown: Error
  associatedtype Output: Error
  /// Whether the operator is the `try` twin.
  static var tries: Bool { get }
  static func output(thrown error: Thrown) -> Output
}

/// A rule that says by itself what becomes of upstream's failure.
@usableFromInline
package protocol ConvertingFailureRule: FailureRule {
  static func output(_ error: Input) -> Output
}

/// Throws nothing, keeps the type of failure.
@frozen
@usableFromInline
package enum Keeping<Failure: Error>: ConvertingFailureRule {
  @usableFromInline package typealias Input = Failure
  @usableFromInline package typealias Thrown = Never
  @usableFromInline package typealias Output = Failure
  @inlinable package static var tries: Bool { false }
  @inlinable
  package static func output(_ error: Failure) -> Failure { error }
  @inlinable
  package static func output(thrown error: Never) -> Failure {}
}

/// Throws anything, and forgets the type of failure.
@frozen
@usableFromInline
package enum Erasing<Failure: Error>: ConvertingFailureRule {
  @usableFromInline package typealias Input = Failure
  @usableFromInline package typealias Thrown = any Error
  @usableFromInline package typealias Output = any Error
  @inlinable package static var tries: Bool { true }
  @inlinable
  package static func output(_ error: Failure) -> any Error { error }
  @inlinable
  package static func output(thrown error: any Error) -> any Error { error }
}

/// Throws nothing, and replaces the type of failure in a way that the stage's `completion(_:)` knows.
@frozen
@usableFromInline
package enum Replacing<Input: Error, Output: Error>: FailureRule {
  @usableFromInline package typealias Thrown = Never
  @inlinable package static var tries: Bool { false }
  @inlinable
  package static func output(thrown error: Never) -> Output {}
}
