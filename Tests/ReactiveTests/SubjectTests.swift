import Reactive
import Testing

@Suite struct SubjectTests {
  @Test func `a send inside a delivery is queued, and every subscriber sees the same order`() {
    let subject = PassthroughSubject<Int, Never>()
    var first: [Int] = []
    var second: [Int] = []
    let tokens = [
      subject.sink {
        first.append($0)
        if $0 < 5 { subject.send($0 + 1) }
      },
      subject.sink { second.append($0) },
    ]
    subject.send(1)
    #expect(first == [1, 2, 3, 4, 5])
    #expect(second == [1, 2, 3, 4, 5])
    for token in tokens { token.cancel() }
  }

  @Test func `a subscriber without demand gets the latest value at its next request`() {
    let subject = CurrentValueSubject<Int, Never>(0)
    let recorder = Recorder<Int, Never>(.none)
    subject.subscribe(recorder)
    subject.send(1)
    subject.send(2)
    #expect(recorder.values == [])
    recorder.request(.max(1))
    #expect(recorder.values == [2])
    subject.send(3)
    subject.send(4)
    recorder.request(.max(2))
    #expect(recorder.values == [2, 4])
    subject.send(5)
    #expect(recorder.values == [2, 4, 5])
    recorder.cancel()
  }
}

@Suite struct CollectTests {
  @Test func `the array waits for demand`() {
    let recorder = Recorder<[Int], Never>(.none)
    [1, 2, 3].publisher.map { $0 * 2 }.collect().subscribe(recorder)
    #expect(recorder.values.isEmpty && recorder.completions.isEmpty)
    recorder.request(.max(1))
    #expect(recorder.values == [[2, 4, 6]] && recorder.isFinished)
  }
}
