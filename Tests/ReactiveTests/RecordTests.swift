import Foundation
import Reactive
import Testing

@Suite struct RecordTests {
  enum Broken: Error, Codable, Equatable {
    case here
  }
  typealias Numbers = Record<Int, Broken>

  static let three = Numbers {
    for value in 1...3 { $0.receive(value) }
    $0.receive(completion: .failure(.here))
  }

  @Test func `the values come as they are requested, and the completion with the last one`() {
    let recorder = Recorder<Int, Broken>(.max(1))
    Self.three.subscribe(recorder)
    #expect(recorder.values == [1] && recorder.completions.isEmpty)
    recorder.request(.max(2))
    #expect(recorder.values == [1, 2, 3] && recorder.completions == [.failure(.here)])
  }

  @Test func `every subscriber gets everything`() {
    for _ in 0..<2 {
      let recorder = Recorder<Int, Broken>()
      Self.three.subscribe(recorder)
      #expect(recorder.values == [1, 2, 3])
    }
  }

  @Test func `without values the completion needs no demand`() {
    let recorder = Recorder<Int, Broken>(.none)
    Numbers(output: [], completion: .failure(.here)).subscribe(recorder)
    #expect(recorder.completions == [.failure(.here)])
  }

  @Test func `a request inside a delivery adds to the running one`() {
    var depth = 0
    let recorder = Recorder<Int, Broken>(.max(1)) { _, recorder in
      depth += 1
      defer { depth -= 1 }
      if depth == 1 { recorder.request(.max(1)) }
      return .none
    }
    Self.three.subscribe(recorder)
    #expect(recorder.values == [1, 2, 3] && recorder.completions.count == 1)
  }

  @Test func `a cancel at the last value suppresses the completion`() {
    let recorder = Recorder<Int, Broken> { value, recorder in
      if value == 3 { recorder.cancel() }
      return .none
    }
    Self.three.subscribe(recorder)
    #expect(recorder.values == [1, 2, 3] && recorder.completions.isEmpty)
  }

  @Test func `the subscription is described as the values, and as cancelled events afterwards`() {
    let recorder = Recorder<Int, Broken>(.none)
    Self.three.subscribe(recorder)
    #expect(recorder.subscription.map { String(describing: $0) } == "[1, 2, 3]")
    recorder.cancel()
    #expect(recorder.subscription.map { String(describing: $0) } == "Cancelled Events")
  }

  @Test func `a recording finishes unless told otherwise`() {
    var recording = Numbers.Recording()
    recording.receive(1)
    #expect(recording.output == [1] && recording.completion == .finished)
    #expect(Numbers.Recording(output: [1]).completion == .finished)
    #expect(Record(recording: recording).recording.output == [1])
  }

  @Test func `a record is written with its output and completion, and read back`() throws {
    let data = try JSONEncoder().encode(Self.three)
    let fields = try #require(try JSONSerialization.jsonObject(with: data) as? [String: Any])
    #expect(fields.keys.sorted() == ["completion", "output"])
    let read = try JSONDecoder().decode(Numbers.self, from: data)
    #expect(read.recording.output == [1, 2, 3] && read.recording.completion == .failure(.here))
  }

  @Test func `a recording is written like its record`() throws {
    let encoder = JSONEncoder()
    encoder.outputFormatting = .sortedKeys
    #expect(try encoder.encode(Self.three.recording) == encoder.encode(Self.three))
  }

  #if !os(iOS) && !os(tvOS) && !os(watchOS) && !os(visionOS)
    @Test func `a complete recording takes no value`() async {
      await #expect(processExitsWith: .failure) {
        var recording = Numbers.Recording(output: [1])
        recording.receive(2)
      }
    }

    @Test func `a complete recording takes no completion`() async {
      await #expect(processExitsWith: .failure) {
        var recording = Self.three.recording
        recording.receive(completion: .finished)
      }
    }
  #endif
}
