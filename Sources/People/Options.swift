/// What the command line asks for.
struct Options: Equatable {
  var watchedFile: String?
  var polls = false
  var filter = "an"
  var showsHelp = false

  static let usage = """
    usage: People [--watch FILE] [--filter TEXT] [--poll] [--help]

    Without --watch, the example runs by itself: another process edits a copy of the
    bundled people.json, and two view models follow. It exits with 0 when they did.

      --watch FILE   follow FILE until interrupted; edit and save it to see
      --filter TEXT  show the names that contain TEXT (default: \(Options().filter))
      --poll         compare date and size instead of asking the system for changes
      --help         print this

    """

  init() {}

  /// Reads the arguments.
  ///
  /// - Parameter arguments: Without the name of the program.
  init(_ arguments: some Sequence<String>) throws(Mistake) {
    var rest = Array(arguments)[...]
    while let option = rest.popFirst() {
      switch option {
      case "--poll": polls = true
      case "--help": showsHelp = true
      case "--watch", "--filter":
        guard let value = rest.popFirst(), !value.isEmpty, !value.hasPrefix("--") else {
          throw Mistake(message: "\(option) needs an argument")
        }
        if option == "--watch" { watchedFile = value } else { filter = value }
      default: throw Mistake(message: "unknown option: \(option)")
      }
    }
  }

  /// Something wrong on the command line.
  struct Mistake: Error, Equatable {
    let message: String
  }
}
