import Reactive
import Testing

@Suite struct FilteringTests {
  @Test func `filter and tryFilter publish what the standard library's filter gives`() {
    #expect(
      differences {
        $0.filter { $0 > 0 }
      } _: {
        $0.filter { $0 > 0 }
      } == [])
    #expect(
      differences {
        $0.filter { $0 > 0 }
      } _: {
        $0.tryFilter { $0 > 0 }
      } == [])
  }

  @Test func `fused filters ask the second only what the first accepted`() {
    var asked: [Int] = []
    func isSmall(_ value: Int) -> Bool {
      asked.append(value)
      return value < 5
    }
    let both: ([Int]) -> [Int] = { $0.filter { 0..<5 ~= $0 } }
    #expect(differences(both) { $0.filter { $0 >= 0 }.filter(isSmall) } == [])
    #expect(differences(both) { $0.filter { $0 >= 0 }.tryFilter(isSmall) } == [])
    #expect(differences(both) { $0.tryFilter { $0 >= 0 }.filter(isSmall) } == [])
    #expect(differences(both) { $0.tryFilter { $0 >= 0 }.tryFilter(isSmall) } == [])
    #expect(!asked.isEmpty && asked.allSatisfy { $0 >= 0 })
    let empty = Empty<Int, Never>()
    #expect(type(of: empty.filter(isSmall).filter(isSmall)) == Publishers.Filter<Empty<Int, Never>>.self)
  }

  @Test func `compactMap and tryCompactMap publish what the standard library's compactMap gives`() {
    let odd: (Int) -> String? = { $0 % 2 == 0 ? nil : "\($0)" }
    #expect(
      differences {
        $0.compactMap(odd)
      } _: {
        $0.compactMap(odd)
      } == [])
    #expect(
      differences {
        $0.compactMap(odd)
      } _: {
        $0.tryCompactMap(odd)
      } == [])
  }

  @Test func `a fused compactMap publishes what one after the other gives`() {
    let positive: (Int) -> Int? = { $0 > 0 ? $0 : nil }
    let odd: (Int) -> String? = { $0 % 2 == 0 ? nil : "\($0)" }
    let both: ([Int]) -> [String] = { $0.compactMap(positive).compactMap(odd) }
    #expect(differences(both) { $0.compactMap(positive).compactMap(odd) } == [])
    #expect(differences(both) { $0.tryCompactMap(positive).compactMap(odd) } == [])
    #expect(
      differences {
        $0.compactMap(positive).map { -$0 }
      } _: {
        $0.compactMap(positive).map { -$0 }
      } == [])
    let fused = Empty<Int, Never>().compactMap(positive).map { "\($0)" }
    #expect(type(of: fused) == Publishers.CompactMap<Empty<Int, Never>, String>.self)
  }

  @Test func `removeDuplicates compares with the value before, also one left out`() {
    var pairs: [[Int]] = []
    let recorder = Recorder<Int, Never>()
    [1, 2, 3, 9].publisher.eraseToAnyPublisher().removeDuplicates {
      pairs.append([$0, $1])
      return $1 - $0 == 1
    }.subscribe(recorder)
    #expect(pairs == [[1, 2], [2, 3], [3, 9]])
    #expect(recorder.values == [1, 9])
  }

  @Test func `a value left out is made up for`() {
    let (upstream, recorder) = attach({ $0.filter { $0 > 1 } }, demand: .max(1))
    #expect(upstream.send(1) == .max(1) && upstream.send(2) == .none)
    #expect(recorder.values == [2])
    #expect(attach { $0.compactMap { _ in Int?.none } }.0.send(1) == .max(1))
    let repeating = attach { $0.removeDuplicates() }.0
    #expect(repeating.send(1) == .none && repeating.send(1) == .max(1))
  }

  @Test func `a misbehaving upstream breaks no law`() {
    #expect(breaches("Filter", subscription: "Rogue") { $0.filter { $0 > 1 } } == [])
    #expect(breaches("TryFilter") { $0.tryFilter { $0 > 1 } } == [])
    #expect(breaches("CompactMap", subscription: "Rogue") { $0.compactMap { $0 } } == [])
    #expect(breaches("TryCompactMap") { $0.tryCompactMap { $0 } } == [])
    #expect(breaches("RemoveDuplicates") { $0.removeDuplicates() } == [])
    #expect(breaches("TryRemoveDuplicates") { $0.tryRemoveDuplicates(by: ==) } == [])
  }

  @Test func `a cancel inside the closure stops the value`() {
    #expect(breachesOfCancelInside { upstream, act in upstream.filter { act($0) > 0 } } == [])
    #expect(breachesOfCancelInside { upstream, act in upstream.compactMap(act) } == [])
    #expect(breachesOfCancelInside { upstream, act in upstream.removeDuplicates { act($1) < 0 } } == [])
  }

  @Test func `an error thrown cancels upstream, then becomes the failure`() {
    #expect(breachesOfThrowing { upstream, act in upstream.tryFilter { try act($0) > 0 } } == [])
    #expect(breachesOfThrowing { upstream, act in upstream.tryCompactMap(act) } == [])
    #expect(breachesOfThrowing { upstream, act in upstream.tryRemoveDuplicates { try act($1) < 0 } } == [])
    #expect(breachesOfThrowing { upstream, act in upstream.tryFilter { try act($0) > 0 }.filter { $0 > 0 } } == [])
  }
}
