/// Watches one subscription and tells what breaks the rules: order, demand, overlap, nesting, silence after the end.
///
/// Whoever stands between a publisher and a subscriber reports each signal when it begins and when it has returned, and
/// each request and cancel. The checker calls nobody.
package final class ProtocolChecker: @unchecked Sendable {
  // Sendable: everything is touched under the lock only.
  private let lock = Lock()
  private let subject: String
  private let ignored: Set<Violation.Rule>
  private let historyLimit: Int

  private var threads: [ThreadIdentity] = []
  private var history: [SignalRecord] = []
  private var running: [(thread: ThreadIdentity, kind: SignalRecord.Kind)] = []
  private var demand = Subscribers.Demand.none
  private var received = 0
  private var hasSubscription = false
  private var hasEnded = false
  private var deepest = 0
  private var canceller: ThreadIdentity?
  private var hasCancelled = false
  private var lateSignals = 0
  private var found: [Violation] = []

  /// Makes a checker.
  ///
  /// - Parameters:
  ///   - subject: What violations call the watched pair.
  ///   - ignored: Rules that are not checked.
  ///   - historyLimit: How many signals and calls are remembered; at least that many, at most twice.
  package init(subject: String, ignoring ignored: Set<Violation.Rule> = [], historyLimit: Int) {
    self.subject = subject
    self.ignored = ignored
    self.historyLimit = historyLimit
  }

  package var records: [SignalRecord] { lock.withLock { history } }
  package var violations: [Violation] { lock.withLock { found } }
  package var outstanding: Subscribers.Demand { lock.withLock { demand } }
  /// How many values were being received inside one another, at most.
  package var maximumDepth: Int { lock.withLock { deepest } }

  /// Whether this thread is inside the completion.
  var isInsideCompletion: Bool {
    lock.withLock { running.contains { $0.thread == .current && ($0.kind == .finished || $0.kind == .failure) } }
  }

  package enum Entry {
    case subscription
    case value
    case finished
    case failure
  }

  /// A signal begins.
  ///
  /// - Returns: What is wrong with it.
  @discardableResult
  package func enter(_ entry: Entry) -> [Violation] {
    lock.withLock {
      let thread = ThreadIdentity.current
      let kind: SignalRecord.Kind
      switch entry {
      case .subscription: kind = .subscription
      case .value:
        received += 1
        kind = .value(received)
      case .finished: kind = .finished
      case .failure: kind = .failure
      }
      let first = found.count
      note(kind, on: thread)
      checkSerial(kind, on: thread)
      checkOrder(entry, kind)
      checkSilence(entry, kind, on: thread)
      running.append((thread, kind))
      deepest = max(deepest, running.count { $0.thread == thread && $0.kind.isValue })
      return first == found.count ? [] : Array(found[first...])
    }
  }

  /// The signal that began last on this thread has returned.
  ///
  /// - Parameter returned: The demand that a value returned.
  package func leave(returning returned: Subscribers.Demand = .none) {
    lock.withLock {
      let thread = ThreadIdentity.current
      if let index = running.lastIndex(where: { $0.thread == thread }) { running.remove(at: index) }
      guard returned > .none else { return }
      note(.returned(returned), on: thread)
      demand += returned
    }
  }

  /// The subscriber is about to request.
  package func request(_ demand: Subscribers.Demand) {
    lock.withLock {
      note(.request(demand), on: .current)
      self.demand += demand
    }
  }

  /// The subscriber is about to cancel.
  package func cancelBegins() {
    lock.withLock {
      note(.cancel, on: .current)
      if canceller == nil { canceller = .current }
    }
  }

  /// The cancel has returned: from now on other threads are watched too.
  package func cancelReturned() {
    lock.withLock { hasCancelled = true }
  }

  /// Records a violation that was found elsewhere.
  @discardableResult
  package func report(_ rule: Violation.Rule, _ detail: String) -> [Violation] {
    lock.withLock {
      let first = found.count
      add(rule, detail)
      return Array(found[first...])
    }
  }
}

extension ProtocolChecker {
  private func checkSerial(_ kind: SignalRecord.Kind, on thread: ThreadIdentity) {
    if let other = running.last(where: { $0.thread != thread }) {
      add(other.kind == .subscription ? .c02 : .p1_03, "\(kind) began while another thread was inside \(other.kind)")
    }
    if let outer = running.last(where: { $0.thread == thread }), outer.kind != .subscription {
      add(.c05, "\(kind) came inside \(outer.kind)")
    }
  }

  private func checkOrder(_ entry: Entry, _ kind: SignalRecord.Kind) {
    switch entry {
    case .subscription:
      if hasSubscription { add(.s2_12, "a second subscription came") }
      hasSubscription = true
    case _ where hasEnded:
      add(.p1_07, "\(kind) came after the end")
    case _ where !hasSubscription:
      add(.p1_09, "\(kind) came before the subscription")
    case .value:
      if demand == .none { add(.p1_01, "\(kind) came without demand") }
      demand -= 1
    case .finished, .failure: break
    }
    if entry == .finished || entry == .failure { hasEnded = true }
  }

  private func checkSilence(_ entry: Entry, _ kind: SignalRecord.Kind, on thread: ThreadIdentity) {
    guard let canceller, entry != .subscription else { return }
    if canceller == thread {
      add(.c12, "\(kind) came after a cancel on the same thread")
    } else if hasCancelled {
      lateSignals += 1
      if lateSignals > 1 { add(.c13, "\(kind) is late signal \(lateSignals) after a cancel on another thread") }
    }
  }

  private func add(_ rule: Violation.Rule, _ detail: String) {
    guard !ignored.contains(rule) else { return }
    found.append(Violation(rule, detail, subject: subject, trace: Array(history.suffix(32))))
  }

  private func note(_ kind: SignalRecord.Kind, on thread: ThreadIdentity) {
    let number = threads.firstIndex(of: thread) ?? threads.count
    if number == threads.count { threads.append(thread) }
    if history.count / 2 >= historyLimit { history.removeFirst(history.count - historyLimit + 1) }
    history.append(SignalRecord(kind, thread: number + 1))
  }
}

extension SignalRecord.Kind {
  var isValue: Bool {
    if case .value = self { true } else { false }
  }
}
