import Retrievers
import Testing

@Suite struct RetrieverTests {
  @Test func `subscribers get the first value at once and every update after it`() {
    let retriever = Retriever<[Int]>()
    var source = [1]
    retriever.toRetrieveDo { source }
    var seen: [[Int]] = []
    let token = retriever.projectedValue.sink { seen.append($0) }
    source = [2]
    retriever.triggerUpdate()
    #expect(seen == [[1], [2]])
    token.cancel()
    retriever.triggerUpdate()
    #expect(seen == [[1], [2]])
  }
}
