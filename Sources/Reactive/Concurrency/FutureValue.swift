extension Future where Failure == Never {
  /// The result, as soon as it is known.
  ///
  /// There is nothing else to return, so a cancelled task waits as well, and when the promise is released without a
  /// call the task waits for ever.
  public nonisolated(nonsending) final var value: Output {
    get async {
      if case .success(let value) = state.known { return value }
      let delivery = AsyncDelivery<Output, Never>()
      receive(subscriber: AsyncSubscriber(delivery))
      if case .success(let value?) = await delivery.wait(isolation: #isolation).value { return value }
      return await withUnsafeContinuation { _ in }
    }
  }
}

extension Future {
  /// The result, as soon as it is known.
  ///
  /// A task that is cancelled before that stops waiting, and so does one whose promise is released without a call.
  /// (In Combine both wait for ever.)
  ///
  /// - Throws: The failure of the future, or `CancellationError`.
  public nonisolated(nonsending) final var value: Output {
    get async throws {
      if let result = state.known { return try result.get() }
      let delivery = AsyncDelivery<Output, Failure>()
      receive(subscriber: AsyncSubscriber(delivery))
      guard let value = try await delivery.next(isolation: #isolation) else { throw CancellationError() }
      return value
    }
  }
}
