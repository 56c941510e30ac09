extension Surface {
  package var declarations: [Declaration] { modules.flatMap(\.declarations) }

  /// The names of the types that publish.
  package var publishers: Set<String> {
    let protocols: Set = ["Publisher", "Subject", "ConnectablePublisher"]
    let conforming = modules.flatMap(\.conformances).filter { protocols.contains($0.target) }
    return Set(conforming.map(\.type)).subtracting(protocols)
  }

  /// What can be called on every publisher, or on every connectable one, without being implemented for it.
  package var operators: [Declaration] {
    declarations.filter { declaration in
      ["Publisher", "ConnectablePublisher"].contains(declaration.owner) && declaration.isMethodOrProperty
        && !declaration.isRequirement
    }
  }

  /// The names of the publishers that no operator returns.
  package var origins: Set<String> { publishers.subtracting(operators.map(\.result)) }

  /// What makes an origin, apart from its own initializers and methods.
  package var makers: [Declaration] {
    let (publishers, origins) = (publishers, origins)
    return declarations.filter { declaration in
      declaration.isMethodOrProperty && origins.contains(declaration.result) && !publishers.contains(declaration.owner)
    }
  }
}
