import Reactive
import ReactiveTesting

extension DiagramRow {
  /// Operators with a scheduler.
  @RowBuilder<DiagramRow> static var timedOperators: [DiagramRow] {
    timed { source, scheduler in source.measureInterval(using: scheduler) }
    timed { source, scheduler in source.delay(for: 3, scheduler: scheduler) }
    timed { source, scheduler in source.debounce(for: 2, scheduler: scheduler) }
    timed { source, scheduler in source.throttle(for: 4, scheduler: scheduler, latest: true) }
    timed { source, scheduler in source.throttle(for: 4, scheduler: scheduler, latest: false) }
    timed { source, scheduler in source.timeout(3, scheduler: scheduler) }
    timed { source, scheduler in
      source.timeout(3, scheduler: scheduler, customError: { TestFailure("late") })
    }
    timed { source, scheduler in source.collect(.byTime(scheduler, 4)) }
    timed { source, scheduler in source.collect(.byTimeOrCount(scheduler, 4, 2)) }
    timed { source, scheduler in source.receive(on: scheduler) }
    timed { source, scheduler in source.subscribe(on: scheduler) }
  }
}
