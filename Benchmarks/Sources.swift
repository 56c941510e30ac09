import Reactive

extension Group {
  /// Several sources, or one shared: held against the call of one closure.
  static var sources: Group {
    Group(
      title: "Several sources",
      rows: [
        .calls("sources / merge of 2", operation: "value", each: 2) {
          let (a, b) = (Numbers(), Numbers())
          let token = a.merge(with: b).sink { tally.total &+= $0 }
          return { sendToEach([a, b], passes: $0, token) }
        },
        .calls("sources / zip of 2", operation: "pair") {
          let (a, b) = (Numbers(), Numbers())
          let token = a.zip(b).sink { tally.total &+= $0 &+ $1 }
          return { sendToEach([a, b], passes: $0, token) }
        },
        .calls("sources / combineLatest of 2", operation: "pair") {
          let (a, b) = (Numbers(), Numbers())
          let token = a.combineLatest(b).sink { tally.total &+= $0 &+ $1 }
          return { sendToEach([a, b], passes: $0, token) }
        },
        .calls("sources / combineLatest of 4", operation: "value", each: 4) {
          let (a, b, c, d) = (Numbers(), Numbers(), Numbers(), Numbers())
          let token = a.combineLatest(b, c, d).sink { tally.total &+= $0 &+ $1 &+ $2 &+ $3 }
          return { sendToEach([a, b, c, d], passes: $0, token) }
        },
        .calls("sources / flatMap to Just", operation: "element", each: 1_000) {
          { passes in
            for _ in 0..<passes {
              Deferred { (0..<1_000).publisher }.flatMap { Just($0 &+ 1) }.sink { tally.total &+= $0 }.cancel()
            }
          }
        },
        .calls("sources / flatMap to a sequence", operation: "element", each: 1_000) {
          { passes in
            for _ in 0..<passes {
              Deferred { (0..<1_000).publisher }.flatMap { CollectionOfOne($0 &+ 1).publisher }
                .sink { tally.total &+= $0 }.cancel()
            }
          }
        },
        .calls("sources / switchToLatest of Just", operation: "element", each: 1_000) {
          { passes in
            for _ in 0..<passes {
              Deferred { (0..<1_000).publisher }.map { Just($0 &+ 1) }.switchToLatest().sink { tally.total &+= $0 }
                .cancel()
            }
          }
        },
        .calls("sources / switchToLatest of a sequence", operation: "element", each: 1_000) {
          { passes in
            for _ in 0..<passes {
              Deferred { (0..<1_000).publisher }.map { CollectionOfOne($0 &+ 1).publisher }.switchToLatest()
                .sink { tally.total &+= $0 }.cancel()
            }
          }
        },
        .calls("sources / share to 10", operation: "delivery", each: 10) {
          let subject = Numbers()
          let shared = subject.share()
          let tokens = makeClosures(10).map { shared.sink(receiveValue: $0) }
          return { passes in
            for index in 0..<passes { subject.send(index) }
            withExtendedLifetime(tokens) {}
          }
        },
        .merge(of: 1_000, limit: "a send to its source alone") { sources in
          let tokens = sources.map { $0.sink { tally.total &+= $0 } }
          return { sendToEach(sources, passes: $0, tokens) }
        },
        .merge(of: 10_000, limit: "the same with 1000") { _ in
          let sources = (0..<1_000).map { _ in Numbers() }
          let token = Publishers.MergeMany(sources).sink { tally.total &+= $0 }
          return { sendToEach(sources, passes: $0 * 10, token) }
        },
        .comeAndGo(merging: 10_000),
      ])
  }
}

private typealias Numbers = PassthroughSubject<Int, Never>

/// Sends each number to every source in turn.
///
/// - Parameter tokens: What has to live meanwhile.
private func sendToEach(_ sources: [Numbers], passes: Int, _ tokens: some Any) {
  for index in 0..<passes {
    for source in sources { source.send(index) }
  }
  withExtendedLifetime(tokens) {}
}

extension Row {
  /// A merge of many sources, each of which sends in its turn.
  fileprivate static func merge(
    of count: Int, limit: String, makeLimit: @escaping ([Numbers]) -> (_ passes: Int) -> Void
  ) -> Row {
    Row(
      name: "sources / merge of \(count)", operation: "value", limit: limit,
      method: .time {
        let sources = (0..<count).map { _ in Numbers() }
        let token = Publishers.MergeMany(sources).sink { tally.total &+= $0 }
        return Comparison(
          operations: count, work: { sendToEach(sources, passes: $0, token) },
          limit: makeLimit((0..<count).map { _ in Numbers() }))
      })
  }

  /// Subscribing to a merge of many and cancelling it, held against a tenth as many.
  fileprivate static func comeAndGo(merging count: Int) -> Row {
    Row(
      name: "sources / merge of \(count), subscribe and cancel", operation: "source", limit: "the same with 1000",
      method: .time {
        let (many, few) = (Crossing(count), Crossing(1_000))
        return Comparison(
          operations: count, work: { many.comeAndGo(times: $0) }, limit: { few.comeAndGo(times: $0 * count / 1_000) })
      })
  }
}

/// Sources that are merged again and again.
private struct Crossing {
  let merge: Publishers.MergeMany<Numbers>

  init(_ count: Int) {
    merge = Publishers.MergeMany((0..<count).map { _ in Numbers() })
  }

  func comeAndGo(times: Int) {
    for _ in 0..<times { merge.sink { tally.total &+= $0 }.cancel() }
  }
}
