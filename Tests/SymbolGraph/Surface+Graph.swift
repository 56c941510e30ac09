import Foundation

extension Surface.Module {
  /// What no declaration has to say.
  private static let implied: Set = ["Copyable", "Escapable", "BitwiseCopyable", "SendableMetatype"]

  init(name: String, _ graph: Graph, _ known: [String: [String]]) {
    var conditionals: [String: ConditionalLines] = [:]
    let symbols = graph.symbols.filter { symbol in
      guard let location = symbol.location else { return false }
      let lines = conditionals[location.uri] ?? ConditionalLines(contentsOf: location.uri)
      conditionals[location.uri] = lines
      return !lines.contains(location.position.line)
    }
    let paths = symbols.map { ($0.identifier.precise, $0) }
    let own = Dictionary(paths) { first, _ in first }
    var owners: [String: String] = [:]
    var extended: [String: [String]] = [:]
    for relationship in graph.relationships where relationship.kind == "memberOf" {
      owners[relationship.source] = relationship.target
      // A type of another module is known by what is added to it.
      if let member = own[relationship.source] { extended[relationship.target] = member.pathComponents.dropLast() }
    }
    let requirements = Set(graph.relationships.filter { $0.kind == "requirementOf" }.map(\.source))
    self.name = name
    declarations = symbols.map { symbol in
      let owner = owners[symbol.identifier.precise].flatMap { own[$0] }
      return Surface.Declaration(
        symbol, in: owner, isRequirement: requirements.contains(symbol.identifier.precise))
    }
    conformances = graph.relationships.compactMap { relationship in
      guard ["conformsTo", "inheritsFrom"].contains(relationship.kind),
        let path = own[relationship.source]?.pathComponents ?? extended[relationship.source],
        let target = relationship.targetFallback?.split(separator: ".").last.map({ [String($0)] })
          ?? known[relationship.target],
        !Self.implied.contains(target.joined(separator: "."))
      else { return nil }
      let said = own[relationship.source]?.swiftGenerics?.constraints ?? []
      let constraints = (relationship.swiftConstraints ?? []).filter {
        !Self.implied.contains($0.rhs) && !said.contains($0)
      }
      return Surface.Conformance(path, target.joined(separator: "."), constraints.map(\.text))
    }
  }

  /// One line for each declaration and each conformance, a type first, then what it conforms to, then its members.
  package var lines: [String] {
    let all = declarations.map { ($0.path, $0.text) } + conformances.map { ($0.path + [""], $0.text) }
    let sorted = all.sorted { first, second in
      if first.0 != second.0 { return first.0.lexicographicallyPrecedes(second.0) }
      return first.1 < second.1
    }
    return sorted.map(\.1)
  }
}

extension Surface.Declaration {
  init(_ symbol: Symbol, in owner: Symbol?, isRequirement: Bool) {
    path = symbol.pathComponents
    var fragments = symbol.declarationFragments.map(\.spelling)
    let name = symbol.declarationFragments.firstIndex {
      $0.kind == "identifier" || $0.kind == "keyword" && ["init", "subscript"].contains($0.spelling)
    }
    if let name { fragments[name] = (path.dropLast() + [fragments[name]]).joined(separator: ".") }
    // A default value may be a closure of several lines.
    var text = fragments.joined().split(whereSeparator: \.isNewline).map { $0.drop { $0 == " " } }
      .joined(separator: " ").replacing(" : ", with: ": ")
    // What an extension demands is not in the declaration, what its type demands is not worth a word.
    let said = Set(owner?.swiftGenerics?.constraints ?? [])
    for constraint in symbol.swiftExtension?.constraints ?? [] where !said.contains(constraint) {
      text += (text.contains(" where ") ? ", " : " where ") + constraint.text
    }
    self.text = text
    isDocumented = symbol.docComment?.lines.contains { !$0.text.isEmpty } ?? false
    isMethodOrProperty = ["swift.method", "swift.type.method", "swift.property", "swift.type.property"]
      .contains(symbol.kind.identifier)
    self.isRequirement = isRequirement
    if let returns = symbol.functionSignature?.returns {
      result = returns.map(\.spelling).joined().withoutGenericArguments
    } else {
      let type = symbol.declarationFragments.map(\.spelling).joined().split(separator: ": ", maxSplits: 1).dropFirst()
      result = type.joined().split(separator: " {").first.map { String($0).withoutGenericArguments } ?? ""
    }
  }
}

extension Surface.Conformance {
  init(_ path: [String], _ target: String, _ constraints: [String]) {
    self.path = path
    self.target = target
    let clause = constraints.isEmpty ? "" : " where " + constraints.joined(separator: ", ")
    text = "extension \(path.joined(separator: ".")): \(target)\(clause)"
  }
}

extension ConditionalLines {
  /// Reads a file, which may be gone: then nothing is known of its conditions.
  init(contentsOf uri: String) {
    let text = URL(string: uri).flatMap { try? String(contentsOf: $0, encoding: .utf8) }
    self.init(text ?? "")
  }
}
