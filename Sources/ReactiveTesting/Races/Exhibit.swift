internal import Reactive

/// What a report shows of a state.
struct Exhibit: CustomStringConvertible {
  let description: String
  let trace: [SignalRecord]

  init(_ state: Any) {
    let properties = Mirror(reflecting: state).children
    let whole = (state as? any CustomStringConvertible)?.description
    let parts = properties.compactMap { label, value -> String? in
      guard let value = value as? any CustomStringConvertible else { return nil }
      return label.map { "\($0): \(value)" } ?? "\(value)"
    }
    description = whole ?? (parts.isEmpty ? "the state is not right" : parts.joined(separator: ", "))
    trace = ([state] + properties.map(\.value)).lazy.compactMap { $0 as? any Traced }.first?.signals ?? []
  }
}

/// Something that has written down signals.
protocol Traced {
  var signals: [SignalRecord] { get }
}

extension TestSubscriber: Traced {}
