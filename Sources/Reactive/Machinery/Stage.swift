/// What a stage makes of one value.
@frozen
@usableFromInline
package enum Step<Output> {
  /// Deliver this.
  case emit(Output)
  /// Deliver nothing, and ask upstream for another value instead.
  case skip
  /// Deliver nothing; the value was asked for in advance, so nothing has to make up for it.
  case swallow
  /// Deliver this, then end.
  case emitAndFinish(Output)
  /// Deliver nothing and end.
  case finish
}

/// The logic of an element-wise operator: a value without lock, demand or downstream.
///
/// One stage serves an operator and its `try` twin: with `Rule` = `Keeping` nothing is thrown and upstream's failure
/// stays; with `Erasing` both become `any Error`.
@usableFromInline
package protocol Stage {
  associatedtype Input
  associatedtype Output
  associatedtype Rule: FailureRule

  /// How the operator describes itself; its `try` twin puts `Try` in front.
  var name: String { get }
  /// Whether this is the `try` twin of another operator; not so for one that always throws.
  var isTwin: Bool { get }
  /// Whether the subscription that the operator hands downstream describes itself like upstream's; a `try` twin's
  /// never does.
  var isTransparent: Bool { get }
  /// What to request in advance, for values that `swallow` will take.
  var prefetch: Subscribers.Demand { get }
  /// Whether the stage has ended before its first value.
  var isFinished: Bool { get }

  /// Learns of upstream's subscription before downstream does.
  mutating func receive(subscription: any Subscription)
  /// What downstream gets for a subscription.
  mutating func subscription(_ slot: SubscriptionSlot) -> any Subscription
  mutating func receive(_ input: Input) throws(Rule.Thrown) -> Step<Output>
  /// Learns how much downstream asked for by returning it.
  func returned(_ demand: Subscribers.Demand)
  /// What downstream learns when upstream ends.
  func completion(_ completion: Subscribers.Completion<Rule.Input>) -> Subscribers.Completion<Rule.Output>
}

extension Stage {
  @inlinable package var isTwin: Bool { Rule.tries }
  @inlinable package var isTransparent: Bool { false }
  @inlinable package var prefetch: Subscribers.Demand { .none }
  @inlinable package var isFinished: Bool { false }
  @inlinable
  package func receive(subscription: any Subscription) {}
  @inlinable
  package func subscription(_ slot: SubscriptionSlot) -> any Subscription { slot }
  @inlinable @inline(__always)
  package func returned(_ demand: Subscribers.Demand) {}
}

extension Stage where Input == Output {
  /// Values pass as they are.
  @inlinable @inline(__always)
  package func receive(_ input: Input) -> Step<Output> { .emit(input) }
}

extension Stage where Rule: ConvertingFailureRule {
  @inlinable
  package func completion(_ completion: Subscribers.Completion<Rule.Input>) -> Subscribers.Completion<Rule.Output> {
    completion.mapError(Rule.output)
  }
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
