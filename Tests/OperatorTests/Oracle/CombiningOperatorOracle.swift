import Reactive
import ReactiveTesting

extension OracleRow {
  static var combiningOperators: [OracleRow] { concatenating + merging + combining + flattening + recovering + sharing }

  @RowBuilder<OracleRow> private static var concatenating: [OracleRow] {
    oracle("append(_:)") { $0.source.append(1, 2, 3) }.gives { $0.appending([1, 2, 3]) }
    oracle("append(_:)") { $0.source.append($0.others) }.gives { $0.appending($0.others) }
    oracle("append(_:)") { $0.source.append($0.other) }.gives { $0.appending($0.others) }
    oracle("prepend(_:)") { $0.source.prepend(1, 2, 3) }.gives { $0.passing([1, 2, 3] + $0.values) }
    oracle("prepend(_:)") { $0.source.prepend($0.others) }.gives { $0.passing($0.others + $0.values) }
    oracle("prepend(_:)") { $0.source.prepend($0.other) }.gives { $0.passing($0.others + $0.values) }
    oracle("prefix(untilOutputFrom:)") { $0.source.prefix(untilOutputFrom: $0.other.prefix($0.others.count % 2)) }
      .gives { $0.others.count % 2 == 0 ? $0.passing($0.values) : OracleResult([]) }
    oracle("drop(untilOutputFrom:)") { $0.source.drop(untilOutputFrom: $0.other) }
      .gives { $0.others.isEmpty ? OracleResult([]) : $0.passing($0.values) }
    oracle("buffer(size:prefetch:whenFull:)", mayFail: false) {
      $0.source.buffer(size: 3, prefetch: .keepFull, whenFull: .dropNewest)
    }.gives { $0.passing($0.values) }
    oracle("buffer(size:prefetch:whenFull:)", mayFail: false) {
      $0.source.buffer(size: 20, prefetch: .byRequest, whenFull: .dropOldest)
    }.gives { $0.passing($0.values) }
    oracle("buffer(size:prefetch:whenFull:)", mayFail: false) {
      $0.source.buffer(size: 4, prefetch: .byRequest, whenFull: .dropOldest)
    }.gives { $0.passing($0.values.suffix(4)) }
  }

  @RowBuilder<OracleRow> private static var merging: [OracleRow] {
    oracle("merge(with:)", mayFail: false) { $0.source.merge(with: $0.other.map { $0 + 20 }) }
      .gives { $0.interleaving($0.values, $0.others.map { $0 + 20 }) }
    oracle("merge(with:)", mayFail: false) { $0.source.merge(with: $0.other) }
      .gives { $0.interleaving($0.values, $0.others) }
    oracle("merge(with:_:)", mayFail: false) { $0.source.merge(with: $0.other, $0.other) }
      .gives { $0.interleaving($0.values, $0.others, $0.others) }
    oracle("merge(with:_:_:)", mayFail: false) { $0.source.merge(with: $0.other, $0.other, $0.other) }
      .gives { $0.interleaving($0.values, $0.others, $0.others, $0.others) }
    oracle("merge(with:_:_:_:)", mayFail: false) { $0.source.merge(with: $0.other, $0.other, $0.other, $0.other) }
      .gives { $0.interleaving($0.values, $0.others, $0.others, $0.others, $0.others) }
    oracle("merge(with:_:_:_:_:)", mayFail: false) {
      $0.source.merge(with: $0.other, $0.other, $0.other, $0.other, $0.other)
    }.gives { $0.interleaving($0.values, $0.others, $0.others, $0.others, $0.others, $0.others) }
    oracle("merge(with:_:_:_:_:_:)", mayFail: false) {
      $0.source.merge(with: $0.other, $0.other, $0.other, $0.other, $0.other, $0.other)
    }.gives { $0.interleaving($0.values, $0.others, $0.others, $0.others, $0.others, $0.others, $0.others) }
    oracle("merge(with:_:_:_:_:_:_:)", mayFail: false) {
      $0.source.merge(with: $0.other, $0.other, $0.other, $0.other, $0.other, $0.other, $0.other)
    }.gives { $0.interleaving($0.values, $0.others, $0.others, $0.others, $0.others, $0.others, $0.others, $0.others) }
  }

  @RowBuilder<OracleRow> private static var combining: [OracleRow] {
    oracle("zip(_:)", mayFail: false) { $0.source.zip($0.other).map { [$0, $1] } }.gives { $0.zipping { [$0, $1] } }
    oracle("zip(_:_:)", mayFail: false) { $0.source.zip($0.other) { $0 - $1 } }.gives { $0.zipping { $0 - $1 } }
    oracle("zip(_:_:)", mayFail: false) { $0.source.zip($0.other, $0.other).map { [$0, $1, $2] } }
      .gives { $0.zipping { [$0, $1, $1] } }
    oracle("zip(_:_:_:)", mayFail: false) { $0.source.zip($0.other, $0.other) { $0 - $1 * $2 } }
      .gives { $0.zipping { $0 - $1 * $1 } }
    oracle("zip(_:_:_:)", mayFail: false) { $0.source.zip($0.other, $0.other, $0.other).map { [$0, $1, $2, $3] } }
      .gives { $0.zipping { [$0, $1, $1, $1] } }
    oracle("zip(_:_:_:_:)", mayFail: false) { $0.source.zip($0.other, $0.other, $0.other) { $0 - $1 * $2 * $3 } }
      .gives { $0.zipping { $0 - $1 * $1 * $1 } }
    // Each publisher delivers all it has before the next one is asked: the last values of the earlier ones count.
    oracle("combineLatest(_:)", .unlimited, mayFail: false) { $0.source.combineLatest($0.other).map { [$0, $1] } }
      .gives { $0.latest { [$0, $2] } }
    oracle("combineLatest(_:_:)", .unlimited, mayFail: false) { $0.source.combineLatest($0.other) { $0 - $1 } }
      .gives { $0.latest { $0 - $2 } }
    oracle("combineLatest(_:_:)", .unlimited, mayFail: false) {
      $0.source.combineLatest($0.other, $0.other).map { [$0, $1, $2] }
    }.gives { $0.latest { [$0, $1, $2] } }
    oracle("combineLatest(_:_:_:)", .unlimited, mayFail: false) {
      $0.source.combineLatest($0.other, $0.other) { $0 - $1 * $2 }
    }.gives { $0.latest { $0 - $1 * $2 } }
    oracle("combineLatest(_:_:_:)", .unlimited, mayFail: false) {
      $0.source.combineLatest($0.other, $0.other, $0.other).map { [$0, $1, $2, $3] }
    }.gives { $0.latest { [$0, $1, $1, $2] } }
    oracle("combineLatest(_:_:_:_:)", .unlimited, mayFail: false) {
      $0.source.combineLatest($0.other, $0.other, $0.other) { $0 - $1 * $2 * $3 }
    }.gives { $0.latest { $0 - $1 * $1 * $2 } }
  }

  @RowBuilder<OracleRow> private static var flattening: [OracleRow] {
    // A failure of the source does not wait for the inner publisher that is running.
    oracle("flatMap(maxPublishers:_:)", mayFail: false) {
      $0.source.flatMap(maxPublishers: .max(1)) { recorded(countdown($0)) }
    }
    .gives { $0.passing($0.values.flatMap(countdown)) }
    oracle("flatMap(maxPublishers:_:)", mayFail: false) {
      $0.source.flatMap(maxPublishers: .max(1)) { countdown($0).publisher }
    }
    .gives { $0.passing($0.values.flatMap(countdown)) }
    oracle("flatMap(maxPublishers:_:)", mayFail: false) {
      $0.values.publisher.flatMap(maxPublishers: .max(1)) { countdown($0).publisher }
    }.gives { OracleResult($0.values.flatMap(countdown)) }
    oracle("flatMap(maxPublishers:_:)", mayFail: false) {
      $0.values.publisher.flatMap(maxPublishers: .max(1)) {
        recorded(countdown($0))
      }
    }.gives { OracleResult($0.values.flatMap(countdown)) }
    oracle("flatMap(maxPublishers:_:)", mayFail: false) { $0.source.flatMap { countdown($0).publisher } }
      .gives { input in
        let all = input.values.flatMap(countdown).sorted()
        return OracleResult(
          count: all.count, fails: false, accepts: { $0.sorted() == all }, description: "\(all) in some order")
      }
    // Each inner publisher delivers all it has before the next one takes its place.
    oracle("switchToLatest()", .unlimited) { $0.source.map { recorded(countdown($0)) }.switchToLatest() }
      .gives { $0.passing($0.values.flatMap(countdown)) }
    oracle("switchToLatest()", .unlimited) { $0.source.map { countdown($0).publisher }.switchToLatest() }
      .gives { $0.passing($0.values.flatMap(countdown)) }
    oracle("switchToLatest()") { $0.other.map { [source = $0.source] _ in source }.prefix(1).switchToLatest() }
      .gives { $0.others.isEmpty ? OracleResult([]) : $0.passing($0.values) }
  }

  @RowBuilder<OracleRow> private static var recovering: [OracleRow] {
    oracle("catch(_:)") { input in input.source.catch { _ in input.other } }
      .gives { OracleResult($0.values + ($0.fails ? $0.others : [])) }
    oracle("tryCatch(_:)") { input in
      input.source.tryCatch { _ in
        _ = try low(input.values.count)
        return input.other
      }
    }.gives { $0.values.count > 8 ? $0.passing($0.values) : OracleResult($0.values + ($0.fails ? $0.others : [])) }
    oracle("replaceError(with:)") { $0.source.replaceError(with: 7) }
      .gives { OracleResult($0.values + ($0.fails ? [7] : [])) }
    oracle("replaceEmpty(with:)") { $0.source.replaceEmpty(with: 7) }
      .gives { $0.values.isEmpty ? $0.atEnd([7]) : $0.passing($0.values) }
    oracle("retry(_:)") { $0.source.retry(2) }
      .gives { $0.passing($0.fails ? $0.values + $0.values + $0.values : $0.values) }
  }

  // Whoever asks for nothing misses values of these.
  @RowBuilder<OracleRow> private static var sharing: [OracleRow] {
    oracle("multicast(_:)", .unlimited) { $0.source.multicast { PassthroughSubject() }.autoconnect() }
      .gives { $0.passing($0.values) }
    oracle("multicast(subject:)", .unlimited) { $0.source.multicast(subject: PassthroughSubject()).autoconnect() }
      .gives { $0.passing($0.values) }
    oracle("share()", .unlimited) { $0.source.share() }.gives { $0.passing($0.values) }
    oracle("makeConnectable()", .unlimited) { $0.source.replaceError(with: 7).makeConnectable().autoconnect() }
      .gives { OracleResult($0.values + ($0.fails ? [7] : [])) }
    oracle("autoconnect()", .unlimited) { $0.source.multicast { PassthroughSubject() }.autoconnect() }
      .gives { $0.passing($0.values) }
  }
}

/// Down from a number to 1.
private func countdown(_ number: Int) -> [Int] {
  (0..<max(0, number)).reversed().map { $0 + 1 }
}

/// A publisher of numbers that could fail.
private func recorded(_ numbers: [Int]) -> Record<Int, TestFailure> {
  Record(output: numbers, completion: .finished)
}

extension OracleInput {
  /// These values after those of the source, unless it fails.
  fileprivate func appending(_ numbers: [Int]) -> OracleResult<Int> { passing(values + (fails ? [] : numbers)) }

  /// What comes of pairs of a value of each publisher.
  fileprivate func zipping<Value: Equatable>(_ transform: (Int, Int) -> Value) -> OracleResult<Value> {
    passing(zip(values, others).map(transform))
  }

  /// What comes of the last value of the source, the last one of the other publisher, and each one of that.
  fileprivate func latest<Value: Equatable>(_ transform: (Int, Int, Int) -> Value) -> OracleResult<Value> {
    guard let value = values.last, let other = others.last else { return passing([]) }
    return passing(others.map { transform(value, other, $0) })
  }
}
