import Foundation
import Reactive
import ReactiveFoundation
import Testing

@Suite struct CoderTests {
  struct Person: Codable, Equatable {
    var name: String
    var birthday: Date
  }

  /// Sends a person through a pair of coders, which are known by their protocols only.
  private func roundTrip<E: TopLevelEncoder, D: TopLevelDecoder>(_ encoder: E, _ decoder: D) throws -> Person
  where E.Output == D.Input, E.Output == Data {
    try decoder.decode(Person.self, from: encoder.encode(person))
  }

  private let person = Person(name: "Ada", birthday: Date(timeIntervalSince1970: -4_858_000_000))

  @Test func `JSON coders are top-level coders of data`() throws {
    #expect(try roundTrip(JSONEncoder(), JSONDecoder()) == person)
  }

  @Test func `property list coders are top-level coders of data`() throws {
    #expect(try roundTrip(PropertyListEncoder(), PropertyListDecoder()) == person)
  }

  @Test func `what cannot be read is thrown`() {
    #expect(throws: DecodingError.self) { try JSONDecoder().decode(Person.self, from: Data("{}".utf8)) }
  }
}
