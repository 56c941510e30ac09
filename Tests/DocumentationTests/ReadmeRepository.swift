import Retrievers

struct Person: Equatable {
  var name: String
  var age: Int
}

final class PeopleRepository {
  @Retriever var people: [Person]

  var peoplePublisher: AnyPublisher<[Person], Never> { $people }

  init(read: @escaping () -> [Person]) {
    _people.toRetrieveDo(read)
  }

  func refresh() {
    _people.triggerUpdate()
  }
}

final class NamesModel {
  private(set) var names: [String] = []
  private var cancellables = Set<AnyCancellable>()

  init(_ repository: PeopleRepository) {
    repository.peoplePublisher
      .map { people in people.map(\.name) }
      .removeDuplicates()
      .sink { [weak self] names in self?.names = names }
      .store(in: &cancellables)
  }
}
