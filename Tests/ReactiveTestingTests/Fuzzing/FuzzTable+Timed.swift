import Reactive
import ReactiveTesting

extension OperatorFuzzer {
  mutating func addTimed() {
    add(".receive(on: ImmediateScheduler.shared)", .pass) { up, _ in up.receive(on: ImmediateScheduler.shared) }
    add(".subscribe(on: ImmediateScheduler.shared)", .asksForFew, .pass) { up, _ in
      up.subscribe(on: ImmediateScheduler.shared)
    }
    add(".receive(on: scheduler)", [.needsUnlimited, .isTimed], .timed((), value: { $2.hop(.value($1)) })) { up, b in
      up.receive(on: b.scheduler)
    }
    add { choices in
      let interval = choices.interval()
      return FuzzedOperator(
        ".delay(for: \(interval), scheduler: scheduler)", [.needsUnlimited, .isTimed], model: .delaying(interval)
      ) { up, b in up.delay(for: interval, scheduler: b.scheduler) }
    }
    add { choices in
      let interval = choices.interval()
      return FuzzedOperator(
        ".debounce(for: \(interval), scheduler: scheduler)", [.needsUnlimited, .isTimed], model: .debouncing(interval)
      ) { up, b in up.debounce(for: interval, scheduler: b.scheduler) }
    }
    add { choices in
      let (interval, latest) = (choices.interval(), choices.number(0...1) == 0)
      return FuzzedOperator(
        ".throttle(for: \(interval), scheduler: scheduler, latest: \(latest))", [.needsUnlimited, .isTimed],
        model: .throttling(interval, latest)
      ) { up, b in up.throttle(for: interval, scheduler: b.scheduler, latest: latest) }
    }
    add { choices in
      let interval = choices.interval() + 3
      return FuzzedOperator(
        ".timeout(\(interval), scheduler: scheduler)", [.needsUnlimited, .isTimed],
        model: .timingOut(interval, .finished)
      ) { up, b in up.timeout(interval, scheduler: b.scheduler) }
    }
    add { choices in
      let interval = choices.interval() + 3
      return FuzzedOperator(
        ".timeout(\(interval), scheduler: scheduler) { TestFailure(\"late\") }",
        [.needsUnlimited, .isTimed, .mayFail], model: .timingOut(interval, .failure(TestFailure("late")))
      ) { up, b in up.timeout(interval, scheduler: b.scheduler, customError: { TestFailure("late") }) }
    }
    add { choices in
      let interval = choices.interval()
      return FuzzedOperator(
        ".collect(.byTime(scheduler, \(interval))).digested()", [.needsUnlimited, .isTimed],
        model: .grouping(interval, nil)
      ) { up, b in up.collect(.byTime(b.scheduler, interval)).digested(b) }
    }
    add { choices in
      let (interval, count) = (choices.interval(), choices.number(1...3))
      return FuzzedOperator(
        ".collect(.byTimeOrCount(scheduler, \(interval), \(count))).digested()", [.needsUnlimited, .isTimed],
        model: .grouping(interval, count)
      ) { up, b in up.collect(.byTimeOrCount(b.scheduler, interval, count)).digested(b) }
    }
    add(
      ".measureInterval(using: scheduler)", [.needsUnlimited, .isTimed],
      .machine(
        TestScheduler.SchedulerTimeType(0), start: { $0 = $1.now.time },
        value: { last, _, out in
          out.send(last.distance(to: out.now.time).magnitude)
          last = out.now.time
        })
    ) { up, b in up.measureInterval(using: b.scheduler).map { b.value($0.magnitude) } }
    add { choices in
      let interval = choices.interval()
      return FuzzedOperator(
        ".flatMap { Just($0).delay(for: \(interval), scheduler: scheduler) }",
        [.needsUnlimited, .isTimed, .losesOnFailure],
        model: .laterEach(interval, keepsAll: true)
      ) { up, b in
        up.flatMap(
          b.track {
            Just($0).setFailureType(to: TestFailure.self).delay(for: interval, scheduler: b.scheduler)
          })
      }
    }
    add { choices in
      let interval = choices.interval()
      return FuzzedOperator(
        ".map { Just($0).delay(for: \(interval), scheduler: scheduler) }.switchToLatest()",
        [.needsUnlimited, .isTimed, .losesOnFailure], model: .laterEach(interval, keepsAll: false)
      ) { up, b in
        up.map(b.track { Just($0).setFailureType(to: TestFailure.self).delay(for: interval, scheduler: b.scheduler) })
          .switchToLatest()
      }
    }
  }
}

extension FuzzModel {
  typealias Time = TestScheduler.SchedulerTimeType

  static func delaying(_ interval: Time.Stride) -> FuzzModel {
    func add(_ event: FuzzEvent, _ waiting: inout [(event: FuzzEvent, due: Time)], _ line: inout FuzzTimeline) {
      waiting.append((event, line.now.advanced(by: interval)))
      if waiting.count == 1 { line.alarm = waiting[0].due }
    }
    return .timed(
      [(event: FuzzEvent, due: Time)](), value: { add(.value($1), &$0, &$2) }, end: { add(.end($1), &$0, &$2) },
      woke: { waiting, line in
        while let first = waiting.first, first.due <= line.now { line.send(waiting.removeFirst().event) }
        line.alarm = waiting.first?.due
      })
  }

  static func debouncing(_ interval: Time.Stride) -> FuzzModel {
    .timed(
      0,
      value: { pending, value, line in
        pending = value
        line.alarm = line.now.advanced(by: interval)
      },
      end: { _, completion, line in
        line.alarm = nil
        line.hop(.end(completion))
      },
      woke: { pending, line in line.send(.value(pending)) })
  }

  static func throttling(_ interval: Time.Stride, _ latest: Bool) -> FuzzModel {
    struct State {
      var next: Time?
      var pending: Int?
      var ending: Subscribers.Completion<TestFailure>?
    }
    return .timed(
      State(),
      value: { state, value, line in
        if state.pending != nil {
          if latest { state.pending = value }
        } else if let next = state.next, next > line.now {
          state.pending = value
          line.alarm = next
        } else {
          state.next = line.now.advanced(by: interval)
          line.hop(.value(value))
        }
      },
      end: { state, completion, line in
        if state.pending == nil { line.hop(.end(completion)) } else { state.ending = completion }
      },
      woke: { state, line in
        if let value = state.pending { line.send(.value(value)) }
        if let ending = state.ending { line.send(.end(ending)) }
        state.pending = nil
        state.next = line.now.advanced(by: interval)
      })
  }

  static func timingOut(_ interval: Time.Stride, _ expiry: Subscribers.Completion<TestFailure>) -> FuzzModel {
    .timed(
      (), start: { $1.alarm = $1.now.advanced(by: interval) },
      value: { _, value, line in
        line.alarm = line.now.advanced(by: interval)
        line.hop(.value(value))
      },
      end: { _, completion, line in
        line.alarm = nil
        line.hop(.end(completion))
      },
      woke: { _, line in line.send(.end(expiry)) })
  }

  static func grouping(_ interval: Time.Stride, _ count: Int?) -> FuzzModel {
    .timed(
      [Int](), start: { $1.alarm = $1.now.advanced(by: interval) },
      value: { group, value, line in
        group.append(value)
        guard group.count == count else { return }
        line.hop(.value(digest(group)))
        group = []
      },
      end: { group, completion, line in
        line.alarm = nil
        if completion == .finished, !group.isEmpty { line.hop(.value(digest(group))) }
        line.hop(.end(completion))
      },
      woke: { group, line in
        if !group.isEmpty { line.send(.value(digest(group))) }
        group = []
        line.alarm = line.now.advanced(by: interval)
      })
  }

  /// Each value comes later; without all, only if no other has come meanwhile.
  static func laterEach(_ interval: Time.Stride, keepsAll: Bool) -> FuzzModel {
    .timed(
      (waiting: [(value: Int, due: Time)](), hasFinished: false),
      value: { state, value, line in
        if !keepsAll { state.waiting = [] }
        state.waiting.append((value, line.now.advanced(by: interval)))
        line.alarm = state.waiting[0].due
      },
      end: { state, completion, line in
        if completion == .finished, !state.waiting.isEmpty {
          state.hasFinished = true
        } else {
          line.send(.end(completion))
        }
      },
      woke: { state, line in
        while let first = state.waiting.first, first.due <= line.now {
          line.send(.value(first.value))
          state.waiting.removeFirst()
        }
        line.alarm = state.waiting.first?.due
        if state.hasFinished, state.waiting.isEmpty { line.send(.end(.finished)) }
      })
  }
}
