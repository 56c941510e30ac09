public import Reactive

/// A hot publisher together with what makes it publish, as a subject: so that a `SubjectVerification` can drive it.
///
///     SubjectVerification("$number", .latest) {
///       let model = Model()
///       return DrivenPublisher(model.$number) { model.number = $0 }
///     }.endless()
///
/// Subscribers are handed to the publisher; nothing stands between them but what adapts the type of the failure. It
/// keeps what the closures hold.
public final class DrivenPublisher: Subject {
  /// What verifications of subjects send.
  public typealias Output = Int
  /// How verifications of subjects fail.
  public typealias Failure = TestFailure

  private let attach: (AnySubscriber<Int, TestFailure>) -> Void
  private let sendValue: (Int) -> Void
  private let sendCompletion: (Subscribers.Completion<TestFailure>) -> Void

  /// Puts a publisher together with what makes it publish.
  ///
  /// - Parameters:
  ///   - publisher: The publisher.
  ///   - send: Makes it publish a value.
  ///   - end: Ends it; a publisher that nothing ends needs none, and an `endless()` verification.
  public init<P: Publisher>(
    _ publisher: P, send: @escaping (Int) -> Void,
    end: @escaping (Subscribers.Completion<TestFailure>) -> Void = { _ in }
  ) where P.Output == Int, P.Failure == TestFailure {
    attach = { publisher.receive(subscriber: $0) }
    sendValue = send
    sendCompletion = end
  }

  /// Puts a publisher that cannot fail together with what makes it publish.
  ///
  /// - Parameters:
  ///   - publisher: The publisher.
  ///   - send: Makes it publish a value.
  public init<P: Publisher>(_ publisher: P, send: @escaping (Int) -> Void) where P.Output == Int, P.Failure == Never {
    attach = { subscriber in
      publisher.receive(
        subscriber: AnySubscriber(
          receiveSubscription: { subscriber.receive(subscription: $0) },
          receiveValue: { subscriber.receive($0) },
          receiveCompletion: { _ in subscriber.receive(completion: .finished) }))
    }
    sendValue = send
    sendCompletion = { _ in }
  }

  /// Makes the publisher publish a value.
  public func send(_ value: Int) { sendValue(value) }

  /// Ends the publisher, if something can.
  public func send(completion: Subscribers.Completion<TestFailure>) { sendCompletion(completion) }

  /// Requests everything from an upstream; what comes goes nowhere, for no verification feeds a subject.
  public func send(subscription: any Subscription) { subscription.request(.unlimited) }

  /// Attaches a subscriber to the publisher.
  public func receive<S: Subscriber>(subscriber: S) where S.Input == Int, S.Failure == TestFailure {
    attach(AnySubscriber(subscriber))
  }
}
