import Foundation
import Testing

@testable import People

@Suite struct PeopleFileTests {
  private let scratch: Scratch
  private let file: PeopleFile

  init() throws {
    scratch = try Scratch()
    file = PeopleFile(url: scratch.url("people.json"))
  }

  @Test func `people are read in the order of the file`() throws {
    try scratch.write(
      """
      [{"name": "Bea", "age": 40, "city": "Cork", "phone": "2"}, {"name": "Cy", "age": 20, "city": "Pune", "phone": "3"}]
      """)
    #expect(try file.read() == [Some.bea, Some.cy])
  }

  @Test func `the bundled file has 200 people with different names`() throws {
    let url = try #require(People.bundledFile)
    let people = try PeopleFile(url: url).read()
    #expect(people.count == 200)
    #expect(Set(people.map(\.name)).count == 200)
  }

  @Test func `a missing file is named`() {
    #expect(throws: problem("there is no such file")) { try file.read() }
  }

  @Test func `a directory in place of the file is named`() {
    let directory = PeopleFile(url: scratch.directory)
    let problem = PeopleFile.Problem(file: scratch.directory, what: "this is a directory, not a file")
    #expect(throws: problem) { try directory.read() }
  }

  @Test(arguments: [
    ("", "not a list of people: the JSON is broken"),
    ("[{\"name\": \"Ada\"", "not a list of people: the JSON is broken"),
    ("{}", "not a list of people: the whole is not of type Array<Any>"),
    ("[{\"name\": \"Ada\"}]", "not a list of people: person 1 has no \"age\""),
    (
      "[{\"name\": \"Ada\", \"age\": \"old\", \"city\": \"\", \"phone\": \"\"}]",
      "not a list of people: person 1, \"age\" is not of type Int"
    ),
  ])
  func `what is wrong with the JSON is said in one line`(text: String, what: String) throws {
    try scratch.write(text)
    #expect(throws: problem(what)) { try file.read() }
  }

  @Test func `a problem reads as where and what`() {
    #expect(problem("there is no such file").description == "\(file.url.path): there is no such file")
  }

  private func problem(_ what: String) -> PeopleFile.Problem {
    PeopleFile.Problem(file: file.url, what: what)
  }
}
