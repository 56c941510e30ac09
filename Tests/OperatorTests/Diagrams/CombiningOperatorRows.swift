import Reactive
import ReactiveTesting

extension DiagramRow {
  /// Operators with several publishers, with attempts, and with a store.
  @RowBuilder<DiagramRow> static var combiningOperators: [DiagramRow] {
    one { source in source.append("y", "z") }
    one { source in source.append(["y", "z"]) }
    two { source, source2 in source.append(source2) }
    one { source in source.prepend("y", "z") }
    one { source in source.prepend(["y", "z"]) }
    two { source, source2 in source.prepend(source2) }
    two { source, source2 in source.merge(with: source2) }
    two { source, source2 in source.zip(source2) }
    two { source, source2 in source.combineLatest(source2) }
    nested { source, inner in source.flatMap { inner($0) } }
    nested { source, inner in source.flatMap(maxPublishers: .max(1)) { inner($0) } }
    nested { source, inner in source.map { inner($0) }.switchToLatest() }
    two { source, source2 in source.prefix(untilOutputFrom: source2) }
    two { source, source2 in source.drop(untilOutputFrom: source2) }
    two { source, source2 in source.catch { _ in source2 } }
    one { source in source.tryCatch { _ in try Just(check("x")) } }
    one { source in source.replaceError(with: "z") }
    one { source in source.replaceEmpty(with: "z") }
    one { source in source.retry(1) }
    one { source in source.buffer(size: 2, prefetch: .byRequest, whenFull: .dropOldest) }
    one { source in source.buffer(size: 2, prefetch: .keepFull, whenFull: .dropOldest) }
    one { source in twice(source.multicast { PassthroughSubject() }.autoconnect()) }
    one { source in twice(source.multicast(subject: PassthroughSubject()).autoconnect()) }
    one { source in twice(source.share()) }
    one { source in twice(source.assertNoFailure().makeConnectable().autoconnect()) }
    one { source in source.multicast { PassthroughSubject() }.autoconnect() }
  }
}
