// The operators whose result on a sequence is known at once. The sequence is read and closures run when the operator is
// called, not for each subscriber; so the sequence must end, unless the operator reads only part of it or returns a lazy
// sequence. What is returned delivers like `Sequence.publisher` or a single-value publisher, and fails at once where a
// closure threw.

extension Publishers.Sequence {
  /// Publishes what a closure makes of each element.
  @inlinable
  public func map<T>(_ transform: (Output) -> T) -> Publishers.Sequence<[T], Failure> {
    Publishers.Sequence(sequence: sequence.map(transform))
  }

  /// Publishes what a closure makes of each element, unless that is nil.
  @inlinable
  public func compactMap<T>(_ transform: (Output) -> T?) -> Publishers.Sequence<[T], Failure> {
    Publishers.Sequence(sequence: sequence.compactMap(transform))
  }

  /// Publishes the elements that satisfy a predicate.
  @inlinable
  public func filter(_ isIncluded: (Output) -> Bool) -> Publishers.Sequence<[Output], Failure> {
    Publishers.Sequence(sequence: sequence.filter(isIncluded))
  }

  /// Publishes the elements, with a given value in place of each nil.
  @inlinable
  public func replaceNil<T>(with output: T) -> Publishers.Sequence<[Output], Failure> where Elements.Element == T? {
    map { $0 ?? output }
  }

  /// Publishes the elements that differ from the one before.
  @inlinable
  public func removeDuplicates() -> Publishers.Sequence<[Output], Failure> where Elements.Element: Equatable {
    var previous: Output?
    return filter { element in
      defer { previous = element }
      return previous.map { $0 == element } != true
    }
  }

  /// Publishes every result that a closure makes of the one so far and an element.
  @inlinable
  public func scan<T>(
    _ initialResult: T, _ nextPartialResult: @escaping (T, Output) -> T
  ) -> Publishers.Sequence<[T], Failure> {
    var result = initialResult
    return map {
      result = nextPartialResult(result, $0)
      return result
    }
  }

  /// Publishes the elements, with a failure type that they never use.
  @inlinable
  public func setFailureType<E: Error>(to error: E.Type) -> Publishers.Sequence<Elements, E> {
    Publishers.Sequence<Elements, E>(sequence: sequence)
  }

  /// Publishes all elements after the first few; a negative count traps.
  @inlinable
  public func dropFirst(_ count: Int = 1) -> Publishers.Sequence<DropFirstSequence<Elements>, Failure> {
    Publishers.Sequence<DropFirstSequence<Elements>, Failure>(sequence: sequence.dropFirst(count))
  }

  /// Publishes the elements from the first that does not satisfy a predicate.
  @inlinable
  public func drop(
    while predicate: (Elements.Element) -> Bool
  ) -> Publishers.Sequence<DropWhileSequence<Elements>, Failure> {
    Publishers.Sequence<DropWhileSequence<Elements>, Failure>(sequence: sequence.drop(while: predicate))
  }

  /// Publishes the first few elements; a negative length traps.
  @inlinable
  public func prefix(_ maxLength: Int) -> Publishers.Sequence<PrefixSequence<Elements>, Failure> {
    Publishers.Sequence<PrefixSequence<Elements>, Failure>(sequence: sequence.prefix(maxLength))
  }

  /// Publishes the elements before the first that does not satisfy a predicate.
  @inlinable
  public func prefix(
    while predicate: (Elements.Element) -> Bool
  ) -> Publishers.Sequence<[Elements.Element], Failure> {
    Publishers.Sequence(sequence: sequence.prefix(while: predicate))
  }
}

extension Publishers.Sequence {
  /// Publishes all elements as one array.
  @inlinable
  public func collect() -> Result<[Output], Failure>.Publisher {
    Result.success(Array(sequence)).publisher
  }

  /// Publishes only the completion; the sequence is not read.
  @inlinable
  public func ignoreOutput() -> Empty<Output, Failure> {
    Empty()
  }

  /// Publishes what a closure makes of all elements, one after the other.
  @inlinable
  public func reduce<T>(
    _ initialResult: T, _ nextPartialResult: @escaping (T, Output) -> T
  ) -> Result<T, Failure>.Publisher {
    Result.success(sequence.reduce(initialResult, nextPartialResult)).publisher
  }

  /// Publishes what a closure makes of all elements, one after the other, or fails when it throws.
  @inlinable
  public func tryReduce<T>(
    _ initialResult: T, _ nextPartialResult: @escaping (T, Output) throws -> T
  ) -> Result<T, any Error>.Publisher {
    Result { try sequence.reduce(initialResult, nextPartialResult) }.publisher
  }

  /// Publishes whether an element is a given one.
  @inlinable
  public func contains(_ output: Elements.Element) -> Result<Bool, Failure>.Publisher
  where Elements.Element: Equatable {
    Result.success(sequence.contains(output)).publisher
  }

  /// Publishes whether any element satisfies a predicate.
  @inlinable
  public func contains(where predicate: (Output) -> Bool) -> Result<Bool, Failure>.Publisher {
    Result.success(sequence.contains(where: predicate)).publisher
  }

  /// Publishes whether any element satisfies a predicate, or fails when that throws.
  @inlinable
  public func tryContains(where predicate: (Output) throws -> Bool) -> Result<Bool, any Error>.Publisher {
    Result { try sequence.contains(where: predicate) }.publisher
  }

  /// Publishes whether all elements satisfy a predicate.
  @inlinable
  public func allSatisfy(_ predicate: (Output) -> Bool) -> Result<Bool, Failure>.Publisher {
    Result.success(sequence.allSatisfy(predicate)).publisher
  }

  /// Publishes whether all elements satisfy a predicate, or fails when that throws.
  @inlinable
  public func tryAllSatisfy(_ predicate: (Output) throws -> Bool) -> Result<Bool, any Error>.Publisher {
    Result { try sequence.allSatisfy(predicate) }.publisher
  }
}

extension Publishers.Sequence where Failure == Never {
  /// Publishes the smallest element, of equal ones the first.
  @inlinable
  public func min() -> Optional<Output>.Publisher where Elements.Element: Comparable {
    sequence.min().publisher
  }

  /// Publishes the largest element, of equal ones the first.
  @inlinable
  public func max() -> Optional<Output>.Publisher where Elements.Element: Comparable {
    sequence.max().publisher
  }

  /// Publishes the smallest element in an order, of equal ones the first.
  @inlinable
  public func min(by areInIncreasingOrder: (Output, Output) -> Bool) -> Optional<Output>.Publisher {
    sequence.min(by: areInIncreasingOrder).publisher
  }

  /// Publishes the largest element in an order, of equal ones the first.
  @inlinable
  public func max(by areInIncreasingOrder: (Output, Output) -> Bool) -> Optional<Output>.Publisher {
    sequence.max(by: areInIncreasingOrder).publisher
  }

  /// Publishes the first element that satisfies a predicate.
  @inlinable
  public func first(where predicate: (Output) -> Bool) -> Optional<Output>.Publisher {
    sequence.first(where: predicate).publisher
  }
}

extension Publishers.Sequence where Elements: Collection {
  /// Publishes the number of elements.
  @inlinable
  public func count() -> Result<Int, Failure>.Publisher {
    Result.success(sequence.count).publisher
  }

  /// Publishes the elements at some indices of the collection; indices that it does not have are left out.
  @inlinable
  public func output(in range: Range<Elements.Index>) -> Publishers.Sequence<[Output], Failure> {
    Publishers.Sequence(sequence: sequence.presentElements(in: range))
  }
}

extension Publishers.Sequence where Elements: Collection, Failure == Never {
  /// Publishes the first element.
  @inlinable
  public func first() -> Optional<Output>.Publisher {
    sequence.first.publisher
  }

  /// Publishes the element at an index of the collection, if it has one there.
  @inlinable
  public func output(at index: Elements.Index) -> Optional<Output>.Publisher {
    sequence.presentElement(at: index).publisher
  }
}

extension Publishers.Sequence where Elements: BidirectionalCollection, Failure == Never {
  /// Publishes the last element.
  @inlinable
  public func last() -> Optional<Output>.Publisher {
    sequence.last.publisher
  }

  /// Publishes the last element that satisfies a predicate.
  @inlinable
  public func last(where predicate: (Output) -> Bool) -> Optional<Output>.Publisher {
    sequence.last(where: predicate).publisher
  }
}

extension Publishers.Sequence where Elements: RandomAccessCollection {
  /// Publishes the number of elements.
  @inlinable
  public func count() -> Result<Int, Failure>.Publisher {
    Result.success(sequence.count).publisher
  }

  /// Publishes the elements at some indices of the collection; indices that it does not have are left out.
  @inlinable
  public func output(in range: Range<Elements.Index>) -> Publishers.Sequence<[Output], Failure> {
    Publishers.Sequence(sequence: sequence.presentElements(in: range))
  }
}

extension Publishers.Sequence where Elements: RandomAccessCollection, Failure == Never {
  /// Publishes the number of elements.
  @inlinable
  public func count() -> Just<Int> {
    Just(sequence.count)
  }

  /// Publishes the element at an index of the collection, if it has one there.
  @inlinable
  public func output(at index: Elements.Index) -> Optional<Output>.Publisher {
    sequence.presentElement(at: index).publisher
  }
}

extension Publishers.Sequence where Elements: RangeReplaceableCollection {
  /// Publishes given elements, then those of the collection.
  @inlinable
  public func prepend(_ elements: Output...) -> Publishers.Sequence<Elements, Failure> {
    prepend(elements)
  }

  /// Publishes the elements of another sequence, then those of the collection.
  @inlinable
  public func prepend<S: Swift.Sequence>(_ elements: S) -> Publishers.Sequence<Elements, Failure>
  where S.Element == Elements.Element {
    Publishers.Sequence(sequence: elements + sequence)
  }

  /// Publishes the elements of another publisher's sequence, then those of the collection.
  @inlinable
  public func prepend(_ publisher: Publishers.Sequence<Elements, Failure>) -> Publishers.Sequence<Elements, Failure> {
    prepend(publisher.sequence)
  }

  /// Publishes the elements of the collection, then given ones.
  @inlinable
  public func append(_ elements: Output...) -> Publishers.Sequence<Elements, Failure> {
    append(elements)
  }

  /// Publishes the elements of the collection, then those of another sequence.
  @inlinable
  public func append<S: Swift.Sequence>(_ elements: S) -> Publishers.Sequence<Elements, Failure>
  where S.Element == Elements.Element {
    Publishers.Sequence(sequence: sequence + elements)
  }

  /// Publishes the elements of the collection, then those of another publisher's sequence.
  @inlinable
  public func append(_ publisher: Publishers.Sequence<Elements, Failure>) -> Publishers.Sequence<Elements, Failure> {
    append(publisher.sequence)
  }
}

extension Collection {
  /// The element at an index, or nil when there is none.
  @inlinable
  func presentElement(at index: Index) -> Element? {
    startIndex <= index && index < endIndex ? self[index] : nil
  }

  /// The elements at those of the indices that there are.
  @inlinable
  func presentElements(in range: Range<Index>) -> [Element] {
    Array(self[range.clamped(to: startIndex..<endIndex)])
  }
}
