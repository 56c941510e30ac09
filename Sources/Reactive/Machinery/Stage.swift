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

/// The logic of an element-wise operator.
@usableFromInline
package protocol Stage: OperatorLogic {
  // Declared again, to be inferred from what is required here.
  associatedtype Input
  associatedtype Output
  associatedtype Rule

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
  @inlinable @inline(__always)
  package func attach<P: Publisher, S: Subscriber>(_ downstream: S, to upstream: P)
  where P.Output == Input, P.Failure == Rule.Input, S.Input == Output, S.Failure == Rule.Output {
    upstream.receive(subscriber: Conduit(self, downstream))
  }

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
