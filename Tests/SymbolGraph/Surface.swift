/// The public declarations of the modules that a user can import.
package struct Surface: Sendable {
  /// A public declaration as people read it.
  package struct Declaration: Sendable {
    /// The names of the types that it is in, and its own with the labels.
    package let path: [String]
    /// On one line, with its full name.
    package let text: String
    /// What it returns, or the type of a property, without generic arguments; empty when there is none.
    package let result: String
    package let isDocumented: Bool
    package let isMethodOrProperty: Bool
    /// Whether a type has to implement it to conform to the protocol that declares it.
    package let isRequirement: Bool

    package var name: String { path.joined(separator: ".") }
    package var owner: String { path.dropLast().joined(separator: ".") }
    package var title: String { path.last ?? "" }
  }

  package struct Conformance: Sendable {
    package let path: [String]
    package let text: String
    package let target: String

    package var type: String { path.joined(separator: ".") }
  }

  package struct Module: Sendable {
    package let name: String
    package let declarations: [Declaration]
    package let conformances: [Conformance]
  }

  package static let names = ["Reactive", "Retrievers", "ReactiveFoundation", "ReactiveTesting"]

  package let modules: [Module]

  /// The surface of this build, for which the compiler is asked once.
  package static func current() throws -> Surface { try extracted.get() }

  private static let extracted = Result {
    let graphs = try names.map { try ($0, Extraction.graph(of: $0)) }
    // A conformance may name a protocol of another module of ours.
    let protocols = graphs.flatMap(\.1.symbols).map { ($0.identifier.precise, $0.pathComponents) }
    let known = Dictionary(protocols) { first, _ in first }
    return Surface(modules: graphs.map { Module(name: $0, $1, known) })
  }
}
