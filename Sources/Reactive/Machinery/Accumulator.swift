/// The logic of an operator that takes all values and gives at most one result.
@usableFromInline
package protocol Accumulator: OperatorLogic where Rule: ConvertingFailureRule {
  // Declared again, to be inferred from what is required here.
  associatedtype Input
  associatedtype Output
  associatedtype Rule

  /// Takes a value.
  ///
  /// - Returns: Whether the result is settled, so that no further value is needed.
  mutating func receive(_ input: Input) throws(Rule.Thrown) -> Bool

  /// The result; nil for none. Asked for once, when it is settled or upstream has finished.
  mutating func result() -> Output?
}

extension Accumulator {
  @inlinable @inline(__always)
  package func attach<P: Publisher, S: Subscriber>(_ downstream: S, to upstream: P)
  where P.Output == Input, P.Failure == Rule.Input, S.Input == Output, S.Failure == Rule.Output {
    upstream.receive(subscriber: AccumulatingConduit(self, downstream))
  }
}

/// Runs an accumulator between one upstream and one downstream.
///
/// Written once for all aggregating operators: everything is requested at once, the result waits for the demand of
/// downstream, a result settled early cancels upstream, and an end without a result needs no demand.
@usableFromInline
package final class AccumulatingConduit<A: Accumulator, Downstream: Subscriber>: Subscriber, CustomStringConvertible
where Downstream.Input == A.Output, Downstream.Failure == A.Rule.Output {
  // Serial by contract; a dynamic check would cost about as much as the step.
  @exclusivity(unchecked)
  @usableFromInline
  var accumulator: A

  @usableFromInline
  let downstream: Downstream

  @usableFromInline
  let subscription: ResultSlot

  @inlinable
  package init(_ accumulator: A, _ downstream: Downstream) {
    self.accumulator = accumulator
    self.downstream = downstream
    subscription = ResultSlot(name: A.Rule.tries ? "Try" + accumulator.name : accumulator.name)
  }

  @inlinable
  package func receive(subscription upstream: any Subscription) {
    guard subscription.slot.take(upstream) else { return }
    downstream.receive(subscription: subscription)
    subscription.slot.request(.unlimited)
  }

  @inlinable @inline(__always)
  package func receive(_ input: A.Input) -> Subscribers.Demand {
    guard subscription.slot.isOpen else { return .none }
    do throws(A.Rule.Thrown) {
      if try accumulator.receive(input) { settle() }
    } catch {
      fail(thrown: error)
    }
    return .none
  }

  @inlinable
  package func receive(completion: Subscribers.Completion<A.Rule.Input>) {
    guard subscription.slot.end() != nil else { return }
    switch completion {
    case .finished: deliver()
    case .failure(let error): end(with: .failure(A.Rule.output(error)))
    }
  }

  @inlinable
  func settle() {
    guard let upstream = subscription.slot.end() else { return }
    upstream.cancel()
    deliver()
  }

  @inlinable
  func fail(thrown error: A.Rule.Thrown) {
    guard let upstream = subscription.slot.end() else { return }
    upstream.cancel()
    end(with: .failure(A.Rule.output(thrown: error)))
  }

  /// Sends the result when there is demand for it, then the completion.
  @inlinable
  func deliver() {
    guard let result = accumulator.result() else {
      end(with: .finished)
      return
    }
    let single = Single(result)
    let (downstream, subscription) = (downstream, subscription)
    subscription.settle {
      _ = downstream.receive(single.value)
      if subscription.end() { downstream.receive(completion: .finished) }
    }
  }

  @inlinable
  func end(with completion: Subscribers.Completion<A.Rule.Output>) {
    if subscription.end() { downstream.receive(completion: completion) }
  }

  @usableFromInline
  package var description: String { subscription.description }
}
