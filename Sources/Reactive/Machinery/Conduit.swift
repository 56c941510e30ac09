/// Runs a stage between one upstream and one downstream.
///
/// Written once for all element-wise operators: the first subscription wins; nothing passes after an end or a cancel;
/// a skipped value is made up for; the operator's own end cancels upstream before downstream learns of it. Upstream is
/// serial, so values take no lock. It is generic over the stage and the downstream, never over an upstream type: the
/// size of a chain's type stays linear.
@usableFromInline
package final class Conduit<S: Stage, Downstream: Subscriber>: Subscriber, CustomStringConvertible
where Downstream.Input == S.Output, Downstream.Failure == S.Rule.Output {
  // Serial by contract; a dynamic check would cost about as much as the delivery.
  @exclusivity(unchecked)
  @usableFromInline
  var stage: S

  @usableFromInline
  let downstream: Downstream

  @usableFromInline
  let slot: SubscriptionSlot

  @inlinable
  package init(_ stage: S, _ downstream: Downstream) {
    self.stage = stage
    self.downstream = downstream
    slot = SubscriptionSlot(name: stage.isTransparent && !stage.isTwin ? nil : stage.name, tries: stage.isTwin)
  }

  @inlinable
  package func receive(subscription: any Subscription) {
    guard slot.take(subscription) else { return }
    if stage.isFinished { return finishAtOnce() }
    stage.receive(subscription: subscription)
    downstream.receive(subscription: stage.subscription(slot))
    slot.request(stage.prefetch)
  }

  /// Ends before the first value: no request may reach upstream.
  @usableFromInline
  func finishAtOnce() {
    slot.cancel()
    deliverCompletion(.finished, to: downstream)
  }

  @inlinable @inline(__always)
  package func receive(_ input: S.Input) -> Subscribers.Demand {
    guard slot.isOpen else { return .none }
    let step: Step<S.Output>
    do throws(S.Rule.Thrown) {
      step = try stage.receive(input)
    } catch {
      end(with: .failure(S.Rule.output(thrown: error)))
      return .none
    }
    // The stage ran a closure of the user's, which may have cancelled.
    guard slot.isOpen else { return .none }
    // One call to downstream in the source: it is inlined there, and two would double the code with each stage.
    let output: S.Output
    let isLast: Bool
    switch step {
    case .emit(let value): (output, isLast) = (value, false)
    case .emitAndFinish(let value): (output, isLast) = (value, true)
    case .skip: return .max(1)
    case .swallow: return .none
    case .finish:
      end(with: .finished)
      return .none
    }
    let demand = downstream.receive(output)
    if isLast {
      end(with: .finished)
      return .none
    }
    stage.returned(demand)
    return demand
  }

  @inlinable
  package func receive(completion: Subscribers.Completion<S.Rule.Input>) {
    guard slot.end() != nil else { return }
    let completion = stage.completion(completion)
    // The stage ran a closure of the user's, which may have cancelled.
    if !slot.isCancelled { downstream.receive(completion: completion) }
  }

  /// The operator's own end: upstream is cancelled first.
  @usableFromInline
  func end(with completion: Subscribers.Completion<S.Rule.Output>) {
    guard let upstream = slot.end() else { return }
    upstream.cancel()
    // Upstream may have run code that cancelled.
    if !slot.isCancelled { downstream.receive(completion: completion) }
  }

  @usableFromInline
  package var description: String { stage.isTwin ? "Try" + stage.name : stage.name }
}
