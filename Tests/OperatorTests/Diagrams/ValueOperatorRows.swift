import Reactive
import ReactiveTesting

extension DiagramRow {
  /// Operators that look at one value after the other.
  @RowBuilder<DiagramRow> static var valueOperators: [DiagramRow] {
    one { source in source.map { $0.uppercased() } }
    one { source in source.tryMap { try check($0) } }
    one { source in source.map(\.count) }
    one { source in source.map(\.count, \.isEmpty) }
    one { source in source.map(\.count, \.isEmpty, \.utf8.count) }
    one { source in source.map { $0 == "b" ? nil : $0 }.replaceNil(with: "z") }
    one { source in source.scan("") { $0 + $1 } }
    one { source in source.tryScan("") { try $0 + check($1) } }
    one { source in source.mapError { _ in TestFailure("lost") } }
    one { source in source.replaceError(with: "z").setFailureType(to: TestFailure.self) }
    one { source in source.filter { $0 != "b" } }
    one { source in source.tryFilter { try check($0) != "b" } }
    one { source in source.compactMap { $0 == "b" ? nil : $0.uppercased() } }
    one { source in source.tryCompactMap { try check($0) == "b" ? nil : $0 } }
    one { source in source.removeDuplicates(by: { $0.lowercased() == $1.lowercased() }) }
    one { source in source.tryRemoveDuplicates(by: { try check($0) == check($1) }) }
    one { source in source.removeDuplicates() }
    one { source in source.prefix(2) }
    one { source in source.output(at: 1) }
    one { source in source.output(in: 1...2) }
    one { source in source.prefix(while: { $0 != "c" }) }
    one { source in source.tryPrefix(while: { try check($0) != "c" }) }
    one { source in source.dropFirst(2) }
    one { source in source.drop(while: { $0 < "c" }) }
    one { source in source.tryDrop(while: { try check($0) < "c" }) }
    one { source in source.encode(encoder: Uppercase()) }
    one { source in source.decode(type: String.self, decoder: Lowercase()) }
    one { source in source.handleEvents(receiveOutput: { _ in }) }
    one { source in source.assertNoFailure() }
    one { source in source.strict() }
    one { source in source.eraseToAnyPublisher() }
  }
}
