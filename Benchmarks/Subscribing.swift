import Reactive

extension Group {
  /// Coming and going; the limit is the call of one closure, so the ratio says how many calls it is worth.
  static var subscribing: Group {
    Group(
      title: "Subscribe and cancel",
      rows: [
        .atOnce("PassthroughSubject") { PassthroughSubject<Int, Never>() },
        .atOnce("CurrentValueSubject") { CurrentValueSubject<Int, Never>(0) },
        .inOrder("PassthroughSubject") { PassthroughSubject<Int, Never>() },
        .inOrder("CurrentValueSubject") { CurrentValueSubject<Int, Never>(0) },
      ])
  }
}

extension Row {
  /// Each subscriber leaves before the next one comes.
  @inline(__always)
  fileprivate static func atOnce<P: Publisher>(_ name: String, _ makePublisher: @escaping () -> P) -> Row
  where P.Output == Int, P.Failure == Never {
    Row(
      name: "subscribe and cancel / \(name), each at once", operation: "subscriber", limit: "one closure call",
      method: .time {
        let publisher = makePublisher()
        let closures = makeClosures(100)
        return Comparison(operations: closures.count) { passes in
          for _ in 0..<passes {
            for closure in closures { publisher.sink(receiveValue: closure).cancel() }
          }
        } limit: {
          callEach(closures, passes: $0)
        }
      })
  }

  /// All come, then all leave, the first one first.
  @inline(__always)
  fileprivate static func inOrder<P: Publisher>(_ name: String, _ makePublisher: @escaping () -> P) -> Row
  where P.Output == Int, P.Failure == Never {
    Row(
      name: "subscribe and cancel / \(name), 10000 in order", operation: "subscriber", limit: "one closure call",
      method: .time {
        let publisher = makePublisher()
        let closures = makeClosures(10_000)
        return Comparison(operations: closures.count) { passes in
          for _ in 0..<passes {
            for token in closures.map({ publisher.sink(receiveValue: $0) }) { token.cancel() }
          }
        } limit: {
          callEach(closures, passes: $0)
        }
      })
  }
}
