import Reactive
import ReactiveTesting

/// Compares an operator with a function of the standard library over many arrays, with demand chopped at random.
///
/// Demand comes in pieces, partly by requests and partly returned from deliveries; the operator may never deliver
/// without it, and has to deliver as much as there is.
///
/// - Returns: What differs.
func differences<P: Publisher>(
  _ expected: ([Int]) -> [P.Output], _ chain: (AnyPublisher<Int, Never>) -> P
) -> [String] where P.Output: Equatable {
  var found: [String] = []
  for seed in UInt64(0)..<200 {
    var random = SeededGenerator(seed: seed)
    let values = (0..<Int.random(in: 0...20, using: &random)).map { _ in Int.random(in: -3...9, using: &random) }
    let expected = expected(values)
    var demand = 0
    let recorder = Recorder<P.Output, P.Failure>(.none) { _, _ in
      let more = Int.random(in: 0...2, using: &random) / 2
      demand += more
      return .max(more)
    }
    chain(values.publisher.eraseToAnyPublisher()).subscribe(recorder)
    while recorder.values.count < expected.count {
      demand += 1 + Int.random(in: 0...2, using: &random)
      recorder.request(.max(demand - recorder.values.count))
      demand = max(demand, recorder.values.count)
      if recorder.values.count != min(demand, expected.count) {
        found.append("\(values): \(recorder.values) for a demand of \(demand)")
        break
      }
    }
    recorder.request(.unlimited)
    if recorder.values != expected { found.append("\(values): \(recorder.values) instead of \(expected)") }
    if !recorder.isFinished { found.append("\(values): no end") }
  }
  return found
}

/// Collects the laws that were broken.
private struct Breaches {
  var found: [String] = []

  mutating func expect(_ condition: Bool, _ law: String) {
    if !condition { found.append(law) }
  }
}

/// Subscribes a recorder to an operator over a hand-driven upstream.
func attach<P: Publisher>(
  _ chain: (RogueUpstream<Int, Oops>) -> P, demand: Subscribers.Demand = .unlimited,
  react: @escaping (P.Output, Recorder<P.Output, P.Failure>) -> Subscribers.Demand = { _, _ in .none }
) -> (RogueUpstream<Int, Oops>, Recorder<P.Output, P.Failure>) {
  let upstream = RogueUpstream<Int, Oops>()
  let recorder = Recorder<P.Output, P.Failure>(demand, react: react)
  chain(upstream).subscribe(recorder)
  return (upstream, recorder)
}

/// Looks for what an operator does wrong over a misbehaving upstream.
///
/// - Parameters:
///   - name: How what the operator attaches describes itself.
///   - subscription: How its subscription describes itself, if not like that.
///   - chain: The operator; of the values 1, 2, 3 it has to let at least one pass.
/// - Returns: The laws it breaks.
func breaches<P: Publisher>(
  _ name: String, subscription: String? = nil, _ chain: (RogueUpstream<Int, Oops>) -> P
) -> [String] {
  var laws = Breaches()
  do {
    let (upstream, recorder) = attach(chain)
    laws.expect(upstream.subscriberDescription == name, "describes itself: \(upstream.subscriberDescription)")
    let description = recorder.subscription.map { "\($0)" } ?? ""
    laws.expect(description == subscription ?? name, "describes its subscription: \(description)")
  }
  do {
    let (upstream, recorder) = attach(chain)
    upstream.subscribeAgain()
    laws.expect(upstream.cancels == 1 && recorder.subscriptions == 1, "cancels a second subscription")
    for value in 1...3 { upstream.send(value) }
    laws.expect(!recorder.values.isEmpty, "keeps the first subscription")
  }
  do {
    let (upstream, recorder) = attach(chain)
    recorder.cancel()
    recorder.cancel()
    recorder.request(.max(1))
    for value in 1...3 { upstream.send(value) }
    upstream.send(completion: .finished)
    laws.expect(upstream.calls.last == .cancel && upstream.cancels == 1, "passes one cancel, and nothing afterwards")
    laws.expect(recorder.values.isEmpty && recorder.completions.isEmpty, "is silent after a cancel")
  }
  do {
    let cancel = { (_: P.Output, recorder: Recorder<P.Output, P.Failure>) in
      recorder.cancel()
      return Subscribers.Demand.none
    }
    let (upstream, recorder) = attach(chain, react: cancel)
    for value in 1...3 { upstream.send(value) }
    upstream.send(completion: .failure(Oops()))
    laws.expect(
      recorder.values.count == 1 && recorder.completions.isEmpty, "is silent after a cancel inside a delivery")
  }
  do {
    let (upstream, recorder) = attach(chain)
    upstream.send(completion: .failure(Oops()))
    upstream.send(completion: .finished)
    for value in 1...3 { upstream.send(value) }
    recorder.cancel()
    laws.expect(recorder.completions.count == 1 && recorder.values.isEmpty, "is silent after the end")
    laws.expect(upstream.cancels == 0, "cancels nothing after the end")
  }
  do {
    let (upstream, recorder) = attach(chain, demand: .none)
    let before = upstream.calls
    recorder.request(.none)
    laws.expect(upstream.calls == before, "passes no empty request")
    recorder.request(.max(2))
    laws.expect(upstream.calls == before + [.request(.max(2))], "passes requests")
  }
  return laws.found
}

/// Looks for what an operator does wrong when its closure cancels.
///
/// - Parameter chain: The operator with this closure to call for each value; it returns the value, and cancels at the
///   second.
/// - Returns: The laws it breaks.
func breachesOfCancelInside<P: Publisher>(
  _ chain: (RogueUpstream<Int, Oops>, @escaping (Int) -> Int) -> P
) -> [String] {
  let recorder = Recorder<P.Output, P.Failure>()
  let upstream = RogueUpstream<Int, Oops>()
  let act = { (value: Int) in
    if value == 2 { recorder.cancel() }
    return value
  }
  chain(upstream, act).subscribe(recorder)
  upstream.send(1)
  let before = recorder.values.count
  upstream.send(2)
  upstream.send(3)
  var laws = Breaches()
  laws.expect(recorder.values.count == before && recorder.completions.isEmpty, "is silent after its closure cancelled")
  laws.expect(upstream.cancels == 1, "passes the cancel of its closure")
  return laws.found
}

/// Looks for what a `try` operator does wrong when its closure throws.
///
/// - Parameter chain: The operator with this closure to call for each value; it throws at the third.
/// - Returns: The laws it breaks.
func breachesOfThrowing<P: Publisher>(
  _ chain: (RogueUpstream<Int, Oops>, @escaping (Int) throws -> Int) -> P
) -> [String] where P.Failure == any Error {
  var wasSilentAtCancel = false
  let recorder = Recorder<P.Output, any Error>()
  let upstream = RogueUpstream<Int, Oops>(onCancel: { wasSilentAtCancel = recorder.completions.isEmpty })
  let act = { (value: Int) throws in
    if value == 3 { throw Oops(number: 3) }
    return value
  }
  chain(upstream, act).subscribe(recorder)
  for value in 1...3 { upstream.send(value) }
  let before = recorder.values.count
  for value in 1...3 { upstream.send(value) }
  upstream.send(completion: .finished)
  var laws = Breaches()
  laws.expect(wasSilentAtCancel, "cancels upstream before it fails")
  laws.expect(upstream.cancels == 1, "cancels upstream once")
  laws.expect(recorder.values.count == before, "is silent after it has failed")
  laws.expect(recorder.failures == [Oops(number: 3)], "fails with the error, once")
  return laws.found
}

extension Recorder {
  /// The failures received that are errors of the tests.
  var failures: [Oops] {
    completions.compactMap { if case .failure(let error) = $0 { error as? Oops } else { nil } }
  }
}
