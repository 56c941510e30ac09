// The operators whose result on a single value is known at once. Closures run when the operator is called, not for each
// subscriber; what is returned delivers like `Just`, and fails at once where a closure threw. A closure that compares
// neighbours is not called: a single value has none.
//
// Those that have a counterpart on an operator's own type (`map`, `tryMap`, `filter`, `compactMap`) declare their closure
// as escaping like it: otherwise the compiler prefers neither in a chain of three, and calls it ambiguous.

extension Just {
  /// Publishes what a closure makes of the value.
  @inlinable
  public func map<T>(_ transform: @escaping (Output) -> T) -> Just<T> {
    Just<T>(transform(output))
  }

  /// Publishes what a closure makes of the value, or fails when it throws.
  @inlinable
  public func tryMap<T>(_ transform: @escaping (Output) throws -> T) -> Result<T, any Error>.Publisher {
    Result { try transform(output) }.publisher
  }

  /// Publishes the value; the closure is not called, as there is no error.
  @inlinable
  public func mapError<E: Error>(_ transform: (Never) -> E) -> Result<Output, E>.Publisher {
    Result.success(output).publisher
  }

  /// Publishes the value, with a failure type that it never uses.
  @inlinable
  public func setFailureType<E: Error>(to failureType: E.Type) -> Result<Output, E>.Publisher {
    Result.success(output).publisher
  }

  /// Publishes the value; it never fails.
  @inlinable
  public func replaceError(with output: Output) -> Just<Output> { self }

  /// Publishes the value; there is one.
  @inlinable
  public func replaceEmpty(with output: Output) -> Just<Output> { self }

  /// Publishes the value; it never fails.
  @inlinable
  public func retry(_ times: Int) -> Just<Output> { self }
}

extension Just {
  /// Publishes the value if it satisfies a predicate.
  @inlinable
  public func filter(_ isIncluded: @escaping (Output) -> Bool) -> Optional<Output>.Publisher {
    Optional<Output>.Publisher(isIncluded(output) ? output : nil)
  }

  /// Publishes what a closure makes of the value, unless that is nil.
  @inlinable
  public func compactMap<T>(_ transform: @escaping (Output) -> T?) -> Optional<T>.Publisher {
    transform(output).publisher
  }

  /// Publishes the value; it has no neighbour.
  @inlinable
  public func removeDuplicates() -> Just<Output> where Output: Equatable { self }

  /// Publishes the value; the predicate is not called, as there is no neighbour.
  @inlinable
  public func removeDuplicates(by predicate: (Output, Output) -> Bool) -> Just<Output> { self }

  /// Publishes the value; the predicate is not called, as there is no neighbour.
  @inlinable
  public func tryRemoveDuplicates(
    by predicate: (Output, Output) throws -> Bool
  ) -> Result<Output, any Error>.Publisher {
    Result.success(output).publisher
  }

  /// Publishes the value unless it satisfies a predicate.
  @inlinable
  public func drop(while predicate: (Output) -> Bool) -> Optional<Output>.Publisher {
    Optional<Output>.Publisher(predicate(output) ? nil : output)
  }

  /// Publishes the value if none is to be dropped; a negative count traps.
  @inlinable
  public func dropFirst(_ count: Int = 1) -> Optional<Output>.Publisher {
    filter { _ in hasRemainder(after: count) }
  }

  /// Publishes the value if at least one is asked for; a negative length traps.
  @inlinable
  public func prefix(_ maxLength: Int) -> Optional<Output>.Publisher {
    filter { _ in hasPrefix(of: maxLength) }
  }

  /// Publishes the value if it satisfies a predicate.
  @inlinable
  public func prefix(while predicate: (Output) -> Bool) -> Optional<Output>.Publisher {
    Optional<Output>.Publisher(predicate(output) ? output : nil)
  }

  /// Publishes the value if the index is 0; a negative one traps.
  @inlinable
  public func output(at index: Int) -> Optional<Output>.Publisher {
    filter { _ in isFirst(index) }
  }

  /// Publishes the value if the range contains 0; a negative lower bound traps.
  @inlinable
  public func output<R: RangeExpression>(in range: R) -> Optional<Output>.Publisher where R.Bound == Int {
    filter { _ in reachesFirst(range) }
  }

  /// Publishes elements, then the value.
  @inlinable
  public func prepend(_ elements: Output...) -> Publishers.Sequence<[Output], Never> {
    prepend(elements)
  }

  /// Publishes the elements of a sequence, then the value.
  @inlinable
  public func prepend<S: Sequence>(_ elements: S) -> Publishers.Sequence<[Output], Never> where S.Element == Output {
    (elements + [output]).publisher
  }

  /// Publishes the value, then elements.
  @inlinable
  public func append(_ elements: Output...) -> Publishers.Sequence<[Output], Never> {
    append(elements)
  }

  /// Publishes the value, then the elements of a sequence.
  @inlinable
  public func append<S: Sequence>(_ elements: S) -> Publishers.Sequence<[Output], Never> where S.Element == Output {
    ([output] + elements).publisher
  }
}

extension Just {
  /// Publishes an array of the value.
  @inlinable
  public func collect() -> Just<[Output]> {
    Just<[Output]>([output])
  }

  /// Publishes 1.
  @inlinable
  public func count() -> Just<Int> {
    Just<Int>(1)
  }

  /// Publishes only the completion.
  @inlinable
  public func ignoreOutput() -> Empty<Output, Never> {
    Empty()
  }

  /// Publishes what a closure makes of the initial result and the value.
  @inlinable
  public func reduce<T>(_ initialResult: T, _ nextPartialResult: (T, Output) -> T) -> Result<T, Never>.Publisher {
    Result.success(nextPartialResult(initialResult, output)).publisher
  }

  /// Publishes what a closure makes of the initial result and the value, or fails when it throws.
  @inlinable
  public func tryReduce<T>(
    _ initialResult: T, _ nextPartialResult: (T, Output) throws -> T
  ) -> Result<T, any Error>.Publisher {
    Result { try nextPartialResult(initialResult, output) }.publisher
  }

  /// Publishes what a closure makes of the initial result and the value.
  @inlinable
  public func scan<T>(_ initialResult: T, _ nextPartialResult: (T, Output) -> T) -> Result<T, Never>.Publisher {
    reduce(initialResult, nextPartialResult)
  }

  /// Publishes what a closure makes of the initial result and the value, or fails when it throws.
  @inlinable
  public func tryScan<T>(
    _ initialResult: T, _ nextPartialResult: (T, Output) throws -> T
  ) -> Result<T, any Error>.Publisher {
    tryReduce(initialResult, nextPartialResult)
  }

  /// Publishes the value; there is no other.
  @inlinable
  public func min() -> Just<Output> where Output: Comparable { self }

  /// Publishes the value; there is no other.
  @inlinable
  public func max() -> Just<Output> where Output: Comparable { self }

  /// Publishes the value; the closure is not called, as there is no other.
  @inlinable
  public func min(by areInIncreasingOrder: (Output, Output) -> Bool) -> Just<Output> { self }

  /// Publishes the value; the closure is not called, as there is no other.
  @inlinable
  public func max(by areInIncreasingOrder: (Output, Output) -> Bool) -> Just<Output> { self }

  /// Publishes whether the value is a given one.
  @inlinable
  public func contains(_ output: Output) -> Just<Bool> where Output: Equatable {
    map { $0 == output }
  }

  /// Publishes whether the value satisfies a predicate.
  @inlinable
  public func contains(where predicate: (Output) -> Bool) -> Just<Bool> {
    Just<Bool>(predicate(output))
  }

  /// Publishes whether the value satisfies a predicate.
  @inlinable
  public func allSatisfy(_ predicate: (Output) -> Bool) -> Just<Bool> {
    Just<Bool>(predicate(output))
  }

  /// Publishes whether the value satisfies a predicate, or fails when that throws.
  @inlinable
  public func tryContains(where predicate: (Output) throws -> Bool) -> Result<Bool, any Error>.Publisher {
    Result { try predicate(output) }.publisher
  }

  /// Publishes whether the value satisfies a predicate, or fails when that throws.
  @inlinable
  public func tryAllSatisfy(_ predicate: (Output) throws -> Bool) -> Result<Bool, any Error>.Publisher {
    Result { try predicate(output) }.publisher
  }

  /// Publishes the value.
  @inlinable
  public func first() -> Just<Output> { self }

  /// Publishes the value if it satisfies a predicate.
  @inlinable
  public func first(where predicate: (Output) -> Bool) -> Optional<Output>.Publisher {
    Optional<Output>.Publisher(predicate(output) ? output : nil)
  }

  /// Publishes the value.
  @inlinable
  public func last() -> Just<Output> { self }

  /// Publishes the value if it satisfies a predicate.
  @inlinable
  public func last(where predicate: (Output) -> Bool) -> Optional<Output>.Publisher {
    Optional<Output>.Publisher(predicate(output) ? output : nil)
  }
}

/// Whether a single value is left after dropping some.
@inlinable
func hasRemainder(after count: Int) -> Bool {
  precondition(count >= 0, "The number of values to drop cannot be negative: \(count)")
  return count == 0
}

/// Whether a single value is among so many first ones.
@inlinable
func hasPrefix(of maxLength: Int) -> Bool {
  precondition(maxLength >= 0, "The number of values to take cannot be negative: \(maxLength)")
  return maxLength > 0
}

/// Whether a position is that of a single value.
@inlinable
func isFirst(_ index: Int) -> Bool {
  precondition(index >= 0, "There is no value at this position: \(index)")
  return index == 0
}

/// Whether some positions contain that of a single value.
@inlinable
func reachesFirst<R: RangeExpression>(_ range: R) -> Bool where R.Bound == Int {
  let positions = range.relative(to: 0..<Int.max)
  precondition(positions.lowerBound >= 0, "There is no value at this position: \(positions.lowerBound)")
  return positions.contains(0)
}
