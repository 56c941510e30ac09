import Retrievers

extension Group {
  /// One value to many subscribers; the limit calls as many closures in a loop.
  static var fanOut: Group {
    let counts = [1, 10, 100, 1_000, 10_000]
    return Group(
      title: "Fan-out",
      rows: counts.map { .fanOut("PassthroughSubject", to: $0, PassthroughSubject.init) }
        + counts.map { .fanOut("CurrentValueSubject", to: $0) { CurrentValueSubject(0) } }
        + counts.map { .fanOutOfUpdate(to: $0) })
  }
}

extension Row {
  /// A row for a subject.
  @inline(__always)
  fileprivate static func fanOut<S: Subject>(_ name: String, to count: Int, _ makeSubject: @escaping () -> S) -> Row
  where S.Output == Int, S.Failure == Never {
    Row(
      name: "fan-out / \(name) to \(count)", operation: "delivery", limit: "\(count) closures in a loop",
      method: .time {
        let subject = makeSubject()
        let closures = makeClosures(count)
        let tokens = closures.map { subject.sink(receiveValue: $0) }
        return Comparison(operations: count) { passes in
          for index in 0..<passes { subject.send(index) }
          withExtendedLifetime(tokens) {}
        } limit: {
          callEach(closures, passes: $0)
        }
      })
  }

  /// The row for an update of a retriever; the fetch, which is one for all, is included.
  fileprivate static func fanOutOfUpdate(to count: Int) -> Row {
    Row(
      name: "fan-out / Retriever to \(count)", operation: "delivery", limit: "\(count) closures in a loop",
      method: .time {
        let retriever = makeRetriever()
        let tokens = makeNumberClosures(count).map { retriever.projectedValue.sink(receiveValue: $0) }
        let closures = makeClosures(count)
        return Comparison(operations: count) { passes in
          for _ in 0..<passes { retriever.triggerUpdate() }
          withExtendedLifetime(tokens) {}
        } limit: {
          callEach(closures, passes: $0)
        }
      })
  }
}
