import Retrievers

/// A view model: the average age in each city, and silence while it stays the same.
final class AveragesModel {
  private(set) var averages: [String: Double] = [:]
  private(set) var isFinished = false
  private var token: AnyCancellable?

  /// Subscribes, and has its averages when this returns.
  ///
  /// - Parameters:
  ///   - people: Whose ages count.
  ///   - show: Told the averages each time they have changed.
  init(_ people: some Publisher<[Person], Never>, show: @escaping ([String: Double]) -> Void = { _ in }) {
    token =
      people
      .map(Self.averages)
      .removeDuplicates()
      .sink { [weak self] _ in
        self?.isFinished = true
      } receiveValue: { [weak self] averages in
        self?.averages = averages
        show(averages)
      }
  }

  static func averages(of people: [Person]) -> [String: Double] {
    Dictionary(grouping: people, by: \.city).mapValues { residents in
      Double(residents.map(\.age).reduce(0, +)) / Double(residents.count)
    }
  }
}
