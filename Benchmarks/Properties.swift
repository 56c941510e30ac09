import Reactive

/// What a view model is, as far as its publishers go.
private final class Model: ObservableObject {
  @Published var number = 0
}

extension Group {
  /// Setting a `@Published` property that one subscriber listens to.
  static var properties: Group {
    Group(
      title: "A published property",
      rows: [
        .property("sink") { model in [model.$number.sink { tally.total &+= $0 }] },
        .property("erased") { model in [model.$number.eraseToAnyPublisher().sink { tally.total &+= $0 }] },
        .property("through a subject") { model in
          let subject = PassthroughSubject<Int, Never>()
          return [subject.sink { tally.total &+= $0 }, model.$number.sink { subject.send($0) }]
        },
        .property("objectWillChange") { model in [model.objectWillChange.sink { tally.total &+= 1 }] },
      ])
  }
}

extension Row {
  fileprivate static func property(_ name: String, subscribe: @escaping (Model) -> [AnyCancellable]) -> Row {
    .calls("property / \(name)", operation: "assignment") {
      let model = Model()
      let tokens = subscribe(model)
      return { passes in
        for index in 0..<passes { model.number = index }
        withExtendedLifetime(tokens) {}
      }
    }
  }
}
