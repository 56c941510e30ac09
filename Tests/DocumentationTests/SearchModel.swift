import Reactive

final class SearchModel<Clock: Scheduler>: ObservableObject {
  @Published var query = ""
  @Published private(set) var results: [String] = []

  init(scheduler: Clock, search: @escaping (String) -> [String]) {
    $query
      .debounce(for: .milliseconds(300), scheduler: scheduler)
      .removeDuplicates()
      .map(search)
      .assign(to: &$results)
  }
}
