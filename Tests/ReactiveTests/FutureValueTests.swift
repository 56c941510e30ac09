import Foundation
import Reactive
import ReactiveTesting
import Testing

@Suite(.timeLimit(.minutes(5))) struct FutureValueTests {
  @Test func `a result that is known is there at once, for a cancelled task too`() async throws {
    let number = Future<Int, Never> { $0(.success(1)) }
    #expect(await number.value == 1)
    let succeeded = Future<Int, TestFailure> { $0(.success(2)) }
    #expect(try await succeeded.value == 2)
    let failed = Future<Int, TestFailure> { $0(.failure(TestFailure())) }
    await #expect(throws: TestFailure()) { try await failed.value }
    let cancelled = Task {
      withUnsafeCurrentTask { $0?.cancel() }
      return try await succeeded.value
    }
    #expect(try await cancelled.value == 2)
  }

  @Test func `a result that comes later is waited for, by several tasks`() async throws {
    let promised = Promised<Never>()
    let future = promised.future
    async let first = future.value
    async let second = future.value
    await Task.yield()
    promised.promise(.success(3))
    #expect(await first == 3)
    #expect(await second == 3)
    let failing = Promised<TestFailure>()
    let call = Task { try await failing.future.value }
    await Task.yield()
    failing.promise(.failure(TestFailure()))
    await #expect(throws: TestFailure()) { try await call.value }
  }

  @Test func `a cancelled task stops waiting`() async {
    let promised = Promised<TestFailure>()
    let call = Task { try await promised.future.value }
    await Task.yield()
    call.cancel()
    await #expect(throws: CancellationError.self) { try await call.value }
    promised.promise(.success(1))
  }

  @Test func `a task stops waiting when the promise has gone`() async {
    let promised = Promised<TestFailure>()
    let call = Task { try await promised.future.value }
    await Task.yield()
    promised.letGo()
    await #expect(throws: CancellationError.self) { try await call.value }
  }

  @Test func `a task that cannot fail waits on when it is cancelled`() async {
    let promised = Promised<Never>()
    let call = Task { await promised.future.value }
    await Task.yield()
    call.cancel()
    promised.promise(.success(4))
    #expect(await call.value == 4)
  }
}

@Suite(.serialized, .timeLimit(.minutes(5))) struct FutureValueAsyncRaceTests {
  @Test func `cancel against the result: the task ends, with one of the two`() async throws {
    for round in 0..<Swift.min(raceRounds, 2_000) {
      let promised = Promised<TestFailure>()
      let call = Task { try await promised.future.value }
      async let fulfilled: Void = {
        for _ in 0..<round % 5 { await Task.yield() }
        promised.promise(.success(1))
      }()
      for _ in 0..<round % 7 { await Task.yield() }
      call.cancel()
      switch await call.result {
      case .success(let value): #expect(value == 1)
      case .failure(let error): #expect(error is CancellationError)
      }
      await fulfilled
    }
  }
}

/// A future together with its promise.
private final class Promised<Failure: Error>: @unchecked Sendable {
  let future: Future<Int, Failure>
  private let lock = NSLock()
  private var held: Future<Int, Failure>.Promise?

  init() {
    var held: Future<Int, Failure>.Promise?
    future = Future { held = $0 }
    self.held = held
  }

  func promise(_ result: Result<Int, Failure>) {
    lock.withLock { held }?(result)
  }

  func letGo() {
    lock.withLock { held = nil }
  }
}
