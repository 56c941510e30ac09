import Combine
import Reactive
import Retrievers
import Testing

import class Combine.AnyCancellable
import class Combine.PassthroughSubject

/// The snippets of Docs/Combine.md: a file that imports both.
@Suite struct BothImportsTests {
  private final class PeopleRepository {
    @Retriever var people: [String]
    init(read: @escaping () -> [String]) { _people.toRetrieveDo(read) }
  }

  @Test func `a view model in Combine follows a repository`() {
    let repository = PeopleRepository { ["Ada"] }
    var shown: [[String]] = []
    var cancellables = Set<Combine.AnyCancellable>()
    repository.$people.combinePublisher
      .sink { people in shown.append(people) }
      .store(in: &cancellables)
    #expect(shown == [["Ada"]])
  }

  @Test func `a retriever updates when a publisher of Combine says so`() {
    final class Owner {
      @Retriever var people: [String]
      let changes = Combine.PassthroughSubject<Void, Never>()
      var fetches = 0
      init() {
        _people.toRetrieveDo { [unowned self] in
          fetches += 1
          return ["Ada"]
        }
        _people.triggerUpdate(on: changes.reactivePublisher)
      }
    }
    let owner = Owner()
    owner.changes.send(())
    owner.changes.send(())
    #expect(owner.fetches == 2)
  }

  @Test func `qualified names tell the modules apart`() {
    let subject = Combine.PassthroughSubject<Int, Never>()
    let newest = Reactive.CurrentValueSubject<Int, Never>(0)
    let token: Reactive.AnyCancellable = subject.reactivePublisher.subscribe(newest)
    subject.send(1)
    #expect(newest.value == 1)
    token.cancel()
    subject.send(2)
    #expect(newest.value == 1)
  }

  @Test func `an import of one name decides for it in the whole file`() {
    // AnyCancellable and PassthroughSubject are imported by name at the head of this file.
    let subject = PassthroughSubject<Int, Never>()
    var seen = 0
    let token: AnyCancellable = subject.sink { seen = $0 }
    subject.send(1)
    #expect(seen == 1)
    token.cancel()
  }
}
