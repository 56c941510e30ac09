import Testing

@testable import People

@Suite struct PeopleOptionsTests {
  @Test func `without arguments the example runs by itself`() throws {
    #expect(try Options([]) == Options())
  }

  @Test func `every option is read`() throws {
    let options = try Options(["--watch", "a.json", "--filter", "bo", "--poll", "--help"])
    #expect(options.watchedFile == "a.json")
    #expect(options.filter == "bo")
    #expect(options.polls && options.showsHelp)
  }

  @Test(arguments: [
    (["--fast"], "unknown option: --fast"),
    (["file.json"], "unknown option: file.json"),
    (["--watch"], "--watch needs an argument"),
    (["--filter", "--poll"], "--filter needs an argument"),
  ])
  func `a mistake is named`(arguments: [String], message: String) {
    #expect(throws: Options.Mistake(message: message)) { try Options(arguments) }
  }
}
