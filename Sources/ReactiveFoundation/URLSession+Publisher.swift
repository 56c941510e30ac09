public import Foundation
public import Reactive

#if canImport(FoundationNetworking)
  public import FoundationNetworking
#endif

extension URLSession {
  /// Publishes the answer to a request for a URL.
  ///
  /// - Parameter url: What to load.
  public func dataTaskPublisher(for url: URL) -> DataTaskPublisher {
    dataTaskPublisher(for: URLRequest(url: url))
  }

  /// Publishes the answer to a request.
  ///
  /// - Parameter request: What to load, and how.
  public func dataTaskPublisher(for request: URLRequest) -> DataTaskPublisher {
    DataTaskPublisher(request: request, session: self)
  }

  /// Loads something for each subscriber; see `URLSession.dataTaskPublisher(for:)`.
  ///
  /// Each subscriber has a task of its own, which starts when it first requests something and is cancelled with the
  /// subscription. The answer is delivered on the delegate queue of the session, and then the completion. An answer with
  /// an HTTP error is an answer; a failure is a `URLError`, with the code `.unknown` where the session reported something
  /// else. After a cancel nothing is delivered, not even the error that a cancelled task ends with.
  public struct DataTaskPublisher: Publisher {
    /// The body of the answer, and everything else about it.
    public typealias Output = (data: Data, response: URLResponse)
    /// Why there is no answer.
    public typealias Failure = URLError

    /// What is loaded.
    public let request: URLRequest
    /// Who loads it.
    public let session: URLSession

    /// Makes the publisher; see `URLSession.dataTaskPublisher(for:)`.
    public init(request: URLRequest, session: URLSession) {
      self.request = request
      self.session = session
    }

    /// Attaches a subscriber, which starts the task by its first request.
    public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == URLError {
      let subscription = DataTaskSubscription(
        request: request, session: session,
        receiveValue: { _ = subscriber.receive($0) },
        receiveCompletion: { subscriber.receive(completion: $0) })
      subscriber.receive(subscription: subscription)
      subscription.attached()
    }
  }
}

/// The subscription of one subscriber to a task.
///
/// The session keeps it alive while the task runs; it keeps the subscriber until the end or a cancel.
private final class DataTaskSubscription: Subscription, CustomStringConvertible, @unchecked Sendable {
  // Sendable: everything is touched under the lock only, and the closures are called by one thread at a time.
  typealias Output = URLSession.DataTaskPublisher.Output

  /// What is needed until the end.
  private final class Work {
    let request: URLRequest
    let session: URLSession
    let receiveValue: (Output) -> Void
    let receiveCompletion: (Subscribers.Completion<URLError>) -> Void

    init(
      request: URLRequest, session: URLSession, receiveValue: @escaping (Output) -> Void,
      receiveCompletion: @escaping (Subscribers.Completion<URLError>) -> Void
    ) {
      self.request = request
      self.session = session
      self.receiveValue = receiveValue
      self.receiveCompletion = receiveCompletion
    }
  }

  private enum Phase {
    case joining
    case idle
    case started
  }

  private let lock = Lock()
  private var work: Work?
  /// Until its end, also after a cancel.
  private var task: URLSessionDataTask?
  private var phase = Phase.joining
  private var isDemanded = false

  init(
    request: URLRequest, session: URLSession, receiveValue: @escaping (Output) -> Void,
    receiveCompletion: @escaping (Subscribers.Completion<URLError>) -> Void
  ) {
    work = Work(
      request: request, session: session, receiveValue: receiveValue, receiveCompletion: receiveCompletion)
  }

  /// Allows the task to start: its thread must not call a subscriber that is still getting its subscription.
  func attached() {
    start { phase = .idle }
  }

  func request(_ demand: Subscribers.Demand) {
    guard demand > .none else { return }
    start { isDemanded = true }
  }

  /// Starts the task, once both conditions are met.
  private func start(after change: () -> Void) {
    let started = lock.withLock { () -> Work? in
      change()
      guard phase == .idle, isDemanded, let work else { return nil }
      phase = .started
      return work
    }
    guard let started else { return }
    let task = started.session.dataTask(with: started.request) { [self] data, response, error in
      end(data, response, error)
    }
    let isWanted = lock.withLock {
      self.task = task
      return work != nil
    }
    if isWanted {
      task.resume()
    } else {
      // The cancel came too early to see the task, which would stay with the session otherwise.
      task.cancel()
    }
  }

  private func end(_ data: Data?, _ response: URLResponse?, _ error: (any Error)?) {
    let (work, ended) = settled()
    guard let work else {
      #if canImport(FoundationNetworking)
        ended?.awaitCancel()
      #endif
      return
    }
    if let response, error == nil {
      work.receiveValue((data ?? Data(), response))
      if take().work != nil { work.receiveCompletion(.finished) }
    } else if take().work != nil {
      work.receiveCompletion(.failure(error as? URLError ?? URLError(.unknown)))
    }
  }

  /// Lets go of the task, which is over whatever a subscriber does from here on.
  ///
  /// - Returns: The work, if it is still wanted, and the task.
  private func settled() -> (work: Work?, task: URLSessionDataTask?) {
    lock.withLock {
      defer { task = nil }
      return (work, task)
    }
  }

  func cancel() {
    take().task?.cancel()
  }

  /// Lets go of the work: nothing is delivered after that.
  ///
  /// - Returns: The work, if nobody was first, and the task, if it runs.
  private func take() -> (work: Work?, task: URLSessionDataTask?) {
    lock.withLock {
      defer { work = nil }
      return (work, task)
    }
  }

  var description: String { "DataTaskPublisher" }
}

#if canImport(FoundationNetworking)
  extension URLSessionTask {
    /// Waits, in the completion handler of a task that is being cancelled, until the cancel has done its work.
    ///
    /// Here the process ends ("Trying to access a behaviour for a task that in not in the registry") when the handler
    /// returns before that: the session forgets the task, and the cancel asks for it. A cancel that comes while the
    /// cache is being asked waits for that on another thread, and the answer from the network may be faster. When its
    /// turn comes, the cancel gives the task an error, and does the rest on the queue that `cancel()` waits for. The
    /// queue of the session's delegate is held up meanwhile.
    fileprivate func awaitCancel() {
      // Whoever cancels may not have come that far. Only the first call counts.
      cancel()
      // A cancel always comes to that; the limit is for a Foundation that goes another way.
      let limit = ContinuousClock.now + .seconds(10)
      while state == .canceling, (error as? URLError)?.code != .cancelled, ContinuousClock.now < limit {
        Thread.sleep(forTimeInterval: 0.000_1)
      }
      cancel()
    }
  }
#endif
