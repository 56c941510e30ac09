import Reactive

extension Group {
  /// A crowd in which everyone is replaced, in scattered order; the cost of one must not depend on how many there are.
  static var churn: Group {
    Group(
      title: "Churn",
      rows: [
        .churn(of: 1_000, limit: "one closure call") { _ in
          let closures = makeClosures(1_000)
          return { callEach(closures, passes: $0) }
        }
      ]
        + [10_000, 100_000].map { count in
          .churn(of: count, limit: "the same with 1000") { _ in
            let crowd = Crowd(1_000)
            return { crowd.replaceAll(times: $0 * count / 1_000) }
          }
        })
  }
}

extension Row {
  fileprivate static func churn(
    of count: Int, limit: String, _ makeLimit: @escaping (_ count: Int) -> (_ passes: Int) -> Void
  ) -> Row {
    Row(
      name: "churn / PassthroughSubject with \(count)", operation: "subscriber replaced", limit: limit,
      method: .time {
        let crowd = Crowd(count)
        return Comparison(operations: count, work: { crowd.replaceAll(times: $0) }, limit: makeLimit(count))
      })
  }
}

/// The subscribers of one subject.
private final class Crowd {
  private let subject = PassthroughSubject<Int, Never>()
  private let closures: [(Int) -> Void]
  private var tokens: [AnyCancellable]

  init(_ count: Int) {
    closures = makeClosures(count)
    tokens = closures.map { [subject] in subject.sink(receiveValue: $0) }
  }

  /// Replaces every subscriber, jumping about in the crowd.
  func replaceAll(times: Int) {
    // A prime larger than half of the crowd visits everyone once.
    let stride = 7_919
    var index = 0
    for _ in 0..<times * tokens.count {
      index = (index + stride) % tokens.count
      tokens[index].cancel()
      tokens[index] = subject.sink(receiveValue: closures[index])
    }
  }
}
