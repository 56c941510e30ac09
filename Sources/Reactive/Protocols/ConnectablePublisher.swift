/// A publisher that produces nothing until it is connected.
public protocol ConnectablePublisher<Output, Failure>: Publisher {
  /// Starts producing values for all present and future subscribers.
  ///
  /// - Returns: Ends the production when cancelled.
  func connect() -> any Cancellable
}
