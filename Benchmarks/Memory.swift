import Retrievers

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
  import Malloc
#endif

/// The bytes this process has allocated and not freed, or nil where the C library does not say.
func allocatedBytes() -> Int? {
  #if canImport(Darwin)
    var statistics = malloc_statistics_t()
    malloc_zone_statistics(nil, &statistics)
    return Int(statistics.size_in_use)
  #elseif canImport(Glibc)
    let info = mallinfo2()
    return Int(info.uordblks) + Int(info.hblkhd)
  #else
    return nil
  #endif
}

/// The bytes that one of many objects takes, the array that holds them not counted.
///
/// - Parameters:
///   - count: How many to make.
///   - make: Makes one.
func bytesEach<T>(of count: Int = 10_000, _ make: (Int) -> T) -> Double {
  var objects: [T] = []
  objects.reserveCapacity(count)
  let before = allocatedBytes() ?? 0
  for index in 0..<count { objects.append(make(index)) }
  let after = allocatedBytes() ?? 0
  return withExtendedLifetime(objects) { Double(after - before) / Double(count) }
}

extension Group {
  /// What stays allocated; rows are missing where the C library does not count.
  static var memory: Group {
    // Its publisher does not keep a retriever; the row does.
    let retriever = makeRetriever()
    return Group(
      title: "Memory",
      rows: allocatedBytes() == nil
        ? []
        : [
          .bytesPerIdleRetriever,
          .bytesPerSubscriber("Retriever") { retriever.projectedValue },
          .bytesPerSubscriber("PassthroughSubject") { PassthroughSubject<Int, Never>() },
          .bytesPerSubscriber("CurrentValueSubject") { CurrentValueSubject<Int, Never>(0) },
        ])
  }
}

/// What a retriever might read.
private final class Store {
  let number = Number(value: 1)
}

extension Row {
  /// What a retriever takes that has been told how to retrieve and has no subscribers.
  fileprivate static var bytesPerIdleRetriever: Row {
    Row(
      name: "memory / idle Retriever", operation: "retriever", limit: "160 bytes",
      method: .bytes {
        // Written where it is handed over, as a repository does; a closure that is passed through a function first may
        // get a box of its own there.
        let store = Store()
        let bytes = bytesEach { _ in
          let retriever = Retriever<Number>()
          retriever.toRetrieveDo { store.number }
          return retriever
        }
        return (bytes, 160)
      })
  }

  /// What a subscriber adds: its place in the list, its subscription, its closures, and the token.
  fileprivate static func bytesPerSubscriber<P: Publisher>(_ name: String, _ makePublisher: @escaping () -> P) -> Row
  where P.Failure == Never {
    Row(
      name: "memory / subscriber of a \(name)", operation: "subscriber", limit: "one allocated closure",
      method: .bytes {
        let publisher = makePublisher()
        let closure = bytesEach { number -> () -> Void in { tally.total &+= number } }
        let subscriber = bytesEach { number in publisher.sink { _ in tally.total &+= number } }
        return (subscriber, closure)
      })
  }
}
