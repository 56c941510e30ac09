import Reactive
import ReactiveTesting

extension OracleRow {
  /// Operators with at most one value, or whose values wait for others.
  @RowBuilder<OracleRow> static var endingOperators: [OracleRow] {
    oracle("first()") { $0.source.first() }.gives { $0.finding($0.values.first) }
    oracle("first(where:)") { $0.source.first { $0 > 5 } }.gives { $0.finding($0.values.first { $0 > 5 }) }
    oracle("tryFirst(where:)") { $0.source.tryFirst { try low($0) > 5 } }.gives { input in
      input.finding(until: { $0 > 5 }) { $0 }
    }
    oracle("last()") { $0.source.last() }.gives { input in input.atEnd { input.values.last } }
    oracle("last(where:)") { $0.source.last { $0 > 5 } }
      .gives { input in input.atEnd { input.values.last { $0 > 5 } } }
    oracle("tryLast(where:)") { $0.source.tryLast { try low($0) > 5 } }.gives { input in
      input.atEnd { try input.values.filter { try low($0) > 5 }.last }
    }
    oracle("contains(_:)") { $0.source.contains(5) }.gives { input in
      input.values.contains(5) ? OracleResult([true]) : input.atEnd([false])
    }
    oracle("contains(where:)") { $0.source.contains { $0 > 5 } }.gives { input in
      input.values.contains { $0 > 5 } ? OracleResult([true]) : input.atEnd([false])
    }
    oracle("tryContains(where:)") { $0.source.tryContains { try low($0) > 5 } }.gives { input in
      input.finding(until: { $0 > 5 }, otherwise: false) { _ in true }
    }
    oracle("allSatisfy(_:)") { $0.source.allSatisfy { $0 < 6 } }.gives { input in
      input.values.allSatisfy { $0 < 6 } ? input.atEnd([true]) : OracleResult([false])
    }
    oracle("tryAllSatisfy(_:)") { $0.source.tryAllSatisfy { try low($0) < 6 } }.gives { input in
      input.finding(until: { $0 >= 6 }, otherwise: true) { _ in false }
    }
    oracle("max()") { $0.source.max() }.gives { input in input.atEnd { input.values.max() } }
    oracle("min()") { $0.source.min() }.gives { input in input.atEnd { input.values.min() } }
    oracle("max(by:)") { $0.source.max { $0.magnitude < $1.magnitude } }.gives { input in
      input.atEnd { input.values.max { $0.magnitude < $1.magnitude } }
    }
    oracle("min(by:)") { $0.source.min { $0.magnitude < $1.magnitude } }.gives { input in
      input.atEnd { input.values.min { $0.magnitude < $1.magnitude } }
    }
    oracle("tryMax(by:)") { $0.source.tryMax { try low($0) < low($1) } }.gives { input in
      input.atEnd { try input.values.max { try low($0) < low($1) } }
    }
    oracle("tryMin(by:)") { $0.source.tryMin { try low($0) < low($1) } }.gives { input in
      input.atEnd { try input.values.min { try low($0) < low($1) } }
    }
    oracle("collect()") { $0.source.collect() }.gives { input in input.atEnd { input.values } }
    oracle("collect(_:)") { $0.source.collect(3) }.gives { input in
      input.passing(input.values.groups(of: 3).filter { $0.count == 3 || !input.fails })
    }
    oracle("reduce(_:_:)") { $0.source.reduce(1) { $0 &* 3 &+ $1 } }.gives { input in
      input.atEnd { input.values.reduce(1) { $0 &* 3 &+ $1 } }
    }
    oracle("tryReduce(_:_:)") { $0.source.tryReduce(1) { try $0 &* 3 &+ low($1) } }.gives { input in
      input.atEnd { try input.values.reduce(1) { try $0 &* 3 &+ low($1) } }
    }
    oracle("count()") { $0.source.count() }.gives { input in input.atEnd { input.values.count } }
    oracle("ignoreOutput()") { $0.source.ignoreOutput() }.gives { $0.passing([Never]()) }
  }
}

extension OracleInput {
  /// What follows from the first value that satisfies a predicate, unless one that is too high comes earlier; the value
  /// at the end of the source if there is neither.
  fileprivate func finding<Value: Equatable>(
    until predicate: (Int) -> Bool, otherwise: Value? = nil, _ transform: (Int) -> Value
  ) -> OracleResult<Value> {
    guard let first = values.first(where: { $0 > 8 || predicate($0) }) else { return atEnd { otherwise } }
    return first > 8 ? OracleResult([], fails: true) : OracleResult([transform(first)])
  }
}
