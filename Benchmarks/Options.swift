/// What the command line asks for.
struct Options: Equatable {
  var isQuick = false
  var filter: String?
  var jsonFile: String?
  var listsOnly = false
  var showsHelp = false
  var guardsBands = false

  static let usage = """
    usage: Benchmarks [--quick] [--filter TEXT] [--json FILE] [--guard] [--list] [--help]

      --quick        fewer and shorter samples
      --filter TEXT  only the rows whose name contains TEXT, in any case
      --json FILE    also write the figures to FILE
      --guard        exit with 1 when a ratio leaves its band (see Bands.swift)
      --list         print the names of the rows and measure nothing
      --help         print this

    """

  /// Reads the arguments.
  ///
  /// - Parameter arguments: Without the name of the program.
  init(_ arguments: some Sequence<String>) throws(UsageError) {
    var rest = arguments.makeIterator()
    func argument(of option: String) throws(UsageError) -> String {
      guard let value = rest.next(), !value.isEmpty, !value.hasPrefix("--") else {
        throw UsageError(message: "\(option) needs an argument")
      }
      return value
    }
    while let option = rest.next() {
      switch option {
      case "--quick": isQuick = true
      case "--filter": filter = try argument(of: option)
      case "--json": jsonFile = try argument(of: option)
      case "--list": listsOnly = true
      case "--help": showsHelp = true
      case "--guard": guardsBands = true
      default: throw UsageError(message: "unknown option: \(option)")
      }
    }
  }

  /// The groups with the rows that were asked for.
  func selected(from groups: [Group]) throws(UsageError) -> [Group] {
    guard let filter else { return groups }
    let needle = filter.lowercased()
    let selected =
      groups
      .map { Group(title: $0.title, rows: $0.rows.filter { $0.name.lowercased().contains(needle) }) }
      .filter { !$0.rows.isEmpty }
    guard !selected.isEmpty else { throw UsageError(message: "no row contains: \(filter)") }
    return selected
  }
}

/// A mistake on the command line.
struct UsageError: Error, Equatable {
  let message: String
}
