/// One line of the report: some work, and the limit it is held against.
struct Row {
  /// The name, as `group / what`; `--filter` looks for its text here.
  let name: String
  /// What one operation is: the figures are per operation.
  let operation: String
  /// What the limit is, in a few words.
  let limit: String
  /// How it is measured.
  let method: Method

  enum Method {
    /// Times two loops by turns; they are made when the row's turn comes.
    case time(prepare: () -> Comparison)
    /// Counts the bytes of one operation, and those of the limit.
    case bytes(count: () -> (work: Double, limit: Double))
  }
}

/// Two loops to be timed by turns.
struct Comparison {
  /// How many operations one pass of either loop performs.
  let operations: Int
  /// Runs the measured work as many times as it is told.
  let work: (_ passes: Int) -> Void
  /// Runs the limit as many times as it is told.
  let limit: (_ passes: Int) -> Void
  /// What is timed.
  var clock = Clock.wall

  enum Clock {
    /// The time that passes.
    case wall
    /// The time that all threads of this process compute; where several take part, whether they meet is chance.
    case processor
  }
}

/// A topic of the report.
struct Group {
  let title: String
  let rows: [Row]

  /// All groups, in the order of the report.
  static var all: [Group] {
    [
      .retriever, .fanOut, .chains, .stages, .mechanisms, .properties, .asyncValues, .sources, .hops, .subscribing,
      .churn, .memory, .leftovers,
    ]
  }
}
