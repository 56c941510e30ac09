import Foundation
import Reactive
import ReactiveTesting
import Testing

/// Runs a closure on a thread with a small stack, and waits for it.
func onThread<T>(stackSize: Int, _ body: @escaping () -> T) -> T {
  let box = Unprotected<T?>(nil)
  let thread = TestThread(stackSize: stackSize) { box.value = body() }
  guard thread.join(atMost: .seconds(600)), let value = box.value else {
    preconditionFailure("The thread has not come back")
  }
  return value
}

/// A value that the test hands from one thread to another by itself.
final class Unprotected<Value>: @unchecked Sendable {
  var value: Value

  init(_ value: Value) {
    self.value = value
  }
}

@Suite struct StackDepthTests {
  #if DEBUG
    static let links = 300
    static let manyLinks = 3_000
  #else
    static let links = 1_000
    static let manyLinks = 10_000
  #endif

  static func chain<P: Publisher>(_ source: P, links: Int) -> AnyPublisher<Int, Never>
  where P.Output == Int, P.Failure == Never {
    (0..<links).reduce(source.eraseToAnyPublisher()) { chain, _ in
      chain.map { $0 + 1 }.eraseToAnyPublisher()
    }
  }

  @Test(arguments: [(links, 512 * 1024), (manyLinks, 8 * 1024 * 1024)])
  func `a long chain of erased operators subscribes, delivers, cancels and goes`(links: Int, stack: Int) {
    let seen = onThread(stackSize: stack) {
      let subject = PassthroughSubject<Int, Never>()
      var seen: [Int] = []
      let token = Self.chain(subject, links: links).sink { seen.append($0) }
      subject.send(1)
      subject.send(2)
      token.cancel()
      subject.send(3)
      return seen
    }
    #expect(seen == [1 + links, 2 + links])
  }

  @Test func `a million values one by one need no stack`() {
    let count = onThread(stackSize: 512 * 1024) {
      let byRequest = Recorder<Int, Never>(.max(1)) { _, recorder in
        recorder.request(.max(1))
        return .none
      }
      (0..<1_000_000).publisher.subscribe(byRequest)
      let byReturn = Recorder<Int, Never>(.max(1)) { _, _ in .max(1) }
      (0..<1_000_000).publisher.subscribe(byReturn)
      return (byRequest.values.count, byReturn.values.count, byRequest.isFinished && byReturn.isFinished)
    }
    #expect(count == (1_000_000, 1_000_000, true))
  }

  @Test func `a million sends from inside a delivery need no stack`() {
    let seen = onThread(stackSize: 512 * 1024) {
      let subject = PassthroughSubject<Int, Never>()
      var sum = 0
      let tokens = [
        subject.sink { if $0 < 1_000_000 { subject.send($0 + 1) } },
        subject.sink { _ in sum += 1 },
      ]
      subject.send(1)
      return withExtendedLifetime(tokens) { sum }
    }
    #expect(seen == 1_000_000)
  }
}
