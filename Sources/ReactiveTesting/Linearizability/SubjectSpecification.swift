/// What the contract allows a subject: values and the end get one place in an order when they are accepted, and are
/// delivered by whoever finds nobody delivering, to one subscriber after the other.
///
/// There is one subscriber from the start; others come by an operation.
struct SubjectSpecification: Specification {
  enum Operation: Hashable, Sendable {
    /// Sends a value that tells the call.
    case send
    /// Ends the subject.
    case finish
    /// Subscribes a subscriber named after the call.
    case subscribe(demand: Int)
    /// The first subscriber requests some values more.
    case request(Int)
    /// The first subscriber cancels.
    case cancel
    /// Reads the latest value; only for a subject that has one.
    case read
  }

  /// What subscribers have received, and what was read.
  struct Observation: Hashable, Sendable, CustomStringConvertible {
    struct Receipt: Hashable, Sendable {
      var values: [Int] = []
      var hasEnded = false
    }

    var receipts: [String: Receipt] = [:]
    var reads: [Call: Int] = [:]

    var description: String {
      let receipts = receipts.sorted { $0.key < $1.key }.map { name, receipt in
        "\(name) got \(receipt.values)\(receipt.hasEnded ? " and the end" : "")"
      }
      let reads = reads.sorted { $0.key < $1.key }.map { "\($0) read \($1)" }
      return (receipts + reads).joined(separator: ", ")
    }
  }

  private enum Event: Hashable {
    case value(Int, place: Int)
    case replay(link: Int, Int)
    case end
  }

  private struct Link: Hashable {
    let name: String
    var demand: Int
    /// The place in the order after which values are for this link.
    var since: Int
    /// Whether it has missed the latest value for want of demand.
    var isOwed = false
    var isCancelled = false
    var receipt = Observation.Receipt()
  }

  private let remembers: Bool
  private var latest: Int
  private var place = 0
  private var hasEnded = false
  private var queue: [Event] = []
  private var cursor = 0
  private var isDelivering = false
  private var links: [Link] = []
  private var reads: [Call: Int] = [:]

  /// Makes the specification of a subject with its first subscriber.
  ///
  /// - Parameters:
  ///   - latest: The value at the start; nil for a subject that remembers none.
  ///   - demand: What the first subscriber has requested.
  init(latest: Int?, demand: Int) {
    remembers = latest != nil
    self.latest = latest ?? 0
    attach("first", demand)
    while !queue.isEmpty { deliver() }
  }

  /// Demand that no scenario uses up.
  static var plenty: Int { 1_000 }

  /// The value that a call sends.
  static func value(of call: Call) -> Int { (call.thread + 1) * 10 + call.number + 1 }

  mutating func begin(_ operation: Operation, _ call: Call) -> Bool {
    switch operation {
    case .send:
      guard !hasEnded else { return false }
      place += 1
      latest = Self.value(of: call)
      queue.append(.value(latest, place: place))
    case .finish:
      guard !hasEnded else { return false }
      hasEnded = true
      queue.append(.end)
    case .subscribe(let demand):
      attach("\(call)", demand)
    case .request(let demand):
      links[0].demand += demand
      if links[0].isOwed { replay(to: 0) }
    case .cancel:
      links[0].isCancelled = true
    case .read:
      reads[call] = latest
    }
    return startDelivering()
  }

  mutating func proceed(_ operation: Operation, _ call: Call) -> Bool {
    deliver()
    return isDelivering
  }

  var observation: Observation {
    Observation(
      receipts: Dictionary(uniqueKeysWithValues: links.map { ($0.name, $0.receipt) }), reads: reads)
  }

  private mutating func attach(_ name: String, _ demand: Int) {
    links.append(Link(name: name, demand: demand, since: place))
    let link = links.count - 1
    if hasEnded {
      // It may still be on its way; then it comes to this one as to the others.
      if !queue.contains(.end) { links[link].receipt.hasEnded = true }
    } else if remembers {
      if demand > 0 { replay(to: link) } else { links[link].isOwed = true }
    }
  }

  private mutating func replay(to link: Int) {
    guard !hasEnded else { return }
    links[link].isOwed = false
    links[link].since = place
    queue.append(.replay(link: link, latest))
  }

  /// Whoever finds nobody delivering delivers.
  private mutating func startDelivering() -> Bool {
    guard !isDelivering, !queue.isEmpty else { return false }
    isDelivering = true
    return true
  }

  /// Delivers one event to one subscriber.
  private mutating func deliver() {
    if let event = queue.first {
      switch event {
      case .replay(let link, let value):
        pass(value, to: link)
        cursor = links.count
      case .value(let value, let place):
        if cursor < links.count, links[cursor].since < place { pass(value, to: cursor) }
      case .end:
        if cursor < links.count, !links[cursor].isCancelled { links[cursor].receipt.hasEnded = true }
      }
      cursor += 1
      if cursor >= links.count {
        queue.removeFirst()
        cursor = 0
      }
    }
    isDelivering = !queue.isEmpty
  }

  private mutating func pass(_ value: Int, to link: Int) {
    guard !links[link].isCancelled else { return }
    if links[link].demand > 0 {
      links[link].demand -= 1
      links[link].receipt.values.append(value)
    } else {
      links[link].isOwed = remembers
    }
  }
}
