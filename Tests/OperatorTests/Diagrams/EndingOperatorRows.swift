import Reactive
import ReactiveTesting

extension DiagramRow {
  /// Operators with at most one value, or whose values wait for others.
  @RowBuilder<DiagramRow> static var endingOperators: [DiagramRow] {
    one { source in source.first() }
    one { source in source.first(where: { $0 > "a" }) }
    one { source in source.tryFirst(where: { try check($0) == "b" }) }
    one { source in source.last() }
    one { source in source.last(where: { $0 < "c" }) }
    one { source in source.tryLast(where: { try check($0) < "c" }) }
    one { source in source.contains("b") }
    one { source in source.contains(where: { $0 > "c" }) }
    one { source in source.tryContains(where: { try check($0) == "b" }) }
    one { source in source.allSatisfy { $0 < "b" } }
    one { source in source.tryAllSatisfy { try check($0) < "c" } }
    one { source in source.max() }
    one { source in source.min() }
    one { source in source.max(by: { $0.lowercased() < $1.lowercased() }) }
    one { source in source.min(by: { $0.lowercased() < $1.lowercased() }) }
    one { source in source.tryMax(by: { try check($0) < check($1) }) }
    one { source in source.tryMin(by: { try check($0) < check($1) }) }
    one { source in source.collect() }
    one { source in source.collect(2) }
    one { source in source.reduce("") { $0 + $1 } }
    one { source in source.tryReduce("") { try $0 + check($1) } }
    one { source in source.count() }
    one { source in source.ignoreOutput() }
  }
}
