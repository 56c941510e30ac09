/// Hands the values of a publisher to tasks that wait for them, one for each `next()`.
///
/// A call of `next()` is a request for one value; calls are answered in the order they came. Nothing is stored: a value
/// nobody waits for, which the publisher was not asked for, is dropped. Continuations are resumed with no lock held,
/// because the task may run inside that call.
@usableFromInline
final class AsyncDelivery<Input, Failure: Error>: Cancellable, @unchecked Sendable {
  // Sendable: everything is touched under the lock only.
  @usableFromInline typealias Answer = Handover<Result<Input?, Failure>>
  @usableFromInline typealias Waiter = UnsafeContinuation<Answer, Never>

  @usableFromInline
  enum Phase {
    case waiting
    case active(any Subscription)
    case ended
  }

  @usableFromInline let lock = Lock()
  @exclusivity(unchecked)
  @usableFromInline
  var phase = Phase.waiting
  @exclusivity(unchecked)
  @usableFromInline
  var waiters = Ring<Waiter>()
  /// How the stream failed, for the next call.
  @exclusivity(unchecked)
  @usableFromInline
  var failure: Failure?

  @inlinable
  init() {}

  /// Waits for the next value, and cancels everything when the task is cancelled.
  ///
  /// - Returns: The value, or nil after the end and after a cancel.
  @inlinable
  func next(isolation actor: isolated (any Actor)?) async throws(Failure) -> Input? {
    let answer = await withTaskCancellationHandler {
      await wait(isolation: actor)
    } onCancel: {
      cancel()
    }
    return try answer.value.get()
  }

  /// Waits for the next value, whatever becomes of the task.
  @inlinable
  func wait(isolation actor: isolated (any Actor)?) async -> Answer {
    await withUnsafeContinuation { waiter in
      switch lock.withLock({ enqueue(waiter) }) {
      case .request(let upstream): upstream.request(.max(1))
      case .wait: break
      case .answer(let answer): waiter.resume(returning: answer)
      }
    }
  }

  /// What a call has to do after it has asked for a value.
  @usableFromInline
  enum Step {
    case request(any Subscription)
    case wait
    case answer(Answer)
  }

  @inlinable
  func enqueue(_ waiter: Waiter) -> Step {
    switch phase {
    case .waiting:
      waiters.append(waiter)
      return .wait
    case .active(let upstream):
      waiters.append(waiter)
      return .request(upstream)
    case .ended:
      defer { failure = nil }
      return .answer(Self.end(failure))
    }
  }

  /// Takes the first subscription, and requests what has been asked for already; cancels every other.
  @usableFromInline
  func take(_ subscription: any Subscription) {
    let count = lock.withLock { () -> Int? in
      guard case .waiting = phase else { return nil }
      phase = .active(subscription)
      return waiters.count
    }
    switch count {
    case nil: subscription.cancel()
    case 0: break
    case let count?: subscription.request(.max(count))
    }
  }

  /// Answers the call that has waited longest.
  @inlinable
  func answer(_ input: Input) {
    let waiter = lock.withLock { () -> Waiter? in
      guard case .active = phase else { return nil }
      return waiters.popFirst()
    }
    waiter?.resume(returning: Handover(.success(input)))
  }

  /// Ends the stream: a failure goes to the first call, the others get nil.
  @usableFromInline
  func end(with failure: Failure?) {
    withExtendedLifetime(close(with: failure)) { $0.answer() }
  }

  /// Cancels upstream and ends every call with nil, later ones too.
  @usableFromInline
  func cancel() {
    let closing = close(with: nil)
    closing.upstream?.cancel()
    closing.answer()
    withExtendedLifetime(lock.withLock { failure.take() }) {}
  }

  /// What is left to do when the stream has ended.
  private struct Closing {
    var upstream: (any Subscription)?
    var waiters = Ring<Waiter>()
    var failure: Failure?

    /// Answers the calls that wait.
    func answer() {
      var left = self
      while let waiter = left.waiters.popFirst() {
        waiter.resume(returning: AsyncDelivery.end(left.failure.take()))
      }
    }
  }

  private func close(with failure: Failure?) -> Closing {
    lock.withLock {
      var closing = Closing()
      if case .ended = phase { return closing }
      if case .active(let upstream) = phase { closing.upstream = upstream }
      phase = .ended
      swap(&closing.waiters, &waiters)
      if closing.waiters.isEmpty {
        self.failure = failure
      } else {
        closing.failure = failure
      }
      return closing
    }
  }

  @inlinable
  static func end(_ failure: Failure?) -> Answer {
    Handover(failure.map { .failure($0) } ?? .success(nil))
  }
}

/// A subscription whose values go to tasks; cancelled when the last copy of this goes.
@usableFromInline
struct AsyncSubscription<Input, Failure: Error>: Sendable {
  @usableFromInline let delivery = AsyncDelivery<Input, Failure>()
  @usableFromInline let token: AnyCancellable

  /// Subscribes, and requests nothing yet.
  @inlinable
  init<P: Publisher<Input, Failure>>(_ publisher: P) {
    token = AnyCancellable(delivery)
    publisher.receive(subscriber: AsyncSubscriber(delivery))
  }
}

/// A value on its way from the publisher's thread to a task.
@usableFromInline
struct Handover<Value>: @unchecked Sendable {
  // Sendable: whoever makes it lets go of the value, as publishers do with what they deliver.
  @usableFromInline let value: Value

  @inlinable
  init(_ value: Value) {
    self.value = value
  }
}

/// The subscriber behind `values`; only the publisher holds it.
///
/// So a publisher that lets go of it without a completion ends the waiting all the same.
@usableFromInline
final class AsyncSubscriber<Input, Failure: Error>: Subscriber, CustomStringConvertible {
  @usableFromInline let delivery: AsyncDelivery<Input, Failure>

  @inlinable
  init(_ delivery: AsyncDelivery<Input, Failure>) {
    self.delivery = delivery
  }

  deinit {
    delivery.end(with: nil)
  }

  @usableFromInline
  func receive(subscription: any Subscription) {
    delivery.take(subscription)
  }

  @inlinable
  func receive(_ input: Input) -> Subscribers.Demand {
    delivery.answer(input)
    return .none
  }

  @usableFromInline
  func receive(completion: Subscribers.Completion<Failure>) {
    switch completion {
    case .finished: delivery.end(with: nil)
    case .failure(let error): delivery.end(with: error)
    }
  }

  @usableFromInline
  var description: String { "AsyncSubscriber" }
}
