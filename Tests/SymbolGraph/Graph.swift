/// What the compiler writes about the public symbols of a module.
struct Graph: Decodable {
  var symbols: [Symbol]
  var relationships: [Relationship]
}

/// A public declaration.
package struct Symbol: Decodable, Sendable {
  struct Identifier: Decodable {
    let precise: String
  }

  struct Fragment: Decodable {
    let kind: String
    let spelling: String
  }

  struct Constraint: Decodable, Hashable {
    let kind: String
    let lhs: String
    let rhs: String

    /// As in a where clause.
    var text: String {
      switch kind {
      case "sameType": "\(lhs) == \(rhs)"
      default: "\(lhs): \(rhs)"
      }
    }
  }

  struct Generics: Decodable {
    let constraints: [Constraint]?
  }

  struct Comment: Decodable {
    struct Line: Decodable {
      let text: String
    }

    let lines: [Line]
  }

  struct Location: Decodable {
    struct Position: Decodable {
      let line: Int
    }

    let uri: String
    let position: Position
  }

  struct Kind: Decodable {
    let identifier: String
  }

  struct Signature: Decodable {
    let returns: [Fragment]?
  }

  let kind: Kind
  let identifier: Identifier
  let pathComponents: [String]
  let docComment: Comment?
  let declarationFragments: [Fragment]
  let functionSignature: Signature?
  let swiftGenerics: Generics?
  let swiftExtension: Generics?
  /// Where it is written; a declaration that the compiler adds has none.
  let location: Location?
}

/// What one declaration has to do with another one.
struct Relationship: Decodable {
  let kind: String
  let source: String
  let target: String
  /// The name of a target of another module.
  let targetFallback: String?
  let swiftConstraints: [Symbol.Constraint]?
}
