import Reactive
import ReactiveTesting

/// A cold source that fails at once.
private var failing: Record<Int, TestFailure> { Record(output: [], completion: .failure(TestFailure())) }

/// A cold source of some values.
private func values(_ count: Int) -> Record<Int, TestFailure> {
  Record(output: Array(0..<count), completion: .finished)
}

extension Registry {
  /// Operators that deliver on request when their sources do.
  mutating func addColdOperators() {
    addCold("map, cold", failing: failing.map { $0 + 1 }) { values($0).map { $0 + 1 } }
    addCold("filter, cold", failing: failing.filter { $0 % 2 == 1 }) { values(2 * $0).filter { $0 % 2 == 1 } }
    addCold("prefix, cold") { values($0 + 5).prefix($0) }
    addCold("append, cold", failing: failing.append(values(0))) { values($0 / 2).append(values($0 - $0 / 2)) }
    addCold("prepend, cold", failing: failing.prepend(values(0))) { values($0 / 2).prepend(values($0 - $0 / 2)) }
    addCold("merge, cold", failing: failing.merge(with: values(0))) {
      values($0 / 2).merge(with: values($0 - $0 / 2))
    }
    addCold("merge, many, cold") { count in
      Publishers.MergeMany((0..<3).map { values(count / 3 + ($0 < count % 3 ? 1 : 0)) })
    }
    addCold("zip, cold", failing: failing.zip(values(2))) { values($0).zip(values($0)) }
    addCold("combineLatest, cold", failing: failing.combineLatest(values(1))) {
      values(1).combineLatest(values($0))
    }
    addCold("flatMap, cold", failing: failing.flatMap { _ in values(1) }) { values($0).flatMap { _ in values(1) } }
    addCold("flatMap, one at a time, cold", failing: failing.flatMap(maxPublishers: .max(1)) { _ in values(1) }) {
      values($0).flatMap(maxPublishers: .max(1)) { _ in values(1) }
    }
    addCold("switchToLatest, cold") { count in values(1).map { _ in values(count) }.switchToLatest() }
    addCold("catch, cold") { count in failing.catch { _ in values(count) } }
    addCold("retry, cold", failing: failing.retry(2)) { values($0).retry(2) }
    addCold("buffer, cold", failing: failing.buffer(size: 10, prefetch: .keepFull, whenFull: .dropNewest)) {
      values($0).buffer(size: 10, prefetch: .keepFull, whenFull: .dropNewest)
    }
    addCold("collect, cold", elements: .only([1]), failing: failing.collect()) { values($0).collect() }
    addCold("drop(untilOutputFrom:), cold", failing: failing.drop(untilOutputFrom: values(1))) {
      values($0).drop(untilOutputFrom: values(1))
    }
    addCold("print, cold", failing: failing.print("row", to: Silence())) { values($0).print("row", to: Silence()) }
    addCold("strict, cold", failing: failing.strict { _ in }) { values($0).strict { _ in } }
    addCold("receive(on:), cold", failing: failing.receive(on: ImmediateScheduler.shared)) {
      values($0).receive(on: ImmediateScheduler.shared)
    }
  }
}
