import Foundation
import Observation
import ReactiveTesting
import Retrievers
import Testing

/// What has to compile in Swift 6 mode; that it runs is the smaller part.
@Suite struct LanguageModeTests {
  struct Person: Equatable {
    var name: String
    var age = 0
  }

  final class PeopleRepository {
    @Retriever var people: [Person]
    var stored = [Person(name: "Ada")]

    init() {
      _people.toRetrieveDo { [weak self] in self?.stored ?? [] }
    }

    func refresh() { _people.triggerUpdate() }
  }

  @Observable final class NamesViewModel {
    var names: [String] = []
    @ObservationIgnored private var cancellables = Set<AnyCancellable>()

    init(_ repository: PeopleRepository) {
      repository.$people.sink { newPeople in
        self.names = newPeople.map { $0.name }
      }.store(in: &cancellables)
    }
  }

  @Test func `an observable view model follows a repository`() {
    let repository = PeopleRepository()
    let first = NamesViewModel(repository)
    let second = NamesViewModel(repository)
    #expect(first.names == ["Ada"])
    repository.stored.append(Person(name: "Grace"))
    #expect(first.names == ["Ada"])
    repository.refresh()
    #expect(first.names == ["Ada", "Grace"])
    #expect(second.names == ["Ada", "Grace"])
  }

  @MainActor final class MainActorRepository {
    @Retriever var people: [Person]
    private var stored = [Person(name: "Ada")]

    init() {
      _people.toRetrieveDo { [unowned self] in stored }
    }

    func add(_ person: Person) {
      stored.append(person)
      _people.triggerUpdate()
    }
  }

  @Test @MainActor func `a main actor repository may use its own state in the closure`() {
    let repository = MainActorRepository()
    var names: [[String]] = []
    let token = repository.$people.sink { names.append($0.map(\.name)) }
    repository.add(Person(name: "Grace"))
    #expect(names == [["Ada"], ["Ada", "Grace"]])
    token.cancel()
  }

  struct Store: Sendable {
    func load() -> [Int] { [1, 2, 3] }
  }

  actor ActorRepository {
    @Retriever private var numbers: [Int]

    init(_ store: Store) {
      _numbers.toRetrieveDo { store.load() }
    }

    func current() -> [Int] { numbers }

    func firstOfSubscription() -> [Int] {
      var first: [Int] = []
      $numbers.sink { first = $0 }.cancel()
      return first
    }
  }

  @Test func `an actor repository captures something sendable in the closure`() async {
    let repository = ActorRepository(Store())
    #expect(await repository.current() == [1, 2, 3])
    #expect(await repository.firstOfSubscription() == [1, 2, 3])
  }

  @Observable final class ObservableRepository {
    @ObservationIgnored @Retriever var numbers: [Int]
    func refresh() { _numbers.triggerUpdate() }
  }

  @Test func `an observable class can own a retriever, and reads of it are tracked`() {
    let repository = ObservableRepository()
    let invalidations = Log<Bool>()
    withObservationTracking {
      _ = repository.numbers
    } onChange: {
      invalidations.append(true)
    }
    repository.refresh()
    #expect(invalidations.all == [true])
  }

  protocol NumbersRepository: AnyObject {
    var numbers: [Int] { get }
    var numbersPublisher: AnyPublisher<[Int], Never> { get }
  }

  final class LiteralRepository: NumbersRepository {
    @Retriever var numbers: [Int]
    var numbersPublisher: AnyPublisher<[Int], Never> { $numbers }

    init(_ read: @escaping () -> [Int]) {
      _numbers.toRetrieveDo(read)
    }
  }

  @MainActor protocol MainActorNumbers {
    var people: [Person] { get }
  }

  @Test func `a protocol asks for the property and its publisher`() {
    let repository: any NumbersRepository = LiteralRepository { [4] }
    var seen: [[Int]] = []
    let token = repository.numbersPublisher.sink { seen.append($0) }
    #expect(repository.numbers == [4])
    #expect(seen == [[4]])
    token.cancel()
  }

  @Test func `arrays, optionals, sets, dictionaries and own types can be retrieved`() {
    struct Settings: Defaultable, Equatable {
      var volume = 5
      static var defaultValue: Settings { Settings() }
    }
    struct Everything {
      @Retriever var array: [Int]
      @Retriever var optional: Int?
      @Retriever var set: Set<Int>
      @Retriever var dictionary: [String: Int]
      @Retriever var settings: Settings
    }
    let everything = Everything()
    #expect(everything.array == [])
    #expect(everything.optional == nil)
    #expect(everything.set == [])
    #expect(everything.dictionary == [:])
    #expect(everything.settings == Settings(volume: 5))
    let publisher: AnyPublisher<Set<Int>, Never> = everything.$set
    var isEmpty = false
    publisher.sink { isEmpty = $0.isEmpty }.cancel()
    #expect(isEmpty)
  }
}

extension LanguageModeTests.MainActorRepository: @MainActor LanguageModeTests.MainActorNumbers {}
