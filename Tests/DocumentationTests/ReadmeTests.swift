import Reactive
import Testing

@Suite struct ReadmeTests {
  @Test func `the repository prints what the page says`() {
    var printed: [String] = []
    func print(_ value: some Any) { printed.append("\(value)") }

    var stored = [Person(name: "Ada", age: 36)]
    let repository = PeopleRepository { stored }
    let model = NamesModel(repository)
    print(model.names)  // ["Ada"], fetched when the model subscribed

    stored.append(Person(name: "Grace", age: 45))
    print(repository.people.count)  // 2, because every access reads the source
    print(model.names)  // ["Ada"], because nothing happens by itself

    repository.refresh()
    print(model.names)  // ["Ada", "Grace"], from one fetch for everybody who listens

    #expect(printed == [#"["Ada"]"#, "2", #"["Ada"]"#, #"["Ada", "Grace"]"#])
  }

  @Test func `the subject prints what the page says`() {
    var printed: [Int] = []
    func print(_ value: Int) { printed.append(value) }

    let numbers = PassthroughSubject<Int, Never>()
    let token = numbers.map { $0 * $0 }.filter { $0 > 4 }.sink { print($0) }
    for number in 1...4 { numbers.send(number) }  // 9 and 16
    token.cancel()

    #expect(printed == [9, 16])
  }
}
