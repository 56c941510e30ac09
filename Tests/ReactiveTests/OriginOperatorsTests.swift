import Reactive
import Testing

/// Compares the operators that `Just`, optionals, results and sequences have for themselves with the general ones.
///
/// `as` names the type that shows that the special operator is the one called; `Plain` hides the source from it on the
/// other side. Where there is no general operator to compare with, the values expected stand in its place.
protocol OriginOperators {}

extension OriginOperators {
  typealias Oracle = AccumulatingOracle
  typealias Failed = AccumulatingOracle.Failed

  /// The sources for which the special and the general operator end in different ways.
  func disagreements<Source: Publisher, Special: Publisher, General: Publisher>(
    _ sources: [Source], as type: Special.Type, _ special: (Source) -> Special,
    _ general: (Oracle.Plain<Source>) -> General
  ) -> [Source] where Special.Output: Equatable, General.Output == Special.Output {
    sources.filter { Oracle.outcome(of: special($0)) != Oracle.outcome(of: general(Oracle.Plain($0))) }
  }

  /// The sources for which an operator does not give the values expected and finish.
  func surprises<Source: Publisher, Special: Publisher>(
    _ sources: [Source], as type: Special.Type, _ special: (Source) -> Special,
    _ expected: (Source) -> [Special.Output]
  ) -> [Source] where Special.Output: Equatable {
    sources.filter { Oracle.outcome(of: special($0)) != Oracle.Outcome(values: expected($0), end: .finished) }
  }

  func isEven(_ value: Int) -> Bool { value % 2 == 0 }
  func double(_ value: Int) -> Int { value * 2 }
  func half(_ value: Int) -> Int? { isEven(value) ? value / 2 : nil }
  func add(_ lhs: Int, _ rhs: Int) -> Int { lhs * 3 + rhs }

  /// Throws at 2.
  func check(_ value: Int) throws -> Int {
    if value == 2 { throw Failed(code: 2) }
    return value
  }

  func tryIsEven(_ value: Int) throws -> Bool { try isEven(check(value)) }
  func tryDouble(_ value: Int) throws -> Int { try double(check(value)) }
  func tryAdd(_ lhs: Int, _ rhs: Int) throws -> Int { try add(lhs, check(rhs)) }
  func tryCompare(_ lhs: Int, _ rhs: Int) throws -> Bool { throw Failed(code: 1) }
}

@Suite struct JustOperatorsTests: OriginOperators {
  let all = (-1...2).map { Just($0) }
  typealias Tried<T> = Result<T, any Error>.Publisher

  @Test func `map and tryMap agree with the general ones`() {
    #expect(disagreements(all, as: Just<Int>.self, { $0.map(double) }, { $0.map(double) }) == [])
    #expect(disagreements(all, as: Tried<Int>.self, { $0.tryMap(tryDouble) }, { $0.tryMap(tryDouble) }) == [])
  }

  @Test func `collect, count and the reductions agree with the general ones`() {
    #expect(disagreements(all, as: Just<[Int]>.self, { $0.collect() }, { $0.collect() }) == [])
    #expect(disagreements(all, as: Just<Int>.self, { $0.count() }, { $0.count() }) == [])
    #expect(
      disagreements(all, as: Result<Int, Never>.Publisher.self, { $0.reduce(1, add) }, { $0.reduce(1, add) }) == [])
    #expect(disagreements(all, as: Tried<Int>.self, { $0.tryReduce(1, tryAdd) }, { $0.tryReduce(1, tryAdd) }) == [])
  }

  @Test func `min and max agree with the general ones`() {
    #expect(disagreements(all, as: Just<Int>.self, { $0.min() }, { $0.min() }) == [])
    #expect(disagreements(all, as: Just<Int>.self, { $0.max() }, { $0.max() }) == [])
    #expect(disagreements(all, as: Just<Int>.self, { $0.min(by: >) }, { $0.min(by: >) }) == [])
    #expect(disagreements(all, as: Just<Int>.self, { $0.max(by: >) }, { $0.max(by: >) }) == [])
  }

  @Test func `contains and allSatisfy agree with the general ones`() {
    typealias Answer = Just<Bool>
    #expect(disagreements(all, as: Answer.self, { $0.contains(1) }, { $0.contains(1) }) == [])
    #expect(disagreements(all, as: Answer.self, { $0.contains(where: isEven) }, { $0.contains(where: isEven) }) == [])
    #expect(disagreements(all, as: Answer.self, { $0.allSatisfy(isEven) }, { $0.allSatisfy(isEven) }) == [])
    #expect(
      disagreements(all, as: Tried.self, { $0.tryContains(where: tryIsEven) }, { $0.tryContains(where: tryIsEven) })
        == [])
    #expect(
      disagreements(all, as: Tried.self, { $0.tryAllSatisfy(tryIsEven) }, { $0.tryAllSatisfy(tryIsEven) }) == [])
  }

  @Test func `first and last agree with the general ones`() {
    typealias Found = Optional<Int>.Publisher
    #expect(disagreements(all, as: Just<Int>.self, { $0.first() }, { $0.first() }) == [])
    #expect(disagreements(all, as: Just<Int>.self, { $0.last() }, { $0.last() }) == [])
    #expect(disagreements(all, as: Found.self, { $0.first(where: isEven) }, { $0.first(where: isEven) }) == [])
    #expect(disagreements(all, as: Found.self, { $0.last(where: isEven) }, { $0.last(where: isEven) }) == [])
  }

  @Test func `ignoreOutput only finishes`() {
    #expect(surprises(all, as: Empty<Int, Never>.self, { $0.ignoreOutput() }, { _ in [] }) == [])
  }

  @Test func `scan gives one result`() {
    #expect(surprises(all, as: Result<Int, Never>.Publisher.self, { $0.scan(1, add) }, { [add(1, $0.output)] }) == [])
    #expect(surprises([all[0]], as: Tried.self, { $0.tryScan(1, tryAdd) }, { [add(1, $0.output)] }) == [])
    #expect(Oracle.outcome(of: Just(2).tryScan(1, tryAdd)).error == "Failed(code: 2)")
  }

  @Test func `the filters pass the value or nothing`() {
    typealias Kept = Optional<Int>.Publisher
    func ifEven(_ just: Just<Int>) -> [Int] { isEven(just.output) ? [just.output] : [] }
    #expect(surprises(all, as: Kept.self, { $0.filter(isEven) }, ifEven) == [])
    #expect(surprises(all, as: Kept.self, { $0.prefix(while: isEven) }, ifEven) == [])
    #expect(surprises(all, as: Kept.self, { $0.drop(while: { !isEven($0) }) }, ifEven) == [])
    #expect(surprises(all, as: Kept.self, { $0.compactMap(half) }, { ifEven($0).map { $0 / 2 } }) == [])
  }

  @Test func `counts and positions keep the value or drop it`() {
    for count in 0...2 {
      let just = Just(5)
      let (kept, dropped) = count == 0 ? ([5], []) : ([], [5])
      #expect(Oracle.outcome(of: just.dropFirst(count)).values == kept)
      #expect(Oracle.outcome(of: just.prefix(count)).values == dropped)
      #expect(Oracle.outcome(of: just.output(at: count)).values == kept)
      #expect(Oracle.outcome(of: just.output(in: count..<3)).values == kept)
      #expect(Oracle.outcome(of: just.output(in: count...)).values == kept)
      #expect(Oracle.outcome(of: just.output(in: ..<count)).values == dropped)
    }
    #expect(Just(5).dropFirst() == Optional<Int>.Publisher(nil))
  }

  @Test func `an empty range of positions keeps nothing`() {
    #expect(Just(5).output(in: 0..<0) == Optional<Int>.Publisher(nil))
  }

  @Test func `elements go before and after the value`() {
    typealias Joined = Publishers.Sequence<[Int], Never>
    #expect(surprises(all, as: Joined.self, { $0.prepend(7, 8) }, { [7, 8, $0.output] }) == [])
    #expect(surprises(all, as: Joined.self, { $0.prepend(Set([7])) }, { [7, $0.output] }) == [])
    #expect(surprises(all, as: Joined.self, { $0.append(7, 8) }, { [$0.output, 7, 8] }) == [])
    #expect(surprises(all, as: Joined.self, { $0.append(7...8) }, { [$0.output, 7, 8] }) == [])
  }

  @Test func `what needs a neighbour, an error or nothing at all leaves the value alone`() {
    let same: (Just<Int>) -> [Int] = { [$0.output] }
    #expect(surprises(all, as: Just<Int>.self, { $0.removeDuplicates() }, same) == [])
    #expect(surprises(all, as: Just<Int>.self, { $0.removeDuplicates { _, _ in true } }, same) == [])
    #expect(surprises(all, as: Tried<Int>.self, { $0.tryRemoveDuplicates(by: tryCompare) }, same) == [])
    #expect(surprises(all, as: Just<Int>.self, { $0.replaceError(with: 9) }, same) == [])
    #expect(surprises(all, as: Just<Int>.self, { $0.replaceEmpty(with: 9) }, same) == [])
    #expect(surprises(all, as: Just<Int>.self, { $0.retry(3) }, same) == [])
    typealias Typed = Result<Int, Failed>.Publisher
    #expect(surprises(all, as: Typed.self, { $0.setFailureType(to: Failed.self) }, same) == [])
    #expect(surprises(all, as: Typed.self, { $0.mapError { _ -> Failed in } }, same) == [])
  }
}

@Suite struct OptionalOperatorsTests: OriginOperators {
  typealias Same = Optional<Int>.Publisher
  typealias Answer = Optional<Bool>.Publisher

  let all = [nil, -1, 0, 1, 2].map { Same($0) }
  let same: (Same) -> [Int] = { Array($0.output.map { [$0] } ?? []) }

  @Test func `map agrees with the general one`() {
    #expect(disagreements(all, as: Same.self, { $0.map(double) }, { $0.map(double) }) == [])
  }

  @Test func `collect, count and reduce agree with the general ones`() {
    #expect(disagreements(all, as: Optional<[Int]>.Publisher.self, { $0.collect() }, { $0.collect() }) == [])
    #expect(disagreements(all, as: Same.self, { $0.count() }, { $0.count() }) == [])
    #expect(disagreements(all, as: Same.self, { $0.reduce(1, add) }, { $0.reduce(1, add) }) == [])
  }

  @Test func `min and max agree with the general ones`() {
    #expect(disagreements(all, as: Same.self, { $0.min() }, { $0.min() }) == [])
    #expect(disagreements(all, as: Same.self, { $0.max() }, { $0.max() }) == [])
    #expect(disagreements(all, as: Same.self, { $0.min(by: >) }, { $0.min(by: >) }) == [])
    #expect(disagreements(all, as: Same.self, { $0.max(by: >) }, { $0.max(by: >) }) == [])
  }

  @Test func `contains and allSatisfy agree with the general ones`() {
    #expect(disagreements(all, as: Answer.self, { $0.contains(1) }, { $0.contains(1) }) == [])
    #expect(disagreements(all, as: Answer.self, { $0.contains(where: isEven) }, { $0.contains(where: isEven) }) == [])
    #expect(disagreements(all, as: Answer.self, { $0.allSatisfy(isEven) }, { $0.allSatisfy(isEven) }) == [])
  }

  @Test func `first and last agree with the general ones`() {
    #expect(disagreements(all, as: Same.self, { $0.first() }, { $0.first() }) == [])
    #expect(disagreements(all, as: Same.self, { $0.last() }, { $0.last() }) == [])
    #expect(disagreements(all, as: Same.self, { $0.first(where: isEven) }, { $0.first(where: isEven) }) == [])
    #expect(disagreements(all, as: Same.self, { $0.last(where: isEven) }, { $0.last(where: isEven) }) == [])
  }

  @Test func `ignoreOutput only finishes`() {
    #expect(surprises(all, as: Empty<Int, Never>.self, { $0.ignoreOutput() }, { _ in [] }) == [])
  }

  @Test func `scan gives one result, or none without a value`() {
    #expect(surprises(all, as: Same.self, { $0.scan(1, add) }, { same($0).map { add(1, $0) } }) == [])
  }

  @Test func `the filters pass the value or nothing`() {
    #expect(surprises(all, as: Same.self, { $0.filter(isEven) }, { same($0).filter(isEven) }) == [])
    #expect(surprises(all, as: Same.self, { $0.prefix(while: isEven) }, { same($0).filter(isEven) }) == [])
    #expect(surprises(all, as: Same.self, { $0.drop { !isEven($0) } }, { same($0).filter(isEven) }) == [])
    #expect(surprises(all, as: Same.self, { $0.compactMap(half) }, { same($0).compactMap(half) }) == [])
  }

  @Test(arguments: 0...2)
  func `counts and positions keep the value or drop it`(_ count: Int) {
    let first: (Same) -> [Int] = { count == 0 ? same($0) : [] }
    let rest: (Same) -> [Int] = { count == 0 ? [] : same($0) }
    #expect(surprises(all, as: Same.self, { $0.dropFirst(count) }, first) == [])
    #expect(surprises(all, as: Same.self, { $0.prefix(count) }, rest) == [])
    #expect(surprises(all, as: Same.self, { $0.output(at: count) }, first) == [])
    #expect(surprises(all, as: Same.self, { $0.output(in: count..<3) }, first) == [])
    #expect(surprises(all, as: Same.self, { $0.output(in: count...) }, first) == [])
    #expect(surprises(all, as: Same.self, { $0.output(in: ..<count) }, rest) == [])
  }

  @Test func `replaceEmpty gives the value or the other one`() {
    #expect(surprises(all, as: Just<Int>.self, { $0.replaceEmpty(with: 9) }, { [$0.output ?? 9] }) == [])
  }

  @Test func `what needs a neighbour or an error leaves the value alone`() {
    #expect(surprises(all, as: Same.self, { $0.removeDuplicates() }, same) == [])
    #expect(surprises(all, as: Same.self, { $0.removeDuplicates { _, _ in true } }, same) == [])
    #expect(surprises(all, as: Same.self, { $0.replaceError(with: 9) }, same) == [])
    #expect(surprises(all, as: Same.self, { $0.retry(3) }, same) == [])
  }
}

@Suite struct ResultOperatorsTests: OriginOperators {
  typealias Of<T> = Result<T, Failed>.Publisher
  typealias Tried<T> = Result<T, any Error>.Publisher

  let all = [Of<Int>(Failed(code: 5)), Of(-1), Of(0), Of(1), Of(2)]

  /// The results that an operator changes.
  func changes<P: Publisher>(_ make: (Of<Int>) -> P) -> [Of<Int>] where P.Output == Int {
    all.filter { Oracle.outcome(of: make($0)) != Oracle.outcome(of: $0) }
  }

  @Test func `map and tryMap agree with the general ones`() {
    #expect(disagreements(all, as: Of<Int>.self, { $0.map(double) }, { $0.map(double) }) == [])
    #expect(disagreements(all, as: Tried<Int>.self, { $0.tryMap(tryDouble) }, { $0.tryMap(tryDouble) }) == [])
  }

  @Test func `collect, count and the reductions agree with the general ones`() {
    #expect(disagreements(all, as: Of<[Int]>.self, { $0.collect() }, { $0.collect() }) == [])
    #expect(disagreements(all, as: Of<Int>.self, { $0.count() }, { $0.count() }) == [])
    #expect(disagreements(all, as: Of<Int>.self, { $0.reduce(1, add) }, { $0.reduce(1, add) }) == [])
    #expect(disagreements(all, as: Tried<Int>.self, { $0.tryReduce(1, tryAdd) }, { $0.tryReduce(1, tryAdd) }) == [])
  }

  @Test func `min and max agree with the general ones`() {
    #expect(disagreements(all, as: Of<Int>.self, { $0.min() }, { $0.min() }) == [])
    #expect(disagreements(all, as: Of<Int>.self, { $0.max() }, { $0.max() }) == [])
    #expect(disagreements(all, as: Of<Int>.self, { $0.min(by: >) }, { $0.min(by: >) }) == [])
    #expect(disagreements(all, as: Of<Int>.self, { $0.max(by: >) }, { $0.max(by: >) }) == [])
    #expect(
      disagreements(all, as: Tried<Int>.self, { $0.tryMin(by: tryCompare) }, { $0.tryMin(by: tryCompare) }) == [])
    #expect(
      disagreements(all, as: Tried<Int>.self, { $0.tryMax(by: tryCompare) }, { $0.tryMax(by: tryCompare) }) == [])
  }

  @Test func `contains and allSatisfy agree with the general ones`() {
    typealias Answer = Of<Bool>
    #expect(disagreements(all, as: Answer.self, { $0.contains(1) }, { $0.contains(1) }) == [])
    #expect(disagreements(all, as: Answer.self, { $0.contains(where: isEven) }, { $0.contains(where: isEven) }) == [])
    #expect(disagreements(all, as: Answer.self, { $0.allSatisfy(isEven) }, { $0.allSatisfy(isEven) }) == [])
    #expect(
      disagreements(all, as: Tried.self, { $0.tryContains(where: tryIsEven) }, { $0.tryContains(where: tryIsEven) })
        == [])
    #expect(
      disagreements(all, as: Tried.self, { $0.tryAllSatisfy(tryIsEven) }, { $0.tryAllSatisfy(tryIsEven) }) == [])
  }

  @Test func `first and last agree with the general ones`() {
    #expect(disagreements(all, as: Of<Int>.self, { $0.first() }, { $0.first() }) == [])
    #expect(disagreements(all, as: Of<Int>.self, { $0.last() }, { $0.last() }) == [])
  }

  @Test func `ignoreOutput keeps the failure`() {
    // A sink takes any output, so the type does not decide which operator is called.
    var completion: Subscribers.Completion<Failed>?
    let token = all[0].ignoreOutput().sink(receiveCompletion: { completion = $0 }, receiveValue: { _ in })
    #expect(completion == .failure(Failed(code: 5)))
    token.cancel()
  }

  @Test func `ignoreOutput as an Empty only finishes`() {
    #expect(surprises(all, as: Empty<Int, Failed>.self, { $0.ignoreOutput() }, { _ in [] }) == [])
  }

  @Test func `scan gives one result, or the failure`() {
    #expect(disagreements(all, as: Of<Int>.self, { $0.scan(1, add) }, { $0.map { add(1, $0) } }) == [])
    #expect(disagreements(all, as: Tried.self, { $0.tryScan(1, tryAdd) }, { $0.tryMap { try tryAdd(1, $0) } }) == [])
  }

  @Test func `mapError makes another error, and keeps the value`() {
    struct Other: Error {
      let code: Int
    }
    let mapped = all.map { $0.mapError { Other(code: $0.code) } }
    #expect(Oracle.outcome(of: mapped[0]).error == "Other(code: 5)")
    #expect(mapped[1...].map { Oracle.outcome(of: $0) } == all[1...].map { Oracle.outcome(of: $0) })
  }

  @Test func `replaceError gives the value or the other one`() {
    let expected: (Of<Int>) -> [Int] = { [(try? $0.result.get()) ?? 9] }
    #expect(surprises(all, as: Result<Int, Never>.Publisher.self, { $0.replaceError(with: 9) }, expected) == [])
  }

  @Test func `setFailureType keeps the value`() {
    let typed: Of<Int> = Result<Int, Never>.Publisher(1).setFailureType(to: Failed.self)
    #expect(typed == Of(1))
  }

  @Test func `what needs a neighbour, nothing at all or another attempt leaves the result alone`() {
    #expect(changes { $0.removeDuplicates() as Of<Int> } == [])
    #expect(changes { $0.removeDuplicates { _, _ in true } as Of<Int> } == [])
    #expect(changes { $0.tryRemoveDuplicates(by: tryCompare) as Tried<Int> } == [])
    #expect(changes { $0.replaceEmpty(with: 9) as Of<Int> } == [])
    #expect(changes { $0.retry(3) as Of<Int> } == [])
  }
}

@Suite struct SequenceOperatorsTests: OriginOperators {
  typealias Source = Publishers.Sequence<[Int], Never>
  typealias Single<T> = Result<T, Never>.Publisher
  typealias Tried<T> = Result<T, any Error>.Publisher
  typealias Found = Optional<Int>.Publisher

  /// All arrays of at most four of the numbers 0 to 2.
  static let arrays: [[Int]] = (0..<4).reduce(into: [[]]) { arrays, length in
    for shorter in arrays where shorter.count == length {
      for number in 0...2 { arrays.append(shorter + [number]) }
    }
  }

  let all = Self.arrays.map(\.publisher)

  @Test func `there are 121 sources`() {
    #expect(Set(Self.arrays).count == 121)
  }

  @Test func `map agrees with the general one`() {
    #expect(disagreements(all, as: Source.self, { $0.map(double) }, { $0.map(double) }) == [])
  }

  @Test func `collect, count and the reductions agree with the general ones`() {
    #expect(disagreements(all, as: Single<[Int]>.self, { $0.collect() }, { $0.collect() }) == [])
    #expect(disagreements(all, as: Just<Int>.self, { $0.count() }, { $0.count() }) == [])
    #expect(disagreements(all, as: Single<Int>.self, { $0.reduce(1, add) }, { $0.reduce(1, add) }) == [])
    #expect(disagreements(all, as: Tried<Int>.self, { $0.tryReduce(1, tryAdd) }, { $0.tryReduce(1, tryAdd) }) == [])
  }

  @Test func `count of other collections and failure types agrees with the general one`() {
    let sets = Self.arrays.map { Set($0).publisher }
    #expect(disagreements(sets, as: Single<Int>.self, { $0.count() }, { $0.count() }) == [])
    let failing = all.map { $0.setFailureType(to: Failed.self) }
    #expect(disagreements(failing, as: Result<Int, Failed>.Publisher.self, { $0.count() }, { $0.count() }) == [])
  }

  @Test func `min and max agree with the general ones`() {
    #expect(disagreements(all, as: Found.self, { $0.min() }, { $0.min() }) == [])
    #expect(disagreements(all, as: Found.self, { $0.max() }, { $0.max() }) == [])
  }

  @Test func `min(by:) and max(by:) choose the same of equal elements as the general ones`() {
    struct Entry: Equatable {
      let key: Int
      let position: Int
    }
    let entries = Self.arrays.map { $0.enumerated().map { Entry(key: $1, position: $0) }.publisher }
    typealias Chosen = Optional<Entry>.Publisher
    let order: (Entry, Entry) -> Bool = { $0.key > $1.key }
    #expect(disagreements(entries, as: Chosen.self, { $0.min(by: order) }, { $0.min(by: order) }) == [])
    #expect(disagreements(entries, as: Chosen.self, { $0.max(by: order) }, { $0.max(by: order) }) == [])
  }

  @Test func `contains and allSatisfy agree with the general ones`() {
    typealias Answer = Single<Bool>
    #expect(disagreements(all, as: Answer.self, { $0.contains(1) }, { $0.contains(1) }) == [])
    #expect(disagreements(all, as: Answer.self, { $0.contains(where: isEven) }, { $0.contains(where: isEven) }) == [])
    #expect(disagreements(all, as: Answer.self, { $0.allSatisfy(isEven) }, { $0.allSatisfy(isEven) }) == [])
    #expect(
      disagreements(all, as: Tried.self, { $0.tryContains(where: tryIsEven) }, { $0.tryContains(where: tryIsEven) })
        == [])
    #expect(
      disagreements(all, as: Tried.self, { $0.tryAllSatisfy(tryIsEven) }, { $0.tryAllSatisfy(tryIsEven) }) == [])
  }

  @Test func `first and last agree with the general ones`() {
    #expect(disagreements(all, as: Found.self, { $0.first() }, { $0.first() }) == [])
    #expect(disagreements(all, as: Found.self, { $0.last() }, { $0.last() }) == [])
    #expect(disagreements(all, as: Found.self, { $0.first(where: isEven) }, { $0.first(where: isEven) }) == [])
    #expect(disagreements(all, as: Found.self, { $0.last(where: isEven) }, { $0.last(where: isEven) }) == [])
  }

  @Test func `ignoreOutput only finishes`() {
    #expect(surprises(all, as: Empty<Int, Never>.self, { $0.ignoreOutput() }, { _ in [] }) == [])
  }

  @Test func `the filters keep what the standard library's keep`() {
    #expect(surprises(all, as: Source.self, { $0.filter(isEven) }, { $0.sequence.filter(isEven) }) == [])
    #expect(surprises(all, as: Source.self, { $0.compactMap(half) }, { $0.sequence.compactMap(half) }) == [])
    #expect(
      surprises(all, as: Source.self, { $0.prefix(while: isEven) }, { Array($0.sequence.prefix(while: isEven)) }) == [])
    typealias Dropped = Publishers.Sequence<DropWhileSequence<[Int]>, Never>
    #expect(
      surprises(all, as: Dropped.self, { $0.drop(while: isEven) }, { Array($0.sequence.drop(while: isEven)) }) == [])
  }

  @Test(arguments: 0...5)
  func `counts and indices keep what the standard library's keep`(_ count: Int) {
    typealias Dropped = Publishers.Sequence<DropFirstSequence<[Int]>, Never>
    typealias Taken = Publishers.Sequence<PrefixSequence<[Int]>, Never>
    #expect(surprises(all, as: Dropped.self, { $0.dropFirst(count) }, { Array($0.sequence.dropFirst(count)) }) == [])
    #expect(surprises(all, as: Taken.self, { $0.prefix(count) }, { Array($0.sequence.prefix(count)) }) == [])
    #expect(
      surprises(all, as: Found.self, { $0.output(at: count) }, { Array($0.sequence.dropFirst(count).prefix(1)) }) == [])
    let two: (Source) -> [Int] = { Array($0.sequence.dropFirst(count).prefix(2)) }
    #expect(surprises(all, as: Source.self, { $0.output(in: count..<(count + 2)) }, two) == [])
  }

  @Test func `indices of a collection without random access select its elements`() {
    let text = "añ🇩🇪x"
    let second = text.index(after: text.startIndex)
    #expect(text.publisher.output(at: second) == Optional("ñ").publisher)
    #expect(text.publisher.output(at: text.endIndex) == Character?.none.publisher)
    #expect(text.publisher.output(in: second..<text.endIndex).sequence == ["ñ", "🇩🇪", "x"])
  }

  @Test func `scan gives every result so far`() {
    let results: (Source) -> [Int] = { source in
      source.sequence.indices.map { source.sequence[...$0].reduce(1, add) }
    }
    #expect(surprises(all, as: Source.self, { $0.scan(1, add) }, results) == [])
  }

  @Test func `removeDuplicates compares an element with the one before, also one left out`() {
    struct Rough: Equatable {
      let value: Double
      static func == (lhs: Self, rhs: Self) -> Bool { abs(lhs.value - rhs.value) < 0.6 }
    }
    let kept = [1, 1.5, 2, 3, 3, 1].map(Rough.init).publisher.removeDuplicates()
    #expect(kept.sequence.map(\.value) == [1, 3, 1])
    #expect([Int?.none, nil, 1, 1, nil].publisher.removeDuplicates().sequence == [nil, 1, nil])
  }

  @Test func `replaceNil puts a value in place of each nil`() {
    let replaced = [1, nil, 3].publisher.replaceNil(with: 2)
    #expect(replaced.sequence == [1, 2, 3])
  }

  @Test func `setFailureType keeps the elements`() {
    let typed: Publishers.Sequence<[Int], Failed> = [1, 2].publisher.setFailureType(to: Failed.self)
    #expect(typed.sequence == [1, 2])
  }

  @Test func `elements go before and after those of the sequence`() {
    #expect(surprises(all, as: Source.self, { $0.prepend(7, 8) }, { [7, 8] + $0.sequence }) == [])
    #expect(surprises(all, as: Source.self, { $0.prepend(7...8) }, { [7, 8] + $0.sequence }) == [])
    #expect(surprises(all, as: Source.self, { $0.prepend([7, 8].publisher) }, { [7, 8] + $0.sequence }) == [])
    #expect(surprises(all, as: Source.self, { $0.append(7, 8) }, { $0.sequence + [7, 8] }) == [])
    #expect(surprises(all, as: Source.self, { $0.append(7...8) }, { $0.sequence + [7, 8] }) == [])
    #expect(surprises(all, as: Source.self, { $0.append([7, 8].publisher) }, { $0.sequence + [7, 8] }) == [])
  }
}
