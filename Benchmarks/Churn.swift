import Reactive

extension Group {
  /// A crowd in which everyone is replaced; the cost of one must not depend on how many there are.
  ///
  /// The oldest goes first, as subscribers do that come and go. In scattered order each step also misses the caches,
  /// the more the larger the crowd is; that row is there to show how much.
  static var churn: Group {
    Group(
      title: "Churn",
      rows: [
        .churn(of: 1_000, limit: "one closure call") { _ in
          let closures = makeClosures(1_000)
          return { callEach(closures, passes: $0) }
        }
      ]
        + [10_000, 100_000].map { .churn(of: $0, stride: 1) } + [.churn(of: 100_000, stride: 7_919)])
  }
}

extension Row {
  /// A larger crowd, held against a small one.
  fileprivate static func churn(of count: Int, stride: Int) -> Row {
    churn(of: count, stride: stride, limit: "the same with 1000") { _ in
      let crowd = Crowd(1_000)
      return { crowd.replaceAll(times: $0 * count / 1_000, stride: stride) }
    }
  }

  fileprivate static func churn(
    of count: Int, stride: Int = 1, limit: String, _ makeLimit: @escaping (_ count: Int) -> (_ passes: Int) -> Void
  ) -> Row {
    Row(
      name: "churn / PassthroughSubject with \(count)" + (stride > 1 ? ", scattered" : ""),
      operation: "subscriber replaced", limit: limit,
      method: .time {
        let crowd = Crowd(count)
        return Comparison(
          operations: count, work: { crowd.replaceAll(times: $0, stride: stride) }, limit: makeLimit(count))
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

  /// Replaces every subscriber.
  ///
  /// - Parameter stride: How far to jump from one to the next: a prime larger than one that does not divide the size of
  ///   the crowd visits everyone once.
  func replaceAll(times: Int, stride: Int) {
    var index = 0
    for _ in 0..<times * tokens.count {
      index = (index + stride) % tokens.count
      tokens[index].cancel()
      tokens[index] = subject.sink(receiveValue: closures[index])
    }
  }
}
