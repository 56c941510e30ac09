import Reactive
import ReactiveTesting

extension Registry {
  /// Operators that keep values, or know what time it is.
  mutating func addTimedOperators() {
    add("receive(on:)", .passesDemand) { $0.receive(on: $1) }
    add("subscribe(on:)", .passesDemand) { source, _ in source.subscribe(on: ImmediateScheduler.shared) }
    add("delay", .passesDemand) { $0.delay(for: 1, scheduler: $1) }
    add("debounce", .mayBuffer) { $0.debounce(for: 1, scheduler: $1) }
    add("throttle", .mayBuffer) { $0.throttle(for: 1, scheduler: $1, latest: true) }
    add("throttle, to the first", .mayBuffer) { $0.throttle(for: 1, scheduler: $1, latest: false) }
    add("delay, and another scheduler", .passesDemand) { $0.delay(for: 0.5, scheduler: $1).receive(on: $1) }
    add("delay, of no time", .passesDemand) { $0.delay(for: 0, scheduler: $1) }
    add("timeout", .passesDemand) { $0.timeout(10_000, scheduler: $1) }
    add("measureInterval", .passesDemand) { $0.measureInterval(using: $1) }
    add("collect, by time", .mayBuffer) { $0.collect(.byTime($1, 1)) }
    add("collect, by time or count", .mayBuffer) { $0.collect(.byTimeOrCount($1, 1, 3)) }
    add("buffer, by request", .mayBuffer) { source, _ in
      source.buffer(size: 1000, prefetch: .byRequest, whenFull: .dropNewest)
    }
    add("buffer, that fails when full", .mayBuffer) { source, _ in
      source.buffer(size: 1200, prefetch: .byRequest, whenFull: .customError { TestFailure() })
    }
    add("buffer, kept full", .mayBuffer) { source, _ in
      source.buffer(size: 20, prefetch: .keepFull, whenFull: .dropOldest)
    }
  }
}
