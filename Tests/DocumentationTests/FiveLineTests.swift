import ReactiveTesting
import Testing
@Test func `a countdown keeps the rules`() throws {
  try PublisherVerification("Countdown") { Countdown(start: $0) }.verifyAll().orThrow()
}
