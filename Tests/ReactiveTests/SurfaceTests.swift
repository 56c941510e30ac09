import Reactive
import Testing

/// Code as people write it: that it compiles is most of the test.
@Suite struct SurfaceTests {
  @Test func `chains on values and sequences are not ambiguous`() {
    var log: [Int] = []
    _ = [1, 2, 3].publisher.map { $0 + 1 }.map { $0 * 3 }.map { $0 ^ 5 }.sink { log.append($0) }
    #expect(log == [3, 12, 9])
    log = []
    _ = Just(1).map { $0 + 1 }.map { "\($0)" }.map { $0.count }.sink { log.append($0) }
    _ = [1, 2, 3].publisher.filter { $0 > 1 }.filter { $0 < 9 }.filter { $0 != 2 }.sink { log.append($0) }
    _ = Optional(1).publisher.map { $0 + 1 }.filter { $0 > 1 }.map { "\($0)" }.map { $0.count }.sink { log.append($0) }
    _ = Result<Int, Never>.success(1).publisher.map { $0 + 1 }.map { $0 + 1 }.map { $0 + 1 }.sink { log.append($0) }
    #expect(log == [1, 3, 1, 4])
    log = []
    _ = Just(1).tryMap { $0 + 1 }.tryMap { $0 + 1 }.map { $0 + 1 }.map { $0 + 1 }.replaceError(with: 0)
      .sink { log.append($0) }
    _ = (0..<9).publisher.map { $0 &+ 1 }.map { $0 &* 3 }.map { $0 ^ 5 }.map { $0 &+ 1 }.map { $0 &* 3 }.count()
      .sink { log.append($0) }
    #expect(log == [5, 9])
  }

  @Test func `a chain on a subject`() {
    let subject = PassthroughSubject<Int, Never>()
    var log: [String] = []
    let token = subject.filter { $0 % 2 == 0 }.map { "\($0)" }.removeDuplicates().prefix(2).sink { log.append($0) }
    for value in [1, 2, 2, 4, 6] { subject.send(value) }
    #expect(log == ["2", "4"])
    token.cancel()
  }
}
