import Reactive
import ReactiveTesting

extension OracleRow {
  /// Operators with a scheduler.
  @RowBuilder<OracleRow> static var timedOperators: [OracleRow] {
    oracle("receive(on:options:)") { $0.source.receive(on: $0.scheduler) }.gives { $0.passing($0.values) }
    oracle("subscribe(on:options:)") { $0.source.subscribe(on: $0.scheduler) }.gives { $0.passing($0.values) }
    oracle("delay(for:tolerance:scheduler:options:)") { $0.source.delay(for: 0.1, scheduler: $0.scheduler) }
      .gives { $0.passing($0.values) }
    oracle("timeout(_:scheduler:options:customError:)") { $0.source.timeout(1000, scheduler: $0.scheduler) }
      .gives { $0.passing($0.values) }
    // A failure would not wait for the value that is still on its way.
    oracle("measureInterval(using:options:)", .unlimited, mayFail: false) {
      $0.spaced.measureInterval(using: $0.scheduler)
    }.gives { $0.passing($0.values.map { .seconds(OracleInput.pause(before: $0)) }) }
    oracle("collect(_:options:)") { $0.source.collect(.byTime($0.scheduler, 1000)) }
      .gives { $0.atEnd($0.values.isEmpty ? [] : [$0.values]) }
    oracle("collect(_:options:)") { $0.source.collect(.byTimeOrCount($0.scheduler, 1000, 3)) }.gives { input in
      input.passing(input.values.groups(of: 3).filter { $0.count == 3 || !input.fails })
    }
    // What waits when the source ends is dropped.
    oracle("debounce(for:scheduler:options:)", .unlimited, mayFail: false) {
      $0.spaced.debounce(for: 2.5, scheduler: $0.scheduler)
    }.gives { input in
      let followed = zip(input.values, input.values.dropFirst())
      return input.passing(followed.filter { OracleInput.pause(before: $1) > 2 }.map(\.0))
    }
    // The interval is longer than all: after the first value comes the last one, or the second.
    oracle("throttle(for:scheduler:latest:)", .unlimited, mayFail: false) {
      $0.spaced.throttle(for: 1000, scheduler: $0.scheduler, latest: true)
    }.gives { $0.passing($0.values.prefix(1) + $0.values.dropFirst().suffix(1)) }
    oracle("throttle(for:scheduler:latest:)", .unlimited, mayFail: false) {
      $0.spaced.throttle(for: 1000, scheduler: $0.scheduler, latest: false)
    }.gives { $0.passing(Array($0.values.prefix(2))) }
  }
}
