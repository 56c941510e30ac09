import Reactive

extension Group {
  /// One value through three operators; the limit calls three closures in a loop.
  ///
  /// A deferred sequence has no operators of its own: the ones for sequences compute an array, which is not what is
  /// measured here.
  static var chains: Group {
    Group(
      title: "Chains of three operators",
      rows: [
        .sequence("map-filter-map", makePureSteps) { count in
          Deferred { (0..<count).publisher }.map { $0 &+ 1 }.filter { $0 != .min }.map { $0 &* 3 }
            .sink { tally.total &+= $0 }
        },
        .sequence("map-filter-map, erased at every step", makePureSteps) { count in
          Deferred { (0..<count).publisher }
            .map { $0 &+ 1 }.eraseToAnyPublisher()
            .filter { $0 != .min }.eraseToAnyPublisher()
            .map { $0 &* 3 }.eraseToAnyPublisher()
            .sink { tally.total &+= $0 }
        },
        .sequence("scan-removeDuplicates-prefix", makeSteppingSteps) { count in
          Deferred { (0..<count).publisher }.scan(0) { $0 &+ $1 &+ 1 }.removeDuplicates().prefix(count)
            .sink { tally.total &+= $0 }
        },
        .sequence("scan-removeDuplicates-prefix, erased at every step", makeSteppingSteps) { count in
          Deferred { (0..<count).publisher }
            .scan(0) { $0 &+ $1 &+ 1 }.eraseToAnyPublisher()
            .removeDuplicates().eraseToAnyPublisher()
            .prefix(count).eraseToAnyPublisher()
            .sink { tally.total &+= $0 }
        },
        .subject("map-filter-map", makePureSteps) { subject in
          subject.map { $0 &+ 1 }.filter { $0 != .min }.map { $0 &* 3 }.sink { tally.total &+= $0 }
        },
        .subject("map-filter-map, erased at every step", makePureSteps) { subject in
          subject
            .map { $0 &+ 1 }.eraseToAnyPublisher()
            .filter { $0 != .min }.eraseToAnyPublisher()
            .map { $0 &* 3 }.eraseToAnyPublisher()
            .sink { tally.total &+= $0 }
        },
        .subject("scan-removeDuplicates-prefix", makeSteppingSteps) { subject in
          subject.scan(0) { $0 &+ $1 &+ 1 }.removeDuplicates().prefix(.max).sink { tally.total &+= $0 }
        },
      ])
  }
}

extension Row {
  /// A chain on a sequence: subscribing runs it, and the elements are many enough for that not to count.
  fileprivate static func sequence(
    _ name: String, _ makeSteps: @escaping () -> [(Int) -> Int], run: @escaping (_ count: Int) -> AnyCancellable
  ) -> Row {
    Row(
      name: "chain / sequence, \(name)", operation: "element", limit: "3 closures in a loop",
      method: .time {
        let steps = makeSteps()
        let count = 10_000
        return Comparison(operations: count) { passes in
          for _ in 0..<passes { run(count).cancel() }
        } limit: {
          runThrough(steps, count: $0 * count)
        }
      })
  }

  /// A chain on a subject, subscribed once.
  fileprivate static func subject(
    _ name: String, _ makeSteps: @escaping () -> [(Int) -> Int],
    subscribe: @escaping (PassthroughSubject<Int, Never>) -> AnyCancellable
  ) -> Row {
    Row(
      name: "chain / subject, \(name)", operation: "send", limit: "3 closures in a loop",
      method: .time {
        let steps = makeSteps()
        let subject = PassthroughSubject<Int, Never>()
        let token = subscribe(subject)
        return Comparison(operations: 1) { passes in
          for index in 0..<passes { subject.send(index) }
          withExtendedLifetime(token) {}
        } limit: {
          runThrough(steps, count: $0)
        }
      })
  }
}
