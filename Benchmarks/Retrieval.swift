import Retrievers

/// What the retrievers of the benchmarks retrieve.
struct Number: Defaultable {
  var value: Int
  static var defaultValue: Number { Number(value: 0) }
}

/// Retrievals that the optimizer cannot see through.
@inline(never)
func makeRetrievals(_ count: Int) -> [() -> Number] {
  (0..<count).map { number in
    let tally = tally
    return {
      tally.total &+= number
      return Number(value: tally.total)
    }
  }
}

/// A retriever that has been told how to retrieve.
func makeRetriever(_ retrieve: @escaping () -> Number = makeRetrievals(1)[0]) -> Retriever<Number> {
  let retriever = Retriever<Number>()
  retriever.toRetrieveDo(retrieve)
  return retriever
}

/// Closures like those of `makeClosures`, for what is retrieved.
@inline(never)
func makeNumberClosures(_ count: Int) -> [(Number) -> Void] {
  (0..<count).map { number in
    let tally = tally
    return { tally.total &+= $0.value &+ number }
  }
}

extension Group {
  /// What a read costs above the closure that it runs.
  static var retriever: Group {
    Group(
      title: "Retriever",
      rows: [
        Row(
          name: "retriever / access", operation: "read", limit: "its own closure",
          method: .time {
            let retrievals = makeRetrievals(100)
            let retrievers = retrievals.map(makeRetriever)
            return Comparison(operations: retrievals.count) { passes in
              for _ in 0..<passes {
                for retriever in retrievers { tally.total &+= retriever.wrappedValue.value }
              }
            } limit: { passes in
              for _ in 0..<passes {
                for retrieve in retrievals { tally.total &+= retrieve().value }
              }
            }
          })
      ])
  }
}
