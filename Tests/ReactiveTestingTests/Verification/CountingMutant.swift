import Dispatch
import Reactive
import ReactiveFoundation

@testable import ReactiveTesting

/// A publisher of the numbers from 1 that keeps every rule, or breaks exactly one.
struct CountingMutant: Publisher {
  typealias Output = Int
  typealias Failure = TestFailure

  /// What is wrong with it, and the rule that this breaks.
  enum Fault: CaseIterable {
    case firstValueIsFree
    case finishesOnlyWhenDemandIsMet
    case failureNeedsDemand
    case completionNeedsDemand
    case requestAfterTheEndDelivers
    case requestAfterTheEndFinishesAgain
    case signalsBeforeTheSubscription
    case subscribersShareTheValues
    case nestedRequestsAreLost
    case requestsRecurse
    case cancelWaitsForTheDelivery
    case requestRevives
    case secondCancelFinishes
    case requestsReplaceDemand
    case cancelKeepsTheSubscriber
    case demandOverflows
    case noneMeansOne
    case returnedDemandRecurses
    case everyRequestDeliversItself
    case cancelledStreamFinishes
    case endKeepsTheSubscriber

    var rule: Rule {
      switch self {
      case .firstValueIsFree: .p1_01
      case .finishesOnlyWhenDemandIsMet: .p1_02
      case .failureNeedsDemand: .p1_04
      case .completionNeedsDemand: .p1_05
      case .requestAfterTheEndDelivers: .p1_06
      case .requestAfterTheEndFinishesAgain: .p1_07
      case .signalsBeforeTheSubscription: .p1_09
      case .subscribersShareTheValues: .p1_10
      case .nestedRequestsAreLost: .n3_02
      case .requestsRecurse: .n3_03
      case .cancelWaitsForTheDelivery: .n3_05
      case .requestRevives: .n3_06
      case .secondCancelFinishes: .n3_07
      case .requestsReplaceDemand: .n3_08
      case .cancelKeepsTheSubscriber: .n3_13
      case .demandOverflows: .n3_17
      case .noneMeansOne: .c04
      case .returnedDemandRecurses: .c05
      case .everyRequestDeliversItself: .c06
      case .cancelledStreamFinishes: .c12
      case .endKeepsTheSubscriber: .c15
      }
    }
  }

  let count: Int
  let fault: Fault?
  let fails: Bool
  /// Where it delivers; nil for the thread that requests.
  let queue: DispatchQueue?
  private let shared = Position()

  init(_ count: Int, _ fault: Fault?, fails: Bool = false, on queue: DispatchQueue? = nil) {
    self.count = count
    self.fault = fault
    self.fails = fails
    self.queue = queue
  }

  final class Position {
    var next = 1
  }

  func receive<S: Subscriber>(subscriber: S) where S.Input == Int, S.Failure == TestFailure {
    let core = Core(
      AnySubscriber(subscriber), last: count, fault: fault, fails: fails, queue: queue,
      position: fault == .subscribersShareTheValues ? shared : Position())
    if fault == .signalsBeforeTheSubscription { core.deliver() }
    subscriber.receive(subscription: core)
    core.handedOver()
  }

  final class Core: Subscription {
    private let lock = Lock()
    private let last: Int
    private let fault: Fault?
    private let fails: Bool
    private let queue: DispatchQueue?
    private let position: Position
    private var subscriber: AnySubscriber<Int, TestFailure>?
    private var kept: AnySubscriber<Int, TestFailure>?
    private var demand: Subscribers.Demand
    private var isDelivering = false
    /// Whether the subscriber may get something: on another thread not before it has its subscription.
    private var isHandedOver: Bool
    private var hasEnded = false
    private var isCancelled = false
    private let deliveries = WaitableState(0)

    init(
      _ subscriber: AnySubscriber<Int, TestFailure>, last: Int, fault: Fault?, fails: Bool, queue: DispatchQueue?,
      position: Position
    ) {
      self.subscriber = subscriber
      self.last = last
      self.fault = fault
      self.fails = fails
      self.queue = queue
      self.position = position
      isHandedOver = queue == nil
      demand = fault == .firstValueIsFree ? .max(1) : .none
      if fault == .cancelKeepsTheSubscriber || fault == .endKeepsTheSubscriber
        || fault == .requestRevives || fault == .secondCancelFinishes || fault == .requestAfterTheEndDelivers
        || fault == .requestAfterTheEndFinishesAgain
      {
        kept = subscriber
      }
    }

    private enum Step {
      case rest
      case value(Int, AnySubscriber<Int, TestFailure>?)
      case end(AnySubscriber<Int, TestFailure>?)
    }

    private func step() -> Step {
      if hasEnded || isCancelled {
        isDelivering = false
        return .rest
      }
      if position.next > last, mayEnd {
        hasEnded = true
        defer { subscriber = nil }
        return .end(subscriber)
      }
      if demand == .none || position.next > last {
        isDelivering = false
        return .rest
      }
      demand -= 1
      position.next += 1
      return .value(position.next - 1, subscriber)
    }

    private var mayEnd: Bool {
      switch fault {
      case .completionNeedsDemand: demand > .none
      case .failureNeedsDemand: !fails || demand > .none
      case .finishesOnlyWhenDemandIsMet: demand == .none
      default: true
      }
    }

    func handedOver() {
      lock.withLock { isHandedOver = true }
      deliver()
    }

    func deliver() {
      let starts = lock.withLock {
        guard isHandedOver else { return false }
        if fault == .everyRequestDeliversItself { return true }
        defer { isDelivering = true }
        return !isDelivering
      }
      guard starts else { return }
      if let queue { queue.schedule { self.loop() } } else { loop() }
    }

    private func loop() {
      while true {
        switch lock.withLock({ step() }) {
        case .rest: return
        case .value(let value, let subscriber): pass(value, to: subscriber)
        case .end(let subscriber):
          subscriber?.receive(completion: fails ? .failure(TestFailure()) : .finished)
          if fault == .cancelKeepsTheSubscriber { kept = nil }
        }
      }
    }

    private func pass(_ value: Int, to subscriber: AnySubscriber<Int, TestFailure>?) {
      guard let subscriber else { return }
      deliveries.withLock { $0 += 1 }
      let more = subscriber.receive(value)
      deliveries.withLock { $0 = 0 }
      lock.withLock { demand += more }
      if fault == .returnedDemandRecurses, more > .none { loop() }
      if fault == .cancelledStreamFinishes, isCancelled, value == last { subscriber.receive(completion: .finished) }
    }

    func request(_ more: Subscribers.Demand) {
      var more = more
      if more == .none {
        guard fault == .noneMeansOne else { return }
        more = .max(1)
      }
      if fault == .demandOverflows, let old = demand.max, let new = more.max {
        more = .max(abs(old &+ new &- old) &- (old.addingReportingOverflow(new).overflow ? new : 0))
        if more == .none || new == Int.max { demand = .none }
      }
      if isCancelled, fault == .requestRevives { _ = kept?.receive(0) }
      if hasEnded, fault == .requestAfterTheEndDelivers { _ = kept?.receive(0) }
      if hasEnded, fault == .requestAfterTheEndFinishesAgain {
        let again = kept
        kept = nil
        again?.receive(completion: .finished)
      }
      lock.withLock {
        if fault == .requestsReplaceDemand { demand = .none }
        if fault != .nestedRequestsAreLost || !isDelivering { demand += more }
      }
      if fault == .requestsRecurse { loop() } else { deliver() }
    }

    func cancel() {
      if fault == .cancelWaitsForTheDelivery { _ = deliveries.wait(atMost: .seconds(1)) { $0 == 0 } }
      if isCancelled, fault == .secondCancelFinishes {
        let again = kept
        kept = nil
        again?.receive(completion: .finished)
      }
      let released = lock.withLock {
        defer { subscriber = nil }
        isCancelled = true
        return subscriber
      }
      withExtendedLifetime(released) {}
    }
  }
}
