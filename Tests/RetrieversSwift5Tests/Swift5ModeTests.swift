import Observation
import Retrievers
import Testing

/// What has to compile in Swift 5 mode.
@Suite struct Swift5ModeTests {
  struct Person {
    var name: String
  }

  final class PeopleRepository {
    @Retriever var people: [Person]
    var stored = [Person(name: "Ada")]

    init() {
      _people.toRetrieveDo { [unowned self] in self.stored }
    }

    func refresh() {
      _people.triggerUpdate()
    }
  }

  @Observable class NamesViewModel {
    var names: [String] = []
    @ObservationIgnored private var cancellables = Set<AnyCancellable>()

    init(repository: PeopleRepository) {
      repository.$people
        .map { people in people.map { $0.name } }
        .sink { newNames in self.names = newNames }
        .store(in: &cancellables)
    }
  }

  @MainActor final class MainActorViewModel {
    private(set) var count = 0
    private var cancellables: [AnyCancellable] = []

    init(repository: PeopleRepository) {
      repository.$people.sink { [weak self] in self?.count = $0.count }.store(in: &cancellables)
    }
  }

  @Test @MainActor func `view models follow a repository`() {
    let repository = PeopleRepository()
    let names = NamesViewModel(repository: repository)
    let count = MainActorViewModel(repository: repository)
    #expect(names.names == ["Ada"])
    #expect(count.count == 1)
    repository.stored.append(Person(name: "Grace"))
    repository.refresh()
    #expect(names.names == ["Ada", "Grace"])
    #expect(count.count == 2)
  }

  @Test func `a trigger updates`() {
    let retriever = Retriever<[Int]>()
    var fetches = 0
    retriever.toRetrieveDo {
      fetches += 1
      return [fetches]
    }
    let trigger = PassthroughSubject<Void, Never>()
    retriever.triggerUpdate(on: trigger)
    trigger.send()
    #expect(fetches == 1)
    #expect(retriever.wrappedValue == [2])
  }
}
