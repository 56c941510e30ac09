import Reactive

extension Group {
  /// One operator of each mechanism: from a sequence, from one whose type is hidden, and behind a subject.
  static var mechanisms: Group {
    Group(
      title: "One operator",
      rows: Row.specimen(Mapped()) + Row.specimen(Filtered()) + Row.specimen(Scanned())
        + Row.specimen(Reduced()) + Row.specimen(Collected()))
  }
}

/// An operator, applied to whatever publishes numbers.
private protocol Specimen {
  static var name: String { get }

  func subscribe<P: Publisher>(to numbers: P) -> AnyCancellable where P.Output == Int, P.Failure == Never
}

private struct Mapped: Specimen {
  static var name: String { "map" }

  @inline(__always)
  func subscribe<P: Publisher>(to numbers: P) -> AnyCancellable where P.Output == Int, P.Failure == Never {
    numbers.map { $0 &+ 1 }.sink { tally.total &+= $0 }
  }
}

private struct Filtered: Specimen {
  static var name: String { "filter" }

  @inline(__always)
  func subscribe<P: Publisher>(to numbers: P) -> AnyCancellable where P.Output == Int, P.Failure == Never {
    numbers.filter { $0 & 3 != 0 }.sink { tally.total &+= $0 }
  }
}

private struct Scanned: Specimen {
  static var name: String { "scan" }

  @inline(__always)
  func subscribe<P: Publisher>(to numbers: P) -> AnyCancellable where P.Output == Int, P.Failure == Never {
    numbers.scan(0) { $0 &+ $1 &+ 1 }.sink { tally.total &+= $0 }
  }
}

private struct Reduced: Specimen {
  static var name: String { "reduce" }

  @inline(__always)
  func subscribe<P: Publisher>(to numbers: P) -> AnyCancellable where P.Output == Int, P.Failure == Never {
    numbers.reduce(0) { $0 &+ $1 &+ 1 }.sink { tally.total &+= $0 }
  }
}

private struct Collected: Specimen {
  static var name: String { "collect" }

  @inline(__always)
  func subscribe<P: Publisher>(to numbers: P) -> AnyCancellable where P.Output == Int, P.Failure == Never {
    numbers.collect().sink { tally.total &+= $0.count }
  }
}

extension Row {
  /// The rows of one operator.
  ///
  /// Each pass subscribes, sends many elements and ends, so that what gives its result at the end is measured with it.
  fileprivate static func specimen<S: Specimen>(_ specimen: S) -> [Row] {
    let count = 10_000
    return [
      .calls("operator / \(S.name), sequence", operation: "element", each: count) {
        { passes in
          for _ in 0..<passes { specimen.subscribe(to: Deferred { (0..<count).publisher }).cancel() }
        }
      },
      .calls("operator / \(S.name), erased sequence", operation: "element", each: count) {
        { passes in
          for _ in 0..<passes {
            specimen.subscribe(to: Deferred { (0..<count).publisher }.eraseToAnyPublisher()).cancel()
          }
        }
      },
      .calls("operator / \(S.name), subject", operation: "send", each: count) {
        { passes in
          for _ in 0..<passes {
            let subject = PassthroughSubject<Int, Never>()
            let token = specimen.subscribe(to: subject)
            for index in 0..<count { subject.send(index) }
            subject.send(completion: .finished)
            token.cancel()
          }
        }
      },
    ]
  }
}

extension Group {
  /// Six operators in a row on a sequence; the limit is as many closures, so the ratio is what one of them costs.
  static var stages: Group {
    Group(
      title: "Six operators in a row, each",
      rows: [
        .six("map") { numbers in
          numbers.map { $0 &+ 1 }.map { $0 ^ 5 }.map { $0 &* 3 }.map { $0 &- 7 }.map { $0 ^ 9 }.map { $0 &+ 2 }
            .sink { tally.total &+= $0 }
        },
        .six("scan") { numbers in
          numbers.scan(0) { $0 &+ $1 }.scan(1) { $0 ^ $1 }.scan(2) { $0 &+ $1 }.scan(3) { $0 ^ $1 }
            .scan(4) { $0 &+ $1 }.scan(5) { $0 ^ $1 }.sink { tally.total &+= $0 }
        },
        .six("mixed") { numbers in
          numbers.map { $0 &+ 1 }.filter { $0 != .min }.scan(0) { $0 &+ $1 }.removeDuplicates()
            .prefix(.max).map { $0 &* 3 }.sink { tally.total &+= $0 }
        },
      ])
  }
}

extension Row {
  fileprivate typealias Numbers = Deferred<Publishers.Sequence<Range<Int>, Never>>

  fileprivate static func six(_ name: String, subscribe: @escaping (Numbers) -> AnyCancellable) -> Row {
    let count = 10_000
    return .calls("stages / six, \(name)", operation: "operator", each: 6 * count) {
      { passes in
        for _ in 0..<passes { subscribe(Deferred { (0..<count).publisher }).cancel() }
      }
    }
  }
}
