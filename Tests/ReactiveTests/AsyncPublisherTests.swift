import Foundation
import Reactive
import ReactiveTesting
import Testing

/// Waits until something has happened, which other tasks are about to do.
///
/// - Returns: Whether it happened before a deadline.
func eventually(seconds: Int = 20, _ condition: () -> Bool) async -> Bool {
  let deadline = ContinuousClock.now + .seconds(seconds)
  while !condition() {
    if ContinuousClock.now > deadline { return false }
    await Task.yield()
  }
  return true
}

private typealias Source = ManualPublisher<Int, TestFailure>

extension ManualPublisher {
  /// Waits until it has been asked a number of times.
  fileprivate func isAsked(_ count: Int) async -> Bool {
    await eventually { requests.count == count }
  }
}

@Suite(.timeLimit(.minutes(5))) struct AsyncPublisherTests {
  @Test func `a loop gets every value of a publisher, and ends with it`() async {
    var values: [Int] = []
    for await value in (1...100).publisher.values { values.append(value) }
    #expect(values == Array(1...100))
  }

  @Test func `a loop throws the failure of the publisher`() async {
    let subject = CurrentValueSubject<Int, TestFailure>(1)
    var values: [Int] = []
    await #expect(throws: TestFailure()) {
      for try await value in subject.values {
        values.append(value)
        subject.send(completion: .failure(TestFailure()))
      }
    }
    #expect(values == [1])
  }

  @Test func `an iterator subscribes when it is made, and requests one value for each call`() async {
    let source = ManualPublisher<Int, Never>()
    let sequence = source.values
    #expect(source.subscribers == 0)
    var iterator = sequence.makeAsyncIterator()
    #expect(source.subscribers == 1 && source.requests == [])
    source.answer = { $0.send(7) }
    #expect(await iterator.next() == 7)
    #expect(await iterator.next() == 7)
    #expect(source.requests == [.max(1), .max(1)])
  }

  @Test func `an endless publisher is asked for no more than the loop takes`() async {
    var made = 0
    let numbers = sequence(first: 0) {
      made += 1
      return $0 + 1
    }
    for await value in numbers.publisher.values {
      if value == 2 { break }
    }
    #expect(made <= 4)
  }

  @Test func `calls that wait at the same time are answered in the order they came`() async throws {
    let source = Source()
    let iterator = source.values.makeAsyncIterator()
    var calls: [Task<Int?, any Error>] = []
    for count in 1...3 {
      calls.append(
        Task {
          var copy = iterator
          return try await copy.next()
        })
      #expect(await source.isAsked(count))
    }
    for value in 1...3 { source.send(value) }
    for (index, call) in calls.enumerated() { #expect(try await call.value == index + 1) }
    #expect(source.demand == .max(3))
  }

  @Test func `a value that nobody waits for is dropped`() async {
    let source = ManualPublisher<Int, Never>()
    var iterator = source.values.makeAsyncIterator()
    source.send(1)
    source.answer = { $0.send(2) }
    #expect(await iterator.next() == 2)
    let subject = PassthroughSubject<Int, Never>()
    let second = subject.values.makeAsyncIterator()
    for value in 1...100 { subject.send(value) }
    subject.send(completion: .finished)
    var copy = second
    #expect(await copy.next() == nil)
  }

  @Test func `the end answers every call, and later ones`() async throws {
    let source = Source()
    let iterator = source.values.makeAsyncIterator()
    let calls = await waiting(3, on: iterator, source)
    source.send(completion: .finished)
    for call in calls { #expect(try await call.value == nil) }
    var copy = iterator
    #expect(try await copy.next() == nil)
    #expect(source.cancels == 0)
  }

  @Test func `a failure goes to the first call that waits, and nil to the others`() async throws {
    let source = Source()
    let iterator = source.values.makeAsyncIterator()
    let calls = await waiting(3, on: iterator, source)
    source.send(completion: .failure(TestFailure()))
    await #expect(throws: TestFailure()) { try await calls[0].value }
    for call in calls.dropFirst() { #expect(try await call.value == nil) }
    var copy = iterator
    #expect(try await copy.next() == nil)
  }

  @Test func `a failure that nobody waits for is thrown by the next call, once`() async throws {
    let source = Source()
    var iterator = source.values.makeAsyncIterator()
    source.send(completion: .failure(TestFailure()))
    await #expect(throws: TestFailure()) { try await iterator.next() }
    #expect(try await iterator.next() == nil)
  }

  @Test func `cancelling one task cancels the subscription, and ends every call with nil`() async throws {
    let source = Source()
    let iterator = source.values.makeAsyncIterator()
    let calls = await waiting(3, on: iterator, source)
    calls[1].cancel()
    for call in calls { #expect(try await call.value == nil) }
    #expect(source.cancels == 1)
    var copy = iterator
    #expect(try await copy.next() == nil)
    source.send(1)
    source.send(completion: .failure(TestFailure()))
    #expect(try await copy.next() == nil)
    #expect(source.cancels == 1)
  }

  @Test func `a task that is cancelled already gets nil, and requests nothing`() async throws {
    let source = Source()
    let iterator = source.values.makeAsyncIterator()
    let call = Task {
      withUnsafeCurrentTask { $0?.cancel() }
      var copy = iterator
      return try await copy.next()
    }
    #expect(try await call.value == nil)
    #expect(source.requests == [] && source.cancels == 1)
  }

  @Test func `leaving the loop cancels the subscription`() async {
    let source = ManualPublisher<Int, Never>()
    source.answer = { $0.send(1) }
    for await _ in source.values { break }
    #expect(source.cancels == 1)
  }

  @Test func `the subscription lives as long as a copy of the iterator`() async {
    let source = ManualPublisher<Int, Never>()
    source.answer = { $0.send(1) }
    var kept: AsyncPublisher<ManualPublisher<Int, Never>>.Iterator?
    do {
      var iterator = source.values.makeAsyncIterator()
      _ = await iterator.next()
      kept = iterator
    }
    #expect(source.cancels == 0)
    _ = await kept?.next()
    kept = nil
    #expect(source.cancels == 1)
  }

  @Test func `a subscription that comes late is asked for what is wanted by then, at once`() async throws {
    let source = Source(subscribes: false)
    let iterator = source.values.makeAsyncIterator()
    let calls = (0..<2).map { _ in
      Task {
        var copy = iterator
        return try await copy.next()
      }
    }
    // Nothing can be seen of calls that wait without a subscription; whether they come before or after, they are asked
    // for once.
    source.subscribeLate()
    #expect(await eventually { source.demand == .max(2) })
    source.send(1)
    source.send(2)
    #expect(try await Set([calls[0].value, calls[1].value]) == [1, 2])
  }

  @Test func `a second subscription, and one after a cancel, is cancelled`() async throws {
    let source = Source()
    do {
      let iterator = source.values.makeAsyncIterator()
      source.subscribeLate()
      #expect(source.cancels == 1)
      withExtendedLifetime(iterator) {}
    }
    let late = Source(subscribes: false)
    _ = late.values.makeAsyncIterator()
    late.subscribeLate()
    #expect(late.cancels == 1 && late.requests == [])
  }

  @Test func `a publisher that lets go of its subscriber ends the loop`() async throws {
    let source = Source()
    let calls = await waiting(1, on: source.values.makeAsyncIterator(), source)
    source.letGo()
    #expect(try await calls[0].value == nil)
  }

  @Test func `an executor that runs a task inside the delivery does not deadlock`() async {
    let subject = PassthroughSubject<Int, Never>()
    let executor = InlineTaskExecutor()
    let iterator = subject.values.makeAsyncIterator()
    let values = Task(executorPreference: executor) {
      var iterator = iterator
      var values: [Int] = []
      while let value = await iterator.next(), value < 100 {
        values.append(value)
        subject.send(value + 1)
      }
      return values
    }
    // The first job ends when the loop waits for its first value. Another thread sends that, because one task cannot
    // run inside another.
    #expect(await eventually { executor.jobs == 1 })
    Thread.detachNewThread { subject.send(0) }
    #expect(await values.value == Array(0..<100))
  }

  @Test func `a loop on an actor does not leave it for values that are there`() async {
    let executor = InlineExecutor()
    let reader = Reader(executor)
    let sum = await reader.sum()
    #expect(sum == 5050)
    #expect(executor.jobs < 10)
  }

  /// Starts calls one after the other.
  private func waiting(
    _ count: Int, on iterator: AsyncThrowingPublisher<Source>.Iterator, _ source: Source
  ) async -> [Task<Int?, any Error>] {
    var calls: [Task<Int?, any Error>] = []
    for index in 1...count {
      calls.append(
        Task {
          var copy = iterator
          return try await copy.next()
        })
      #expect(await source.isAsked(index))
    }
    return calls
  }
}

/// Runs each job at once, on the thread that hands it over.
private final class InlineExecutor: SerialExecutor {
  private let log = Log<Int>()

  /// How many jobs have been done.
  var jobs: Int { log.all.count }

  func enqueue(_ job: consuming ExecutorJob) {
    job.runSynchronously(on: asUnownedSerialExecutor())
    log.append(1)
  }
}

/// Runs the jobs of a task at once, on the thread that hands them over.
private final class InlineTaskExecutor: TaskExecutor {
  private let log = Log<Int>()

  /// How many jobs have been done.
  var jobs: Int { log.all.count }

  func enqueue(_ job: consuming ExecutorJob) {
    job.runSynchronously(on: asUnownedTaskExecutor())
    log.append(1)
  }
}

private actor Reader {
  private let executor: InlineExecutor

  init(_ executor: InlineExecutor) {
    self.executor = executor
  }

  nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

  func sum() async -> Int {
    var sum = 0
    for await value in (1...100).publisher.values { sum += value }
    return sum
  }
}

@Suite(.serialized, .timeLimit(.minutes(5))) struct AsyncRaceTests {
  private static let rounds = Swift.min(raceRounds, 2_000)

  @Test func `cancel against a value and the end: every call is answered`() async throws {
    for round in 0..<Self.rounds {
      let subject = PassthroughSubject<Int, TestFailure>()
      let call = Task {
        var iterator = subject.values.makeAsyncIterator()
        return try await iterator.next()
      }
      async let sent: Void = {
        for _ in 0..<round % 7 { await Task.yield() }
        subject.send(1)
        subject.send(completion: .finished)
      }()
      for _ in 0..<round % 5 { await Task.yield() }
      call.cancel()
      let value = try await call.value
      #expect(value == nil || value == 1)
      await sent
    }
  }

  @Test func `two tasks on copies of one iterator: each value once, in order`() async {
    for _ in 0..<Self.rounds / 10 {
      let iterator = (1...100).publisher.values.makeAsyncIterator()
      @Sendable func drain() async -> [Int] {
        var copy = iterator
        var values: [Int] = []
        while let value = await copy.next() { values.append(value) }
        return values
      }
      async let first = drain()
      async let second = drain()
      let (one, two) = await (first, second)
      #expect((one + two).sorted() == Array(1...100))
      #expect(one == one.sorted() && two == two.sorted())
    }
  }

  @Test func `the last copy going against sends: the subscription is cancelled once`() async {
    for _ in 0..<Self.rounds {
      let source = ManualPublisher<Int, Never>()
      let task = Task {
        for await _ in source.values { break }
      }
      #expect(await eventually { source.requests.count == 1 })
      source.send(1)
      source.send(2)
      await task.value
      #expect(source.cancels == 1)
    }
  }
}
