import Reactive
import Testing

@testable import ReactiveTesting

@Suite struct DiagramTests {
  /// What playing throws.
  private func mismatch<P: Publisher>(
    _ text: String, _ operation: (DiagramStage<String>) throws -> P
  ) throws -> DiagramMismatch {
    try #require(throws: DiagramMismatch.self) { try play(text, operation) }
  }

  @Test func `values, the end, demand and requests are played and compared`() throws {
    try play(
      """
      source    -a-b--|
      demand    *
      output    -a-b--|
      upstream  *
      """
    ) { $0.map { $0 } }
  }

  @Test func `a failure ends the output`() throws {
    try play(
      """
      source  -a#
      output  -a#
      """
    ) { $0.map { $0 } }
  }

  @Test func `demand comes in time, value by value, and a cancel ends it`() throws {
    try play(
      """
      source    -a-b-c-d-|
      demand    1-2---!
      output    -a-b-c
      upstream  1-2---!
      """
    ) { $0.map { $0 } }
  }

  @Test func `a group falls into one tick, and blanks align`() throws {
    try play(
      """
      source    -(ab) -  c    |
      demand    * - - - - -
      output    - (ab)-  c    |
      """
    ) { $0.map { $0 } }
  }

  @Test func `an empty demand lane asks for nothing`() throws {
    try play(
      """
      source    -a-|
      demand
      output    ---|
      upstream
      """
    ) { $0.map { $0 } }
  }

  @Test func `letters stand for values that the caller gives`() throws {
    try play(
      """
      source    -a-b-|
      output    -x-y-|
      x = 10
      y = 20
      """, values: ["a": 1, "b": 2]
    ) { $0.map { $0 * 10 } }
    try play(
      """
      source  -a-b-|
      output  -b-a-|
      """, values: ["a": 1, "b": 2]
    ) { $0.map { 3 - $0 } }
  }

  @Test func `a letter of a source that has no value is an error`() throws {
    let error = try #require(throws: MissingValue.self) {
      try play("source  -ab\noutput  -aa", values: ["a": 1]) { $0.map { $0 } }
    }
    #expect(error.description == "The letter `b` in the lane `source` was given no value")
  }

  @Test func `a letter can stand for a whole array`() throws {
    try play(
      """
      source    -a-b-|
      output    -----(x|)
      upstream  *
      x = ["a", "b"]
      """
    ) { $0.collect() }
  }

  @Test func `the failure can be told from others`() throws {
    let lanes = """
      source  -a#
      output  -a#
      # = TestFailure(lost)
      """
    try play(lanes) { $0.mapError { _ in TestFailure("lost") } }
    let mismatch = try mismatch(lanes) { $0.map { $0 } }
    #expect(mismatch.played.hasSuffix("output  -a?"))
    #expect(mismatch.notes == ["tick 2: ? is the failure TestFailure"])
  }

  @Test func `further sources and inner publishers are on the same time`() throws {
    var tokens: [AnyCancellable] = []
    try play(
      """
      source     -a---
      source2    --b--
      inner z    ---z-
      output     -abz
      upstream2  *
      upstream z *
      """
    ) { stage in
      let subject = PassthroughSubject<String, TestFailure>()
      tokens = [stage.source(1), stage.source(2), stage.inner("z")].map { $0.subscribe(subject) }
      return subject
    }
    #expect(tokens.count == 3)
  }

  @Test func `a lane with a period begins anew until the others are over`() throws {
    try play(
      """
      every 3   -a
      output    -a--a--a-
      """
    ) { $0.every(3) }
    try play(
      """
      source    ------x---
      every 2   (ab)c
      output    (ab)c(ab)c(ab)c(xab)c(ab)c
      """
    ) { $0.every(2).merge(with: $0) }
  }

  @Test func `a lane with a period can be a trigger on virtual time`() throws {
    try play(
      """
      source    a-b---c--|
      every 4   ---t
      output    ---a---b--
      """
    ) { $0.zip($0.every(4)).map(\.0) }
  }

  @Test func `returned demand is shown upstream while demand is limited`() throws {
    try play(
      """
      source    -a-b-|
      demand    2
      output    -a-b-|
      upstream  21-1
      """
    ) { stage in
      Unruly<String, TestFailure> { subscriber in
        stage.subscribe(
          AnySubscriber(
            receiveSubscription: { subscriber.receive(subscription: $0) },
            receiveValue: { value in
              _ = subscriber.receive(value)
              return .max(1)
            }, receiveCompletion: { subscriber.receive(completion: $0) }))
      }
    }
  }

  @Test func `virtual time runs with the ticks`() throws {
    try play(
      """
      source  -a---b-
      output  ---a---b
      """
    ) { stage in
      Unruly<String, TestFailure> { subscriber in
        stage.subscribe(
          AnySubscriber(
            receiveSubscription: { subscriber.receive(subscription: $0) },
            receiveValue: { value in
              stage.scheduler.schedule(after: stage.scheduler.now.advanced(by: 2)) { _ = subscriber.receive(value) }
              return .none
            }, receiveCompletion: { subscriber.receive(completion: $0) }))
      }
    }
  }

  @Test func `a difference shows the expected and the played diagram, aligned`() throws {
    let mismatch = try mismatch(
      """
      source    -a-(bc)-|
      demand    *
      output    -a-b-|
      upstream  *----!
      """
    ) { $0.map { $0 } }
    #expect(
      mismatch.description == """
        The diagram was played differently.
        expected
          source    -a-(bc)-|
          demand    *
          output    -a-b   -|
          upstream  *---   -!
        played
          source    -a-(bc)-|
          demand    *
          output    -a-(bc)-|
          upstream  *
        """)
  }

  @Test func `a value without a letter is shown in a note`() throws {
    let mismatch = try mismatch(
      """
      source  -a|
      output  -a|
      """
    ) { $0.map { $0 + "!" } }
    #expect(mismatch.played.hasSuffix("output  -?|"))
    #expect(mismatch.notes == ["tick 1: ? is a!"])
  }

  @Test func `a value that was not expected is shown by its own letter`() throws {
    let mismatch = try mismatch(
      """
      source  -a|
      output  -a|
      """
    ) { $0.map { _ in "q" } }
    #expect(mismatch.played.hasSuffix("output  -q|"))
  }

  @Test func `output after the diagram's end is a difference`() throws {
    let mismatch = try mismatch(
      """
      source  -a
      output  -a
      """
    ) { stage in
      Unruly<String, TestFailure> { subscriber in
        stage.scheduler.schedule(after: .init(5)) { subscriber.receive(completion: .finished) }
        stage.subscribe(subscriber)
      }
    }
    #expect(mismatch.played.hasSuffix("output  -a---|"))
  }

  @Test func `a broken rule is a difference though the lanes agree`() throws {
    let mismatch = try mismatch(
      """
      source  -a|
      demand  *
      output  -a|
      """
    ) { stage in
      Unruly<String, TestFailure> { subscriber in
        subscriber.receive(subscription: UnrulySubscription())
        stage.subscribe(subscriber)
      }
    }
    #expect(mismatch.notes.contains { $0.contains("rule 2.12") })
  }

  @Test func `a lane that is asked for and not there is a difference`() throws {
    let mismatch = try mismatch("output  -") { $0.source(2) }
    #expect(mismatch.notes == ["the operator asked for a lane `source2`, which is not there"])
  }

  @Test(arguments: [
    ("source  -a\noutput  -a?", 2, 11, "`?` has no meaning in the lane `output`"),
    ("source  -!\noutput  -a", 1, 10, "`!` has no meaning in the lane `source`"),
    ("demand  -a\noutput  -a", 1, 10, "`a` has no meaning in the lane `demand`"),
    ("demand  -0\noutput  -a", 1, 10, "`0` has no meaning in the lane `demand`"),
    ("output  -(a", 1, 10, "the group is not closed"),
    ("output  -a)", 1, 11, "no group is open"),
    ("output  -()", 1, 11, "the group is empty"),
    ("output  -(a-)", 1, 12, "a tick inside a group"),
    ("output  -((a))", 1, 11, "a group inside a group"),
    ("output  -|-a", 1, 12, "nothing can follow the end of `output`"),
    ("  result  -a", 1, 3, "there is no lane named `result`"),
    ("source1  -a", 1, 1, "there is no lane named `source1`"),
    ("inner  -a", 1, 1, "there is no lane named `inner`"),
    ("output  -a\noutput  -b", 2, 1, "there are two lanes named `output`"),
    ("source  -a", 1, 1, "there is no lane to compare: no output, no upstream"),
    ("every 3  -a-b\noutput  -a", 1, 13, "no more than 3 ticks fit into `every 3`"),
    ("every 1  (ab)-\noutput  -a", 1, 14, "no more than 1 ticks fit into `every 1`"),
    ("every 3  -|\noutput  -a", 1, 11, "`|` has no meaning in the lane `every 3`"),
    ("every  -a\noutput  -a", 1, 8, "`every` needs a number of ticks, as in `every 3`"),
    ("every 0  -a\noutput  -a", 1, 7, "`every` needs a number of ticks, as in `every 3`"),
    ("every -3  a\noutput  -a", 1, 7, "`every` needs a number of ticks, as in `every 3`"),
    ("  every\noutput  -a", 1, 8, "`every` needs a number of ticks, as in `every 3`"),
    ("every 3  a\nevery 3  b\noutput  -a", 2, 1, "there are two lanes named `every 3`"),
  ])
  func `a malformed diagram points at the place`(text: String, line: Int, column: Int, problem: String) throws {
    let error = try #require(throws: MalformedDiagram.self) { try play(text) { $0 } }
    #expect(error.line == line)
    #expect(error.column == column)
    #expect(error.problem == problem)
  }

  @Test func `the description of a malformed diagram marks the column`() throws {
    let error = try #require(throws: MalformedDiagram.self) { try play("output  -a?") { $0 } }
    #expect(
      error.description == """
        The diagram is malformed in line 1, column 11: `?` has no meaning in the lane `output`
        output  -a?
                  ^
        """)
  }
}
