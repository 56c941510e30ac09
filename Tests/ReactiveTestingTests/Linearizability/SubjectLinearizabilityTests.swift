import Reactive
import ReactiveTesting
import Testing

@Suite struct SubjectLinearizabilityRaceTests {
  @Test func `every history of a passthrough subject is one of an order`() throws {
    try SubjectVerification("PassthroughSubject", .none) { PassthroughSubject<Int, TestFailure>() }
      .linearizability().orThrow()
  }

  @Test func `every history of a current value subject is one of an order`() throws {
    try SubjectVerification("CurrentValueSubject", .latest) { CurrentValueSubject<Int, TestFailure>(0) }
      .reading(\.value).linearizability().orThrow()
  }

  @Test func `a careless subject is caught with and without a memory`() {
    for memory in [SubjectVerification<CarelessSubject<Int, TestFailure>>.Memory.none, .latest] {
      let careless = SubjectVerification("CarelessSubject", memory) {
        CarelessSubject<Int, TestFailure>(latest: memory == .latest ? 0 : nil)
      }
      guard case .failed(let violations) = careless.linearizability() else {
        Issue.record("not caught with memory \(memory)")
        continue
      }
      #expect(violations.allSatisfy { $0.rule == .c07 && $0.subject == "CarelessSubject" })
    }
  }
}
