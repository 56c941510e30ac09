/// What an operator with several sources may deliver, and when: values in, effects out, without lock or subscriber.
///
/// One value at a time is on its way downstream; what arrives meanwhile, and what has no demand, waits in order. The end
/// waits for what was accepted before it, a failure does not.
@usableFromInline
struct Junction<Output, Failure: Error, Side> {
  /// What the caller has to do, after unlocking.
  @usableFromInline
  enum Effect {
    /// Deliver this value, which has waited and came from that side; then ask `next`.
    case deliver(Output, side: Side)
    /// Deliver the completion, the last thing to do.
    case end(Subscribers.Completion<Failure>)
    /// Nothing, now.
    case rest
  }

  /// Whether values beyond the demand make place for newer ones.
  @usableFromInline let conflates: Bool

  @usableFromInline var demand = Subscribers.Demand.none
  @usableFromInline var isDelivering = false
  @usableFromInline var backlog = Ring<(output: Output, side: Side)>()
  @usableFromInline var ending: Subscribers.Completion<Failure>?
  @usableFromInline var isOver = false

  @inlinable
  init(conflates: Bool = false) {
    self.conflates = conflates
  }

  /// Takes a value.
  ///
  /// - Parameter dropped: Gets the value that made place, or this one if nobody wants it: to be released after unlocking.
  /// - Returns: Whether to deliver the value now, and then to ask `next`; otherwise it waits or is dropped.
  @inlinable
  mutating func offer(_ output: Output, from side: Side, dropped: inout Output?) -> Bool {
    if !isDelivering, demand > .none, backlog.isEmpty || conflates, ending == nil, !isOver {
      // With demand, what has waited for it is superseded: a combination that is newer is here.
      if !backlog.isEmpty { dropped = backlog.removeLast()?.output }
      isDelivering = true
      demand -= 1
      return true
    }
    keep(output, from: side, dropped: &dropped)
    return false
  }

  @inlinable
  mutating func keep(_ output: Output, from side: Side, dropped: inout Output?) {
    guard ending == nil, !isOver else {
      dropped = output
      return
    }
    if conflates, demand <= backlog.count { dropped = backlog.removeLast()?.output }
    backlog.append((output, side))
  }

  /// Makes way for a value that is not kept, if nothing stands in its way.
  ///
  /// - Returns: Whether to deliver it now, and then to ask `next`.
  @inlinable
  mutating func passes() -> Bool {
    guard !isDelivering, demand > .none, backlog.isEmpty, ending == nil, !isOver else { return false }
    isDelivering = true
    demand -= 1
    return true
  }

  /// Says how it goes on after a value has been delivered.
  ///
  /// - Parameter more: What downstream has asked for in addition.
  @inlinable
  mutating func next(_ more: Subscribers.Demand) -> Effect {
    if more == .none, backlog.isEmpty, ending == nil {
      isDelivering = false
      return .rest
    }
    return proceed(more)
  }

  @inlinable
  mutating func proceed(_ more: Subscribers.Demand) -> Effect {
    demand += more
    guard !isOver else {
      isDelivering = false
      return .rest
    }
    if case .failure = ending { return over() }
    if demand > .none, let (output, side) = backlog.popFirst() {
      demand -= 1
      return .deliver(output, side: side)
    }
    if backlog.isEmpty, ending != nil { return over() }
    isDelivering = false
    return .rest
  }

  @inlinable
  mutating func over() -> Effect {
    guard let ending else { return .rest }
    isOver = true
    isDelivering = false
    return .end(ending)
  }

  /// Takes demand, but delivers nothing yet: newer values may come first.
  @inlinable
  mutating func allow(_ more: Subscribers.Demand) {
    demand += more
  }

  /// Takes demand, and delivers what has waited for it.
  @inlinable
  mutating func request(_ more: Subscribers.Demand) -> Effect {
    guard !isDelivering else {
      demand += more
      return .rest
    }
    isDelivering = true
    return proceed(more)
  }

  /// Takes the end; the first one counts.
  @inlinable
  mutating func end(_ completion: Subscribers.Completion<Failure>) -> Effect {
    guard ending == nil, !isOver else { return .rest }
    ending = completion
    guard !isDelivering else { return .rest }
    isDelivering = true
    return proceed(.none)
  }
}
