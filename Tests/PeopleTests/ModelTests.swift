import Retrievers
import Testing

@testable import People

@Suite struct NamesModelTests {
  @Test func `names that contain the text in any case are shown in order`() {
    let people = CurrentValueSubject<[Person], Never>([Some.cy, Some.bea, Some.ada])
    #expect(NamesModel(people, matching: "A").names == ["Ada", "Bea"])
    #expect(NamesModel(people, matching: "").names == ["Ada", "Bea", "Cy"])
  }

  @Test func `names follow the people, and are finished with them`() {
    let people = CurrentValueSubject<[Person], Never>([])
    let model = NamesModel(people, matching: "b")
    people.send([Some.ada, Some.bea])
    #expect(model.names == ["Bea"])
    #expect(!model.isFinished)
    people.send(completion: .finished)
    #expect(model.isFinished)
  }

  @Test func `a model that is released no longer listens`() {
    let people = CurrentValueSubject<[Person], Never>([])
    var shown = 0
    var model: NamesModel? = NamesModel(people, matching: "") { _ in shown += 1 }
    #expect(shown == 1 && model != nil)
    model = nil
    people.send([Some.ada])
    #expect(shown == 1)
  }
}

@Suite struct AveragesModelTests {
  @Test func `ages are averaged in each city`() {
    let people = CurrentValueSubject<[Person], Never>([Some.ada, Some.bea, Some.cy])
    #expect(AveragesModel(people).averages == ["Cork": 38, "Pune": 20])
  }

  @Test func `a change that changes no age is not shown`() {
    let people = CurrentValueSubject<[Person], Never>([Some.ada])
    var shown: [[String: Double]] = []
    let model = AveragesModel(people) { shown.append($0) }
    var changed = Some.ada
    changed.phone = "9"
    people.send([changed])
    #expect(shown == [["Cork": 36]])
    changed.age = 37
    people.send([changed])
    #expect(shown == [["Cork": 36], ["Cork": 37]])
    people.send(completion: .finished)
    #expect(model.isFinished)
  }
}
