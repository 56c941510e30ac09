public import Reactive

/// What an operator has to do, as a pure function: from what its sources give to what it gives.
///
/// A model knows no demand: it says what comes, in which order, and when at the earliest, everything being wanted. So it
/// fits an operator for which demand changes nothing but how much of that has come.
///
///     let doubling = FuzzModel.each { [2 * $0] }
///     let counting = FuzzModel.atEnd { [$0.count] }
///     let adding = FuzzModel.machine(0, value: { sum, value, out in
///       sum += value
///       out.send(sum)
///     })
public struct FuzzModel {
  let trace: (FuzzInputs, FuzzMoment) -> FuzzTrace

  private init(_ trace: @escaping (FuzzInputs, FuzzMoment) -> FuzzTrace) {
    self.trace = trace
  }

  /// A model of any kind.
  ///
  /// - Parameter trace: Makes what one subscription gives, of the sources and the moment of subscribing.
  public static func trace(_ trace: @escaping (FuzzInputs, FuzzMoment) -> FuzzTrace) -> FuzzModel {
    FuzzModel(trace)
  }

  /// Everything passes.
  public static var pass: FuzzModel { FuzzModel { inputs, start in inputs.upstream(start) } }

  /// Each value becomes some values; the end passes.
  ///
  /// - Parameter transform: Makes the values.
  public static func each(_ transform: @escaping (Int) -> [Int]) -> FuzzModel {
    machine((), value: { _, value, out in out.send(transform(value)) })
  }

  /// Each value becomes some values, or the failure that is thrown; the end passes.
  ///
  /// - Parameter transform: Makes the values.
  public static func tryEach(_ transform: @escaping (Int) throws -> [Int]) -> FuzzModel {
    machine((), value: { _, value, out in out.attempt { out in out.send(try transform(value)) } })
  }

  /// Nothing comes until upstream finishes; then something is made of all its values.
  ///
  /// A failure passes.
  ///
  /// - Parameter transform: Makes the values.
  public static func atEnd(_ transform: @escaping ([Int]) -> [Int]) -> FuzzModel {
    machine(
      [Int](), value: { all, value, _ in all.append(value) },
      finished: { all, out in
        out.send(transform(all))
        out.finish()
      })
  }

  /// Sees one event after the other, and sends what it likes at that moment.
  ///
  /// - Parameters:
  ///   - initial: The state with which each subscription begins.
  ///   - start: Called with the subscription.
  ///   - value: Called for each value.
  ///   - finished: Called when upstream finishes; finishes unless given.
  ///   - failed: Called when upstream fails; fails unless given.
  public static func machine<State>(
    _ initial: State, start: @escaping (inout State, inout FuzzTrace) -> Void = { _, _ in },
    value: @escaping (inout State, Int, inout FuzzTrace) -> Void,
    finished: @escaping (inout State, inout FuzzTrace) -> Void = { $1.finish() },
    failed: @escaping (inout State, TestFailure, inout FuzzTrace) -> Void = { $2.fail($1) }
  ) -> FuzzModel {
    FuzzModel { inputs, moment in
      var (state, out) = (initial, FuzzTrace(at: moment))
      start(&state, &out)
      for (moment, event) in inputs.upstream(moment).events {
        out.now = moment
        switch event {
        case .value(let number): value(&state, number, &out)
        case .end(.finished): finished(&state, &out)
        case .end(.failure(let failure)): failed(&state, failure, &out)
        }
        if out.hasEnded { break }
      }
      return out
    }
  }

  /// Sees the events of upstream, which is side 0, and of a second source, side 1, in the order in which they come.
  ///
  /// - Parameters:
  ///   - initial: The state with which each subscription begins.
  ///   - step: Called for each event.
  public static func pair<State>(
    _ initial: State, _ step: @escaping (inout State, _ side: Int, FuzzEvent, inout FuzzTrace) -> Void
  ) -> FuzzModel {
    FuzzModel { inputs, moment in
      var (state, out) = (initial, FuzzTrace(at: moment))
      var queues = [inputs.upstream(moment).events[...], inputs.other(moment).events[...]]
      while !out.hasEnded {
        let side: Int
        switch (queues[0].first, queues[1].first) {
        case (nil, nil): return out
        case (let first?, let second?): side = second.moment < first.moment ? 1 : 0
        case (nil, _): side = 1
        case (_, nil): side = 0
        }
        let (moment, event) = queues[side].removeFirst()
        out.now = moment
        step(&state, side, event, &out)
      }
      return out
    }
  }

  /// Sees one event after the other, and has an alarm on virtual time.
  ///
  /// - Parameters:
  ///   - initial: The state with which each subscription begins.
  ///   - start: Called with the subscription.
  ///   - value: Called for each value.
  ///   - end: Called when upstream ends; the same end follows as a job of the scheduler unless given.
  ///   - woke: Called when the time of the alarm has come, which is then no longer set.
  public static func timed<State>(
    _ initial: State, start: @escaping (inout State, inout FuzzTimeline) -> Void = { _, _ in },
    value: @escaping (inout State, Int, inout FuzzTimeline) -> Void,
    end: @escaping (inout State, Subscribers.Completion<TestFailure>, inout FuzzTimeline) -> Void = {
      $2.hop(.end($1))
    },
    woke: @escaping (inout State, inout FuzzTimeline) -> Void = { _, _ in }
  ) -> FuzzModel {
    FuzzModel { inputs, moment in
      var state = initial
      var line = FuzzTimeline(inputs.clock, at: moment)
      var events = inputs.upstream(moment).events[...]
      start(&state, &line)
      while !line.trace.hasEnded, !line.isCut {
        if let firing = line.firing, events.first.map({ firing < $0.moment }) ?? true {
          line.trace.now = firing
          line.alarm = nil
          woke(&state, &line)
        } else if let (moment, event) = events.popFirst() {
          line.trace.now = moment
          switch event {
          case .value(let number): value(&state, number, &line)
          case .end(let completion): end(&state, completion, &line)
          }
        } else {
          break
        }
      }
      return line.trace
    }
  }
}

extension FuzzTrace {
  /// Does something, and fails with what it throws.
  ///
  /// - Parameter body: May send.
  public mutating func attempt(_ body: (inout FuzzTrace) throws -> Void) {
    do {
      try body(&self)
    } catch {
      fail(error as? TestFailure ?? TestFailure("\(error)"))
    }
  }
}

/// What the sources of an operator give.
public struct FuzzInputs {
  /// What a subscription to upstream gives that is made at a moment.
  public let upstream: (FuzzMoment) -> FuzzTrace
  /// What a subscription to the second source gives; nothing when there is none.
  public let other: (FuzzMoment) -> FuzzTrace
  let clock: FuzzClock
}

/// What a timed model sends, at once, as a job of the scheduler, or when its alarm goes off.
public struct FuzzTimeline {
  /// What was sent.
  public fileprivate(set) var trace: FuzzTrace
  /// Whether something is never sent, because time does not go on.
  fileprivate var isCut = false
  fileprivate var firing: FuzzMoment?
  private let clock: FuzzClock

  fileprivate init(_ clock: FuzzClock, at moment: FuzzMoment) {
    self.clock = clock
    trace = FuzzTrace(at: moment)
  }

  /// The present.
  public var now: TestScheduler.SchedulerTimeType { trace.now.time }

  /// When to be woken; nil for never.
  public var alarm: TestScheduler.SchedulerTimeType? {
    didSet { firing = alarm.flatMap { clock.firing($0, after: trace.now) } }
  }

  /// Sends now.
  ///
  /// - Parameter event: What.
  public mutating func send(_ event: FuzzEvent) {
    trace.add(event, at: trace.now)
  }

  /// Sends as a job that the scheduler runs as soon as it runs anything.
  ///
  /// - Parameter event: What.
  public mutating func hop(_ event: FuzzEvent) {
    guard let moment = clock.firing(now, after: trace.now) else {
      isCut = true
      return
    }
    if !isCut { trace.add(event, at: moment) }
  }
}
