import Dispatch
import Foundation
import ReactiveFoundation
import Retrievers

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

// The recipe of Docs/Recipes.md.

struct Person: Codable, Equatable {
  var name: String
  var age: Int
}

struct Directory: Defaultable, Equatable {
  var people: [Person] = []
  var problem: String?

  static let defaultValue = Directory()

  /// What is known after a further answer: people that cannot be fetched any more are better than none.
  func updated(with answer: Result<[Person], any Error>) -> Directory {
    switch answer {
    case .success(let people): Directory(people: people)
    case .failure(let error): Directory(people: people, problem: error.localizedDescription)
    }
  }
}

final class RemotePeopleRepository {
  @Retriever var directory: Directory

  private let latest = CurrentValueSubject<Directory, Never>(.defaultValue)
  private var loading: AnyCancellable?

  init(at url: URL, with session: URLSession, refreshing ticks: some Publisher<Date, Never>) {
    _directory.toRetrieveDo { [latest] in latest.value }
    _directory.triggerUpdate(on: latest.dropFirst())
    loading =
      ticks.prepend(Date())
      .flatMap(maxPublishers: .max(1)) { _ in Self.answer(to: url, from: session) }
      .scan(Directory.defaultValue) { known, answer in known.updated(with: answer) }
      .subscribe(latest)
  }

  /// One request; what goes wrong is a value, so that the stream goes on.
  private static func answer(
    to url: URL, from session: URLSession
  ) -> some Publisher<Result<[Person], any Error>, Never> {
    session.dataTaskPublisher(for: url)
      .tryMap { data, response in
        guard (response as? HTTPURLResponse)?.statusCode == 200 else { throw URLError(.badServerResponse) }
        return .success(try JSONDecoder().decode([Person].self, from: data))
      }
      .catch { error in Just(.failure(error)) }
  }
}

final class NamesModel {
  private(set) var names: [String] = []
  private var cancellables = Set<AnyCancellable>()

  init(_ repository: RemotePeopleRepository, on queue: DispatchQueue) {
    repository.$directory
      .map { directory in directory.people.map(\.name) }
      .removeDuplicates()
      .receive(on: queue)
      .sink { [weak self] names in self?.names = names }
      .store(in: &cancellables)
  }
}

final class StatusModel {
  private(set) var status = ""
  private var cancellables = Set<AnyCancellable>()

  init(_ repository: RemotePeopleRepository, on queue: DispatchQueue) {
    repository.$directory
      .map { directory in directory.problem.map { "offline: \($0)" } ?? "\(directory.people.count) people" }
      .receive(on: queue)
      .sink { [weak self] status in self?.status = status }
      .store(in: &cancellables)
  }
}
