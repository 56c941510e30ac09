import ReactiveTesting
import Testing

@testable import Reactive

@Suite struct BatchTests {
  @Test func `a batch behaves like an array`() {
    var batch = Batch<Int>()
    var array: [Int] = []
    var random = SeededGenerator(seed: 11)
    for step in 0..<20_000 {
      // Long runs of either kind, so that blocks fill up and are used up.
      if (step / 700) % 3 < 2 || Int.random(in: 0..<4, using: &random) == 0 {
        batch.append(step)
        array.append(step)
      } else {
        #expect(batch.popFirst() == (array.isEmpty ? nil : array.removeFirst()))
      }
      #expect(batch.count == array.count && batch.isEmpty == array.isEmpty)
    }
    while let value = batch.popFirst() { #expect(value == array.removeFirst()) }
    #expect(array == [])
  }

  @Test func `a copy has values of its own`() {
    var batch = Batch<Int>()
    for value in 0..<1000 { batch.append(value) }
    _ = batch.popFirst()
    var copy = batch
    batch.append(1000)
    var (values, copied): ([Int], [Int]) = ([], [])
    while let value = batch.popFirst() { values.append(value) }
    while let value = copy.popFirst() { copied.append(value) }
    #expect(values == Array(1...1000) && copied == Array(1...999))
  }

  @Test func `a value goes as soon as it is taken out`() {
    weak var first: Witness?
    var batch = Batch<Witness>()
    for index in 0..<300 {
      let witness = Witness()
      if index == 0 { first = witness }
      batch.append(witness)
    }
    #expect(first != nil)
    _ = batch.popFirst()
    #expect(first == nil && batch.count == 299)
  }

  @Test func `what is left of a large burst is a block or two`() {
    var batch = Batch<Int>()
    for _ in 0..<2 {
      for value in 0..<100_000 { batch.append(value) }
      while batch.popFirst() != nil {}
    }
    #expect(batch.capacity > 0 && batch.capacity <= 3 * Batch<Int>.blockSize)
    #expect(batch.full.storage.isEmpty)
  }
}
