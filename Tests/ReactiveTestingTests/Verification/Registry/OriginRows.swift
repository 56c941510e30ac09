import Reactive
import ReactiveTesting

extension Registry {
  mutating func addOrigins() {
    addCold("Just", elements: .only([1])) { _ in Just(1) }
    addCold("Empty", elements: .only([0])) { _ in Empty<Int, TestFailure>() }
    addCold("Fail", elements: .only([]), failing: Fail(error: TestFailure())) { _ in
      Fail<Int, TestFailure>(error: TestFailure())
    }
    addCold("Sequence") { (0..<$0).publisher }
    addCold("Record", failing: Record(output: [], completion: .failure(TestFailure()))) {
      Record(output: Array(0..<$0), completion: .finished)
    }
    addCold("Deferred", failing: Deferred { Record(output: [], completion: .failure(TestFailure())) }) { count in
      Deferred { Record(output: Array(0..<count), completion: .finished) }
    }
    addCold("Future", elements: .only([1]), failing: Future { $0(.failure(TestFailure())) }) { _ in
      Future<Int, TestFailure> { $0(.success(1)) }
    }
    addCold("Optional.Publisher", elements: .only([0, 1])) { Optional.Publisher($0 == 0 ? nil : $0) }
    addCold("Result.Publisher", elements: .only([1]), failing: Result.Publisher(.failure(TestFailure()))) {
      Result<Int, TestFailure>.Publisher(.success($0))
    }
    addCold("AnyPublisher", failing: Fail(error: TestFailure()).eraseToAnyPublisher()) {
      Record<Int, TestFailure>(output: Array(0..<$0), completion: .finished).eraseToAnyPublisher()
    }
  }

  mutating func addSubjects() {
    typealias Passthrough = PassthroughSubject<Int, TestFailure>
    typealias CurrentValue = CurrentValueSubject<Int, TestFailure>
    add("PassthroughSubject", Passthrough.self) {
      SubjectVerification("PassthroughSubject", .none) { Passthrough() }
    }
    add("CurrentValueSubject", CurrentValue.self) {
      SubjectVerification("CurrentValueSubject", .latest) { CurrentValue(0) }.reading { $0.value }
    }
  }
}
