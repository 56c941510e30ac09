import Reactive

extension Group {
  /// What stays allocated after subscribing and cancelling, per chain: nothing.
  static var leftovers: Group {
    Group(
      title: "Memory after a cancel",
      rows: allocatedBytes() == nil
        ? []
        : [
          .leftover("operators") { subject in
            subject.map { $0 &+ 1 }.filter { $0 != 0 }.scan(0) { $0 &+ $1 }.removeDuplicates().prefix(10)
              .eraseToAnyPublisher().collect(2).sink { tally.total &+= $0.count }
          },
          .leftover("share") { subject in
            let shared = subject.share()
            let first = shared.sink { tally.total &+= $0 }
            let second = shared.sink { tally.total &+= $0 }
            return AnyCancellable {
              first.cancel()
              second.cancel()
            }
          },
          .leftover("merge") { subject in subject.merge(with: subject.map { -$0 }).sink { tally.total &+= $0 } },
          .leftover("zip") { subject in
            subject.zip(subject.dropFirst()).sink { tally.total &+= $0 &- $1 }
          },
          .leftover("combineLatest") { subject in
            subject.combineLatest(subject.dropFirst()).sink { tally.total &+= $0 &- $1 }
          },
          .leftover("flatMap") { subject in
            subject.flatMap { [subject] in subject.prepend($0) }.sink { tally.total &+= $0 }
          },
          .leftover("switchToLatest") { subject in
            subject.map { [subject] in subject.prepend($0) }.switchToLatest().sink { tally.total &+= $0 }
          },
          .leftover("a hop") { subject in
            subject.receive(on: ImmediateScheduler.shared).sink { tally.total &+= $0 }
          },
        ])
  }
}

extension Row {
  /// The bytes left by many chains that have carried values and were cancelled, all at once.
  fileprivate static func leftover(
    _ name: String, subscribe: @escaping (PassthroughSubject<Int, Never>) -> AnyCancellable
  ) -> Row {
    Row(
      name: "memory left by a cancelled chain / \(name)", operation: "chain", limit: "one byte",
      method: .bytes {
        let count = 10_000
        let subject = PassthroughSubject<Int, Never>()
        func comeAndGo() {
          var tokens: [AnyCancellable] = []
          for _ in 0..<count {
            tokens.append(subscribe(subject))
            if tokens.count == 100 {
              for index in 0..<3 { subject.send(index) }
              for token in tokens { token.cancel() }
              tokens.removeAll()
            }
          }
        }
        return (bytesLeft(byEachOf: count, comeAndGo), 1)
      })
  }
}

/// The bytes that each of many objects leaves allocated, which come and go in one call.
///
/// - Parameters:
///   - count: How many come and go.
///   - allocated: Counts what is allocated.
///   - comeAndGo: Called twice: the first round makes what stays for good, such as type metadata and what the allocator
///     keeps at hand.
func bytesLeft(byEachOf count: Int, allocated: () -> Int? = allocatedBytes, _ comeAndGo: () -> Void) -> Double {
  comeAndGo()
  let before = allocated() ?? 0
  comeAndGo()
  let after = allocated() ?? 0
  return Double(max(0, after - before)) / Double(count)
}
