import Retrievers

/// The two models of one repository, shown as lines of text.
final class Screen {
  let names: NamesModel
  let averages: AveragesModel
  private let shown: Shown

  /// How often the averages have been shown.
  var timesAveragesShown: Int { shown.timesAverages }

  /// Whether both streams have ended.
  var isFinished: Bool { names.isFinished && averages.isFinished }

  /// Subscribes both models.
  ///
  /// - Parameters:
  ///   - repository: Where the people come from.
  ///   - filter: What the shown names contain.
  ///   - show: Prints a line.
  init(_ repository: PeopleRepository, filter: String, show: @escaping (String) -> Void) {
    let shown = Shown()
    names = NamesModel(repository.peoplePublisher, matching: filter) { names in
      show("  \(names.count) names with \"\(filter)\": " + shown.change(to: names))
    }
    averages = AveragesModel(repository.peoplePublisher) { averages in
      show("  average age in \(averages.count) cities: " + shown.change(to: averages))
    }
    self.shown = shown
  }

  /// Whether both models show these people.
  func shows(_ people: [Person], filter: String) -> Bool {
    names.names == NamesModel.names(of: people, matching: filter)
      && averages.averages == AveragesModel.averages(of: people)
  }
}

/// What has been shown last, to show what is new.
private final class Shown {
  private var names: Set<String> = []
  private var averages: [String: Double] = [:]
  private(set) var timesAverages = 0

  func change(to names: [String]) -> String {
    defer { self.names = Set(names) }
    return start(of: names.filter { !self.names.contains($0) })
  }

  func change(to averages: [String: Double]) -> String {
    defer {
      self.averages = averages
      timesAverages += 1
    }
    let changed = averages.filter { self.averages[$0.key] != $0.value }.sorted { $0.key < $1.key }
    return start(of: changed.map { "\($0.key) \(($0.value * 100).rounded() / 100)" })
  }

  private func start(of texts: [String]) -> String {
    guard !texts.isEmpty else { return "nothing new" }
    return texts.prefix(4).joined(separator: ", ") + (texts.count > 4 ? ", ..." : "")
  }
}
