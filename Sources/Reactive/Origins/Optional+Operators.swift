// The operators whose result on a value or nothing is known at once. Closures run when the operator is called, not for
// each subscriber, and not at all without a value; what is returned delivers like `Optional.Publisher`.
//
// Combine: `count`, `contains`, `allSatisfy` and `reduce` of nothing are empty there. Here they give what the operators
// give for any publisher without values.

extension Optional.Publisher {
  /// Publishes what a closure makes of the value, if there is one.
  @inlinable
  public func map<T>(_ transform: (Wrapped) -> T) -> Optional<T>.Publisher {
    output.map(transform).publisher
  }

  /// Publishes the value, if there is one; it never fails.
  @inlinable
  public func replaceError(with output: Wrapped) -> Optional<Wrapped>.Publisher { self }

  /// Publishes the value, or a given one in its place.
  @inlinable
  public func replaceEmpty(with output: Wrapped) -> Just<Wrapped> {
    Just(self.output ?? output)
  }

  /// Publishes the value, if there is one; it never fails.
  @inlinable
  public func retry(_ times: Int) -> Optional<Wrapped>.Publisher { self }
}

extension Optional.Publisher {
  /// Publishes the value if it satisfies a predicate.
  @inlinable
  public func filter(_ isIncluded: (Wrapped) -> Bool) -> Optional<Wrapped>.Publisher {
    compactMap { isIncluded($0) ? $0 : nil }
  }

  /// Publishes what a closure makes of the value, unless that is nil.
  @inlinable
  public func compactMap<T>(_ transform: (Wrapped) -> T?) -> Optional<T>.Publisher {
    output.flatMap(transform).publisher
  }

  /// Publishes the value, if there is one; it has no neighbour.
  @inlinable
  public func removeDuplicates() -> Optional<Wrapped>.Publisher where Wrapped: Equatable { self }

  /// Publishes the value, if there is one; the predicate is not called, as there is no neighbour.
  @inlinable
  public func removeDuplicates(by predicate: (Wrapped, Wrapped) -> Bool) -> Optional<Wrapped>.Publisher { self }

  /// Publishes the value unless it satisfies a predicate.
  @inlinable
  public func drop(while predicate: (Wrapped) -> Bool) -> Optional<Wrapped>.Publisher {
    filter { !predicate($0) }
  }

  /// Publishes the value if none is to be dropped; a negative count traps.
  @inlinable
  public func dropFirst(_ count: Int = 1) -> Optional<Wrapped>.Publisher {
    hasRemainder(after: count) ? self : Optional.none.publisher
  }

  /// Publishes the value if at least one is asked for; a negative length traps.
  @inlinable
  public func prefix(_ maxLength: Int) -> Optional<Wrapped>.Publisher {
    hasPrefix(of: maxLength) ? self : Optional.none.publisher
  }

  /// Publishes the value if it satisfies a predicate.
  @inlinable
  public func prefix(while predicate: (Wrapped) -> Bool) -> Optional<Wrapped>.Publisher {
    filter(predicate)
  }

  /// Publishes the value if the index is 0; a negative one traps.
  @inlinable
  public func output(at index: Int) -> Optional<Wrapped>.Publisher {
    isFirst(index) ? self : Optional.none.publisher
  }

  /// Publishes the value if the range contains 0; a negative lower bound traps.
  @inlinable
  public func output<R: RangeExpression>(in range: R) -> Optional<Wrapped>.Publisher where R.Bound == Int {
    reachesFirst(range) ? self : Optional.none.publisher
  }
}

extension Optional.Publisher {
  /// Publishes an array of the value, or an empty one.
  @inlinable
  public func collect() -> Optional<[Wrapped]>.Publisher {
    Optional<[Wrapped]>.Publisher(output.map { [$0] } ?? [])
  }

  /// Publishes 1 if there is a value, otherwise 0.
  @inlinable
  public func count() -> Optional<Int>.Publisher {
    Optional<Int>.Publisher(output == nil ? 0 : 1)
  }

  /// Publishes only the completion.
  @inlinable
  public func ignoreOutput() -> Empty<Wrapped, Failure> {
    Empty()
  }

  /// Publishes what a closure makes of the initial result and the value, or the initial result without a value.
  @inlinable
  public func reduce<T>(_ initialResult: T, _ nextPartialResult: (T, Wrapped) -> T) -> Optional<T>.Publisher {
    Optional<T>.Publisher(output.map { nextPartialResult(initialResult, $0) } ?? initialResult)
  }

  /// Publishes what a closure makes of the initial result and the value, if there is one.
  @inlinable
  public func scan<T>(_ initialResult: T, _ nextPartialResult: (T, Wrapped) -> T) -> Optional<T>.Publisher {
    map { nextPartialResult(initialResult, $0) }
  }

  /// Publishes the value, if there is one.
  @inlinable
  public func min() -> Optional<Wrapped>.Publisher where Wrapped: Comparable { self }

  /// Publishes the value, if there is one.
  @inlinable
  public func max() -> Optional<Wrapped>.Publisher where Wrapped: Comparable { self }

  /// Publishes the value, if there is one; the closure is not called, as there is no other.
  @inlinable
  public func min(by areInIncreasingOrder: (Wrapped, Wrapped) -> Bool) -> Optional<Wrapped>.Publisher { self }

  /// Publishes the value, if there is one; the closure is not called, as there is no other.
  @inlinable
  public func max(by areInIncreasingOrder: (Wrapped, Wrapped) -> Bool) -> Optional<Wrapped>.Publisher { self }

  /// Publishes whether there is a value and it is a given one.
  @inlinable
  public func contains(_ output: Wrapped) -> Optional<Bool>.Publisher where Wrapped: Equatable {
    contains { $0 == output }
  }

  /// Publishes whether there is a value and it satisfies a predicate.
  @inlinable
  public func contains(where predicate: (Wrapped) -> Bool) -> Optional<Bool>.Publisher {
    Optional<Bool>.Publisher(output.map(predicate) ?? false)
  }

  /// Publishes whether the value satisfies a predicate; true without a value.
  @inlinable
  public func allSatisfy(_ predicate: (Wrapped) -> Bool) -> Optional<Bool>.Publisher {
    Optional<Bool>.Publisher(output.map(predicate) ?? true)
  }

  /// Publishes the value, if there is one.
  @inlinable
  public func first() -> Optional<Wrapped>.Publisher { self }

  /// Publishes the value if it satisfies a predicate.
  @inlinable
  public func first(where predicate: (Wrapped) -> Bool) -> Optional<Wrapped>.Publisher {
    filter(predicate)
  }

  /// Publishes the value, if there is one.
  @inlinable
  public func last() -> Optional<Wrapped>.Publisher { self }

  /// Publishes the value if it satisfies a predicate.
  @inlinable
  public func last(where predicate: (Wrapped) -> Bool) -> Optional<Wrapped>.Publisher {
    filter(predicate)
  }
}
