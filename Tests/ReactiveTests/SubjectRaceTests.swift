import Foundation
import Reactive
import ReactiveTesting
import Testing

@Suite struct SubjectGateTests {
  @Test(arguments: SubjectKind.allCases)
  func `a send from another thread does not wait for a delivery that runs`(kind: SubjectKind) {
    let subject = Unprotected(kind.make())
    let gate = Gate()
    let seen = Log<Int>()
    let token = subject.value.publisher.sink(
      receiveCompletion: { _ in },
      receiveValue: { value in
        if value == 1 { gate.park() }
        seen.append(value)
      })
    let sender = onOtherThread { subject.value.send(1) }
    #expect(gate.waitUntilParked())
    subject.value.send(2)
    #expect(seen.all == kind.first)
    gate.open()
    #expect(sender(20))
    #expect(seen.all == kind.first + [1, 2])
    token.cancel()
  }

  @Test(arguments: SubjectKind.allCases)
  func `a cancel from another thread does not wait, and nothing follows the delivery that runs`(kind: SubjectKind) {
    let subject = Unprotected(kind.make())
    let gate = Gate()
    let seen = Log<Int>()
    let token = subject.value.publisher.sink(
      receiveCompletion: { _ in seen.append(-1) },
      receiveValue: { value in
        seen.append(value)
        if value == 1 { gate.park() }
      })
    let sender = onOtherThread {
      subject.value.send(1)
      subject.value.send(2)
      subject.value.end(.finished)
    }
    #expect(gate.waitUntilParked())
    token.cancel()
    gate.open()
    #expect(sender(20))
    #expect(seen.all == kind.first + [1])
  }

  @Test(arguments: SubjectKind.allCases)
  func `nothing from another thread starts before the subscription has been taken`(kind: SubjectKind) {
    let subject = Unprotected(kind.make())
    let gate = Gate()
    let log = Log<String>()
    let subscriber = Unprotected(
      AnySubscriber<Int, TestFailure>(
        receiveSubscription: {
          $0.request(.unlimited)
          gate.park()
          log.append("subscribed")
        },
        receiveValue: {
          log.append("value \($0)")
          return .none
        },
        receiveCompletion: { _ in log.append("end") }))
    let subscribing = onOtherThread { subject.value.publisher.subscribe(subscriber.value) }
    #expect(gate.waitUntilParked())
    subject.value.send(1)
    subject.value.end(.finished)
    #expect(log.all == kind.first.map { "value \($0)" })
    gate.open()
    #expect(subscribing(20))
    // A passthrough subject joins its subscribers after that call; one with a memory owes what came meanwhile.
    #expect(log.all == (kind == .passthrough ? ["subscribed", "end"] : ["value 0", "subscribed", "value 1", "end"]))
  }

  @Test func `a request from another thread while joining does not deliver there`() {
    let subject = Unprotected(CurrentValueSubject<Int, Never>(7))
    let gate = Gate()
    let threads = Log<Bool>()
    let joining = Unprotected<(any Subscription)?>(nil)
    let subscriber = Unprotected(
      AnySubscriber<Int, Never>(
        receiveSubscription: {
          joining.value = $0
          gate.park()
        },
        receiveValue: { _ in
          threads.append(Thread.isMainThread)
          return .none
        }))
    let subscribing = onOtherThread { subject.value.subscribe(subscriber.value) }
    #expect(gate.waitUntilParked())
    joining.value?.request(.max(1))
    #expect(threads.all == [])
    gate.open()
    #expect(subscribing(20))
    #expect(threads.all.count == 1)
  }
}

@Suite(.serialized) struct SubjectRaceTests {
  final class Pair {
    let subject: AnySubject
    let first = Recorder<Int, TestFailure>()
    let second = Recorder<Int, TestFailure>()

    init(_ kind: SubjectKind) {
      subject = kind.make()
      subject.publisher.subscribe(first)
      subject.publisher.subscribe(second)
    }
  }

  @Test(arguments: SubjectKind.allCases)
  func `two senders: both subscribers see one order, and lose nothing`(kind: SubjectKind) {
    let race = Race(
      make: { Pair(kind) },
      first: { pair in
        pair.subject.send(1)
        pair.subject.send(2)
      },
      second: { pair in
        pair.subject.send(3)
        pair.subject.send(4)
      })
    let faults = race.faults { pair in
      let values = Array(pair.first.values.dropFirst(kind.first.count))
      return pair.first.values == pair.second.values
        && values.filter { $0 < 3 } == [1, 2] && values.filter { $0 > 2 } == [3, 4]
    }
    #expect(faults == 0)
  }

  @Test(arguments: SubjectKind.allCases)
  func `send against completion: nothing after the end, one end`(kind: SubjectKind) {
    let race = Race(
      make: { Pair(kind) },
      first: { pair in
        pair.subject.send(1)
        pair.subject.send(2)
      },
      second: { pair in
        pair.subject.end(.finished)
        pair.subject.end(.failure(TestFailure()))
      })
    let faults = race.faults { pair in
      pair.first.completions == [.finished] && pair.second.completions == [.finished]
        && pair.first.values == pair.second.values
        && (kind.first + [1, 2]).starts(with: pair.first.values)
    }
    #expect(faults == 0)
  }

  @Test func `the last value delivered is the current one`() {
    let race = Race(
      make: {
        let subject = CurrentValueSubject<Int, TestFailure>(0)
        let probe = Recorder<Int, TestFailure>()
        subject.subscribe(probe)
        return (subject, probe)
      },
      first: { state in
        state.0.send(1)
      },
      second: { state in
        state.0.send(2)
      })
    let faults = race.faults { state in
      state.1.values.last == state.0.value && state.1.values.count == 3
    }
    #expect(faults == 0)
  }

  @Test func `subscribing against sends: the current value, then every later one, once`() {
    let race = Race(
      make: {
        (CurrentValueSubject<Int, TestFailure>(0), Recorder<Int, TestFailure>())
      },
      first: { state in
        state.0.subscribe(state.1)
      },
      second: { state in
        for value in 1...3 { state.0.send(value) }
      })
    let faults = race.faults { state in
      let values = state.1.values
      return !values.isEmpty && values == Array((values.first ?? 0)...3)
    }
    #expect(faults == 0)
  }

  @Test func `subscribing to a passthrough subject against sends: a suffix, without gaps`() {
    let race = Race(
      make: {
        (PassthroughSubject<Int, TestFailure>(), Recorder<Int, TestFailure>())
      },
      first: { state in
        state.0.subscribe(state.1)
        state.0.send(100)
      },
      second: { state in
        for value in 1...3 { state.0.send(value) }
      })
    let faults = race.faults { state in
      let values = state.1.values.filter { $0 != 100 }
      return [1, 2, 3].suffix(values.count) == values[...] && state.1.values.contains(100)
    }
    #expect(faults == 0)
  }

  @Test(arguments: [Subscribers.Demand.max(1), .max(2), .unlimited])
  func `the first request against sends: no value twice, none older than one seen`(demand: Subscribers.Demand) {
    let race = Race(
      make: {
        let subject = CurrentValueSubject<Int, TestFailure>(0)
        let probe = Recorder<Int, TestFailure>(.none)
        subject.subscribe(probe)
        return (subject, probe)
      },
      first: { state in
        state.1.request(demand)
      },
      second: { state in
        for value in 1...3 { state.0.send(value) }
      })
    let faults = race.faults { state in
      let values = state.1.values
      return !values.isEmpty && zip(values, values.dropFirst()).allSatisfy { $0 < $1 }
        && values.count <= demand.max ?? .max
        && (!(demand == .unlimited) || values == Array((values.first ?? 0)...3))
    }
    #expect(faults == 0)
  }

  @Test(arguments: SubjectKind.allCases)
  func `demand for one against two senders: never two values`(kind: SubjectKind) {
    let race = Race(
      make: {
        let subject = kind.make()
        let probe = Recorder<Int, TestFailure>(.none)
        subject.publisher.subscribe(probe)
        probe.request(.max(kind.first.count + 1))
        return (subject, probe)
      },
      first: { state in
        state.0.send(1)
      },
      second: { state in
        state.0.send(2)
      })
    let faults = race.faults { state in
      state.1.values.count == kind.first.count + 1
    }
    #expect(faults == 0)
  }

  @Test(arguments: SubjectKind.allCases)
  func `cancel against sends: at most one value begins after it has returned`(kind: SubjectKind) {
    final class State {
      let subject: AnySubject
      let cancelled = Flag()
      let late = Log<Int>()
      let token: AnyCancellable

      init(_ kind: SubjectKind) {
        subject = kind.make()
        token = subject.publisher.sink(
          receiveCompletion: { _ in },
          receiveValue: { [cancelled, late] value in
            if cancelled.isSet { late.append(value) }
          })
      }
    }
    let race = Race(
      make: { State(kind) },
      first: { state in
        state.token.cancel()
        state.cancelled.set()
      },
      second: { state in
        for value in 1...4 { state.subject.send(value) }
      })
    let faults = race.faults { state in
      state.late.all.count <= 1
    }
    #expect(faults == 0)
  }

  @Test(arguments: SubjectKind.allCases)
  func `subscribing against completion: a subscription first, then one end`(kind: SubjectKind) {
    final class State {
      let subject: AnySubject
      let log = Log<String>()

      init(_ kind: SubjectKind) {
        subject = kind.make()
      }
    }
    let race = Race(
      make: { State(kind) },
      first: { state in
        state.subject.publisher.subscribe(
          AnySubscriber<Int, TestFailure>(
            receiveSubscription: { _ in
              state.log.append("began")
              state.log.append("subscribed")
            },
            receiveCompletion: { _ in state.log.append("end") }))
      },
      second: { state in
        state.subject.end(.finished)
      })
    let faults = race.faults { state in
      state.log.all == ["began", "subscribed", "end"]
    }
    #expect(faults == 0)
  }
}
