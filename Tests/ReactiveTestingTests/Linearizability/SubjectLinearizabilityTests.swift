import Reactive
import ReactiveTesting
import Testing

@Suite struct SubjectLinearizabilityRaceTests {
  @Test func `every history of a passthrough subject is one of an order`() async throws {
    try await SubjectVerification("PassthroughSubject", .none) { PassthroughSubject<Int, TestFailure>() }
      .linearizability().orThrow()
  }

  @Test func `every history of a current value subject is one of an order`() async throws {
    try await SubjectVerification("CurrentValueSubject", .latest) { CurrentValueSubject<Int, TestFailure>(0) }
      .reading(\.value).linearizability().orThrow()
  }

  @Test func `a publisher that nothing ends is let loose without an end`() async throws {
    let subject = SubjectVerification("erased", .none) {
      let subject = PassthroughSubject<Int, Never>()
      return DrivenPublisher(subject.eraseToAnyPublisher()) { subject.send($0) }
    }
    try await subject.endless().linearizability().orThrow()
  }

  @Test func `a careless subject is caught with and without a memory`() async {
    // Enough scenarios for one that shows it.
    var environment = VerificationEnvironment()
    environment.rounds = 20_000
    for memory in [SubjectVerification<CarelessSubject<Int, TestFailure>>.Memory.none, .latest] {
      let careless = SubjectVerification("CarelessSubject", memory, environment: environment) {
        CarelessSubject<Int, TestFailure>(latest: memory == .latest ? 0 : nil)
      }
      guard case .failed(let violations) = await careless.linearizability() else {
        Issue.record("not caught with memory \(memory)")
        continue
      }
      #expect(violations.allSatisfy { $0.rule == .c07 && $0.subject == "CarelessSubject" })
    }
  }
}
