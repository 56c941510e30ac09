/// Publishes what has been recorded: values, then how they ended.
///
/// Delivers as many values as are requested, on the thread of the request, and the completion with the last one. Without
/// values the completion comes at once and needs no demand. Every subscriber gets everything.
public struct Record<Output, Failure: Error>: Publisher {
  /// The values and how they ended.
  public let recording: Recording

  /// Makes a publisher of what a closure records.
  ///
  /// - Parameter record: Puts values and a completion into the recording; without a completion it is `.finished`.
  public init(record: (inout Recording) -> Void) {
    var recording = Recording()
    record(&recording)
    self.init(recording: recording)
  }

  /// Makes a publisher of a recording.
  ///
  /// - Parameter recording: The values and how they ended.
  public init(recording: Recording) {
    self.recording = recording
  }

  /// Makes a publisher of values and an end.
  ///
  /// - Parameters:
  ///   - output: The values.
  ///   - completion: How they end.
  public init(output: [Output], completion: Subscribers.Completion<Failure>) {
    self.init(recording: Recording(output: output, completion: completion))
  }

  /// Attaches a subscriber, which gets the values as it requests them.
  @inlinable @inline(__always)
  public func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == Failure {
    deliverElements(
      of: recording.output, then: recording.completion, endedLabel: "Cancelled Events", to: subscriber)
  }
}

extension Record {
  /// Values, and how they ended.
  public struct Recording {
    /// The type of the values.
    public typealias Input = Output

    /// The values recorded so far.
    public private(set) var output: [Output]
    /// How the values ended; `.finished` until something else is recorded.
    public private(set) var completion: Subscribers.Completion<Failure>
    private var isComplete: Bool

    /// Starts a recording without values.
    public init() {
      output = []
      completion = .finished
      isComplete = false
    }

    /// Makes a complete recording, which takes nothing more.
    ///
    /// - Parameters:
    ///   - output: The values.
    ///   - completion: How they ended.
    public init(output: [Output], completion: Subscribers.Completion<Failure> = .finished) {
      self.output = output
      self.completion = completion
      isComplete = true
    }

    /// Adds a value; traps when the recording is complete.
    ///
    /// - Parameter input: The value.
    public mutating func receive(_ input: Input) {
      precondition(!isComplete, "The recording is complete and takes no value")
      output.append(input)
    }

    /// Completes the recording; traps when it is complete already.
    ///
    /// - Parameter completion: How the values ended.
    public mutating func receive(completion: Subscribers.Completion<Failure>) {
      precondition(!isComplete, "The recording is complete already")
      self.completion = completion
      isComplete = true
    }
  }
}

extension Record: Codable where Output: Codable, Failure: Codable {
  /// Reads a recording, as `encode(to:)` wrote it.
  public init(from decoder: any Decoder) throws {
    self.init(recording: try Recording(from: decoder))
  }

  /// Writes the recording.
  public func encode(to encoder: any Encoder) throws {
    try recording.encode(into: encoder)
  }
}

private enum RecordingKeys: String, CodingKey {
  case output
  case completion
}

extension Record.Recording: Codable where Output: Codable, Failure: Codable {
  /// Reads `output` and `completion`; the recording is complete.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: RecordingKeys.self)
    self.init(
      output: try container.decode([Output].self, forKey: .output),
      completion: try container.decode(Subscribers.Completion<Failure>.self, forKey: .completion))
  }

  /// Writes `output` and `completion`.
  public func encode(into encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: RecordingKeys.self)
    try container.encode(output, forKey: .output)
    try container.encode(completion, forKey: .completion)
  }

  /// Writes `output` and `completion`.
  public func encode(to encoder: any Encoder) throws {
    try encode(into: encoder)
  }
}

extension Record: Sendable where Output: Sendable {}
extension Record.Recording: Sendable where Output: Sendable {}
