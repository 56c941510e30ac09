extension String {
  /// The name of a type without its generic arguments: `Optional<Int>.Publisher` becomes `Optional.Publisher`.
  package var withoutGenericArguments: String {
    var (result, depth) = ("", 0)
    for (previous, character) in zip(" " + self, self) {
      switch character {
      case "<": depth += 1
      case ">" where previous != "-": depth -= 1
      default: if depth == 0 { result.append(character) }
      }
    }
    return result
  }
}

/// The name of a type as the public symbols have it: without its module and its generic arguments.
package func symbolName(of type: Any.Type) -> String {
  var name = String(reflecting: type).withoutGenericArguments
  // (extension in Reactive):Swift.Optional.Publisher
  if name.hasPrefix("("), let colon = name.firstIndex(of: ":") { name = String(name[colon...].dropFirst()) }
  return name.split(separator: ".").dropFirst().joined(separator: ".")
}
