import Retrievers

extension Group {
  /// Coming and going; the limit is the call of one closure, so the ratio says how many calls it is worth.
  static var subscribing: Group {
    // Its publisher does not keep a retriever; the rows do.
    let retriever = makeRetriever()
    return Group(
      title: "Subscribe and cancel",
      rows: [
        .atOnce("PassthroughSubject", makeClosures) { PassthroughSubject<Int, Never>() },
        .atOnce("CurrentValueSubject", makeClosures) { CurrentValueSubject<Int, Never>(0) },
        .atOnce("Retriever", makeNumberClosures) { retriever.projectedValue },
        .inOrder("PassthroughSubject", makeClosures) { PassthroughSubject<Int, Never>() },
        .inOrder("CurrentValueSubject", makeClosures) { CurrentValueSubject<Int, Never>(0) },
        .inOrder("Retriever", makeNumberClosures) { retriever.projectedValue },
      ])
  }
}

extension Row {
  /// Each subscriber leaves before the next one comes.
  @inline(__always)
  fileprivate static func atOnce<P: Publisher>(
    _ name: String, _ makeReceivers: @escaping (Int) -> [(P.Output) -> Void], _ makePublisher: @escaping () -> P
  ) -> Row where P.Failure == Never {
    subscribing("\(name), each at once", 100, makeReceivers, makePublisher) { publisher, receivers in
      for receiver in receivers { publisher.sink(receiveValue: receiver).cancel() }
    }
  }

  /// All come, then all leave, the first one first.
  @inline(__always)
  fileprivate static func inOrder<P: Publisher>(
    _ name: String, _ makeReceivers: @escaping (Int) -> [(P.Output) -> Void], _ makePublisher: @escaping () -> P
  ) -> Row where P.Failure == Never {
    subscribing("\(name), 10000 in order", 10_000, makeReceivers, makePublisher) { publisher, receivers in
      for token in receivers.map({ publisher.sink(receiveValue: $0) }) { token.cancel() }
    }
  }

  @inline(__always)
  private static func subscribing<P: Publisher>(
    _ name: String, _ count: Int, _ makeReceivers: @escaping (Int) -> [(P.Output) -> Void],
    _ makePublisher: @escaping () -> P, comeAndGo: @escaping (P, [(P.Output) -> Void]) -> Void
  ) -> Row {
    Row(
      name: "subscribe and cancel / \(name)", operation: "subscriber", limit: "one closure call",
      method: .time {
        let publisher = makePublisher()
        let (closures, receivers) = (makeClosures(count), makeReceivers(count))
        return Comparison(operations: count) { passes in
          for _ in 0..<passes { comeAndGo(publisher, receivers) }
        } limit: {
          callEach(closures, passes: $0)
        }
      })
  }
}
