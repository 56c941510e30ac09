import Reactive
import ReactiveTesting

extension Registry {
  /// Operators that give something at the end, or make the end.
  mutating func addEndingOperators() {
    addTaking()
    addMatching()
    addReducing()
  }

  private mutating func addTaking() {
    add("prefix", [.passesDemand, .endsEarly]) { source, _ in source.prefix(3) }
    add("output(at:)", .endsEarly) { source, _ in source.output(at: 2) }
    add("output(in:)", .endsEarly) { source, _ in source.output(in: 1...3) }
    add("prefix(while:)", [.passesDemand, .endsEarly]) { source, _ in source.prefix { $0 < 5 } }
    add("tryPrefix(while:)", [.passesDemand, .endsEarly]) { source, _ in source.tryPrefix { $0 < 5 } }
  }

  private mutating func addMatching() {
    add("first", [.mayBuffer, .endsEarly]) { source, _ in source.first() }
    add("first(where:)", [.mayBuffer, .endsEarly]) { source, _ in source.first { $0 > 3 } }
    add("tryFirst(where:)", [.mayBuffer, .endsEarly]) { source, _ in source.tryFirst { $0 > 3 } }
    let atTheEnd: OperatorTraits = [.mayBuffer, .waitsForTheEnd]
    add("last", atTheEnd) { source, _ in source.last() }
    add("last(where:)", atTheEnd) { source, _ in source.last { $0 < 3 } }
    add("tryLast(where:)", atTheEnd) { source, _ in source.tryLast { $0 < 3 } }
    let once = atTheEnd.union(.endsEarly)
    add("contains", once) { source, _ in source.contains(5) }
    add("contains(where:)", once) { source, _ in source.contains { $0 > 4 } }
    add("tryContains(where:)", once) { source, _ in source.tryContains { $0 > 4 } }
    add("allSatisfy", once) { source, _ in source.allSatisfy { $0 < 5 } }
    add("tryAllSatisfy", once) { source, _ in source.tryAllSatisfy { $0 < 5 } }
  }

  private mutating func addReducing() {
    let atTheEnd: OperatorTraits = [.mayBuffer, .waitsForTheEnd]
    add("collect", atTheEnd) { source, _ in source.collect() }
    add("collect, by count", .mayBuffer) { source, _ in source.collect(3) }
    add("count", atTheEnd) { source, _ in source.count() }
    add("reduce", atTheEnd) { source, _ in source.reduce(0) { $0 + $1 } }
    add("tryReduce", atTheEnd) { source, _ in source.tryReduce(0) { $0 + $1 } }
    add("min", atTheEnd) { source, _ in source.min() }
    add("max", atTheEnd) { source, _ in source.max() }
    add("min(by:)", atTheEnd) { source, _ in source.min { $0 > $1 } }
    add("max(by:)", atTheEnd) { source, _ in source.max { $0 > $1 } }
    add("tryMin", atTheEnd) { source, _ in source.tryMin { $0 < $1 } }
    add("tryMax", atTheEnd) { source, _ in source.tryMax { $0 < $1 } }
  }
}
