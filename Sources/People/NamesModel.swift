import Retrievers

/// A view model: the names that contain a text.
final class NamesModel {
  private(set) var names: [String] = []
  private(set) var isFinished = false
  private var token: AnyCancellable?

  /// Subscribes, and has its names when this returns.
  ///
  /// - Parameters:
  ///   - people: Where the names come from.
  ///   - filter: What a name must contain, in any case.
  ///   - show: Told the names each time they have been read.
  init(
    _ people: some Publisher<[Person], Never>, matching filter: String, show: @escaping ([String]) -> Void = { _ in }
  ) {
    token =
      people
      .map { Self.names(of: $0, matching: filter) }
      .sink { [weak self] _ in
        self?.isFinished = true
      } receiveValue: { [weak self] names in
        self?.names = names
        show(names)
      }
  }

  static func names(of people: [Person], matching filter: String) -> [String] {
    people.map(\.name).filter { filter.isEmpty || $0.lowercased().contains(filter.lowercased()) }.sorted()
  }
}
