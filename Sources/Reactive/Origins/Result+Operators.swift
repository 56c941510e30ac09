// The operators whose result on a success or a failure is known at once. Closures run when the operator is called, not
// for each subscriber, and not at all on a failure, which passes; what is returned delivers like `Result.Publisher`. A
// closure that compares values is not called: there is no second one.

extension Result.Publisher {
  /// Publishes what a closure makes of the value.
  @inlinable
  public func map<T>(_ transform: @escaping (Success) -> T) -> Result<T, Failure>.Publisher {
    result.map(transform).publisher
  }

  /// Publishes what a closure makes of the value, or fails when it throws.
  @inlinable
  public func tryMap<T>(_ transform: @escaping (Success) throws -> T) -> Result<T, any Error>.Publisher {
    Result<T, any Error> { try transform(result.get()) }.publisher
  }

  /// Publishes the value, or fails with what a closure makes of the error.
  @inlinable
  public func mapError<E: Error>(_ transform: (Failure) -> E) -> Result<Success, E>.Publisher {
    result.mapError(transform).publisher
  }

  /// Publishes the value, with a failure type that it never uses.
  @inlinable
  public func setFailureType<E: Error>(to failureType: E.Type) -> Result<Success, E>.Publisher
  where Failure == Never {
    map { $0 }.mapError { never -> E in }
  }

  /// Publishes the value, or a given one in place of the error.
  @inlinable
  public func replaceError(with output: Success) -> Result<Success, Never>.Publisher {
    result.flatMapError { _ in Result<Success, Never>.success(output) }.publisher
  }

  /// Publishes the value or fails; a success has a value.
  @inlinable
  public func replaceEmpty(with output: Success) -> Result<Success, Failure>.Publisher { self }

  /// Publishes the value or fails; another attempt would give the same.
  @inlinable
  public func retry(_ times: Int) -> Result<Success, Failure>.Publisher { self }

  /// Publishes the value or fails; it has no neighbour.
  @inlinable
  public func removeDuplicates() -> Result<Success, Failure>.Publisher where Success: Equatable { self }

  /// Publishes the value or fails; the predicate is not called, as there is no neighbour.
  @inlinable
  public func removeDuplicates(by predicate: (Success, Success) -> Bool) -> Result<Success, Failure>.Publisher { self }

  /// Publishes the value or fails; the predicate is not called, as there is no neighbour.
  @inlinable
  public func tryRemoveDuplicates(
    by predicate: (Success, Success) throws -> Bool
  ) -> Result<Success, any Error>.Publisher {
    tryMap { $0 }
  }
}

extension Result.Publisher {
  /// Publishes an array of the value.
  @inlinable
  public func collect() -> Result<[Success], Failure>.Publisher {
    map { [$0] }
  }

  /// Publishes 1.
  @inlinable
  public func count() -> Result<Int, Failure>.Publisher {
    map { _ in 1 }
  }

  /// Publishes only the end, which is `.finished` even for a failure, since `Empty` cannot fail.
  ///
  /// Chosen only where the type demands it; otherwise the operator of all publishers is, which keeps the failure.
  @inlinable
  @_disfavoredOverload
  public func ignoreOutput() -> Empty<Success, Failure> {
    Empty()
  }

  /// Publishes what a closure makes of the initial result and the value.
  @inlinable
  public func reduce<T>(_ initialResult: T, _ nextPartialResult: (T, Success) -> T) -> Result<T, Failure>.Publisher {
    result.map { nextPartialResult(initialResult, $0) }.publisher
  }

  /// Publishes what a closure makes of the initial result and the value, or fails when it throws.
  @inlinable
  public func tryReduce<T>(
    _ initialResult: T, _ nextPartialResult: (T, Success) throws -> T
  ) -> Result<T, any Error>.Publisher {
    Result<T, any Error> { try nextPartialResult(initialResult, result.get()) }.publisher
  }

  /// Publishes what a closure makes of the initial result and the value.
  @inlinable
  public func scan<T>(_ initialResult: T, _ nextPartialResult: (T, Success) -> T) -> Result<T, Failure>.Publisher {
    reduce(initialResult, nextPartialResult)
  }

  /// Publishes what a closure makes of the initial result and the value, or fails when it throws.
  @inlinable
  public func tryScan<T>(
    _ initialResult: T, _ nextPartialResult: (T, Success) throws -> T
  ) -> Result<T, any Error>.Publisher {
    tryReduce(initialResult, nextPartialResult)
  }

  /// Publishes the value or fails; there is no other.
  @inlinable
  public func min() -> Result<Success, Failure>.Publisher where Success: Comparable { self }

  /// Publishes the value or fails; there is no other.
  @inlinable
  public func max() -> Result<Success, Failure>.Publisher where Success: Comparable { self }

  /// Publishes the value or fails; the closure is not called, as there is no other.
  @inlinable
  public func min(by areInIncreasingOrder: (Success, Success) -> Bool) -> Result<Success, Failure>.Publisher { self }

  /// Publishes the value or fails; the closure is not called, as there is no other.
  @inlinable
  public func max(by areInIncreasingOrder: (Success, Success) -> Bool) -> Result<Success, Failure>.Publisher { self }

  /// Publishes the value or fails; the closure is not called, as there is no other.
  @inlinable
  public func tryMin(
    by areInIncreasingOrder: (Success, Success) throws -> Bool
  ) -> Result<Success, any Error>.Publisher {
    tryMap { $0 }
  }

  /// Publishes the value or fails; the closure is not called, as there is no other.
  @inlinable
  public func tryMax(
    by areInIncreasingOrder: (Success, Success) throws -> Bool
  ) -> Result<Success, any Error>.Publisher {
    tryMap { $0 }
  }

  /// Publishes whether the value is a given one.
  @inlinable
  public func contains(_ output: Success) -> Result<Bool, Failure>.Publisher where Success: Equatable {
    map { $0 == output }
  }

  /// Publishes whether the value satisfies a predicate.
  @inlinable
  public func contains(where predicate: (Success) -> Bool) -> Result<Bool, Failure>.Publisher {
    result.map(predicate).publisher
  }

  /// Publishes whether the value satisfies a predicate.
  @inlinable
  public func allSatisfy(_ predicate: (Success) -> Bool) -> Result<Bool, Failure>.Publisher {
    result.map(predicate).publisher
  }

  /// Publishes whether the value satisfies a predicate, or fails when that throws.
  @inlinable
  public func tryContains(where predicate: (Success) throws -> Bool) -> Result<Bool, any Error>.Publisher {
    Result<Bool, any Error> { try predicate(result.get()) }.publisher
  }

  /// Publishes whether the value satisfies a predicate, or fails when that throws.
  @inlinable
  public func tryAllSatisfy(_ predicate: (Success) throws -> Bool) -> Result<Bool, any Error>.Publisher {
    Result<Bool, any Error> { try predicate(result.get()) }.publisher
  }

  /// Publishes the value or fails.
  @inlinable
  public func first() -> Result<Success, Failure>.Publisher { self }

  /// Publishes the value or fails.
  @inlinable
  public func last() -> Result<Success, Failure>.Publisher { self }
}
