import Foundation
import Retrievers
import Testing

@testable import People

@Suite struct PeopleRepositoryTests {
  @Test func `every access reads the source anew`() {
    var source = [Some.ada]
    let repository = PeopleRepository(read: { source })
    #expect(repository.people == [Some.ada])
    source.append(Some.bea)
    #expect(repository.people == [Some.ada, Some.bea])
  }

  @Test func `a change is one fetch for both models, and they agree`() {
    var source = [Some.ada]
    let log = FetchLog { _ in }
    let changes = PassthroughSubject<Void, Never>()
    let repository = PeopleRepository(read: { source }, log: log.add)
    repository.follow(changes)
    let screen = Screen(repository, filter: "", show: { _ in })
    #expect(log.summary == "fetches: 2 subscriptions + 0 updates")
    source.append(Some.cy)
    changes.send()
    #expect(log.summary == "fetches: 2 subscriptions + 1 updates")
    #expect(screen.shows(source, filter: ""))
  }

  @Test func `the people read last stay while the source fails, and each problem is reported once`() {
    let problem = PeopleFile.Problem(file: URL(fileURLWithPath: "/people.json"), what: "broken")
    var result: Result<[Person], PeopleFile.Problem> = .success([Some.ada])
    var reported: [PeopleFile.Problem] = []
    let repository = PeopleRepository(
      read: { () throws(PeopleFile.Problem) in try result.get() }, report: { reported.append($0) })
    #expect(repository.people == [Some.ada])
    result = .failure(problem)
    #expect(repository.people == [Some.ada] && repository.people == [Some.ada])
    #expect(reported == [problem])
    result = .success([Some.bea])
    #expect(repository.people == [Some.bea])
    result = .failure(problem)
    #expect(repository.people == [Some.bea])
    #expect(reported == [problem, problem])
  }

  @Test func `a source that has never worked gives nobody`() {
    let file = PeopleFile(url: URL(fileURLWithPath: "/no/such/people.json"))
    let repository = PeopleRepository(read: file.read)
    #expect(repository.people.isEmpty)
  }
}
