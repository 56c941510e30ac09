import Retrievers
import Testing

/// Situations in which libraries like this one have failed their users.
@Suite struct ReportedFaultsTests {
  @Test func `values that are equal are removed by who wants them removed`() {
    let repository = Repository()
    var (all, distinct) = ([Int?](), [Int?]())
    let tokens = [
      repository.$number.sink { all.append($0) },
      repository.$number.removeDuplicates().sink { distinct.append($0) },
    ]
    repository.refresh()
    repository.refresh()
    repository.change(to: 1)
    #expect(all == [0, 0, 0, 1] && distinct == [0, 1])
    for token in tokens { token.cancel() }
  }
}
