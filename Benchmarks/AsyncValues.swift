import Dispatch
import Reactive

extension Group {
  /// Reading a publisher in a task, held against reading an `AsyncStream`.
  static var asyncValues: Group {
    let count = 10_000
    return Group(
      title: "Async values",
      rows: [
        .values("sequence", count) { (Deferred { (0..<count).publisher }, {}) },
        .values("erased sequence", count) { (Deferred { (0..<count).publisher }.eraseToAnyPublisher(), {}) },
        .values("subject with a buffer", count) {
          let subject = PassthroughSubject<Int, Never>()
          return (
            subject.buffer(size: count, prefetch: .keepFull, whenFull: .dropOldest),
            {
              for index in 0..<count { subject.send(index) }
              subject.send(completion: .finished)
            }
          )
        },
      ])
  }
}

extension Row {
  /// - Parameter make: Makes the publisher, and what fills it once it is being read.
  fileprivate static func values<P: Publisher & SendableMetatype>(
    _ name: String, _ count: Int, _ make: @escaping () -> (publisher: P, fill: () -> Void)
  ) -> Row where P.Output == Int, P.Failure == Never {
    Row(
      name: "async values / \(name)", operation: "value", limit: "an AsyncStream of as many",
      method: .time {
        Comparison(operations: count) { passes in
          nonisolated(unsafe) let make = make
          runTask {
            for _ in 0..<passes {
              let source = make()
              var values = source.publisher.values.makeAsyncIterator()
              source.fill()
              while let value = await values.next() { tally.total &+= value }
            }
          }
        } limit: { passes in
          runTask {
            for _ in 0..<passes {
              let stream = AsyncStream<Int> { continuation in
                for index in 0..<count { continuation.yield(index) }
                continuation.finish()
              }
              for await value in stream { tally.total &+= value }
            }
          }
        }
      })
  }
}

/// Runs a task while this thread waits for it.
private func runTask(_ work: @escaping @Sendable () async -> Void) {
  let done = DispatchSemaphore(value: 0)
  Task.detached {
    await work()
    done.signal()
  }
  done.wait()
}
