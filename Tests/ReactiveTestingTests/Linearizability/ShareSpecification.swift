import ReactiveTesting

/// What the contract allows `share()` over a subject.
///
/// A subscriber is counted, joins, and sees to it that there is a connection; the last one to cancel ends it. Whoever is
/// connecting or disconnecting looks again afterwards, and others leave it to him. A value that is sent while there is no
/// connection is lost. One subscriber is there from the start.
struct ShareSpecification: Specification {
  enum Operation: Hashable, Sendable {
    /// Sends a value that tells the call.
    case send
    /// Ends the subject.
    case finish
    /// Subscribes a subscriber named after the call, which wants everything.
    case subscribe
    /// The first subscriber cancels.
    case cancel
  }

  struct Observation: Hashable, Sendable, CustomStringConvertible {
    struct Receipt: Hashable, Sendable {
      var values: [Int] = []
      var hasEnded = false
    }

    var receipts: [String: Receipt] = [:]

    var description: String {
      receipts.sorted { $0.key < $1.key }
        .map { "\($0) got \($1.values)\($1.hasEnded ? " and the end" : "")" }.joined(separator: ", ")
    }
  }

  private enum Phase: Hashable {
    case enter
    case take(Event)
    case pass(Event)
    case rest
    case attach
    case leave
    case settle
    case connect
    case connected
    case disconnect
    case disconnected
  }

  private struct Link: Hashable {
    let name: String
    var isCancelled = false
    var receipt = Observation.Receipt()
  }

  /// A value of the subject, or its end.
  private struct Event: Hashable {
    let value: Int?
    let place: Int
  }

  private var phases: [Int: Phase] = [:]
  private var links = [Link(name: "first")]
  private var subscribers = 1
  private var isConnected = true
  private var isBusy = false
  private var place = 0
  private var queue: [Event] = []
  private var isDelivering = false
  /// Who has not got the event yet that is being delivered.
  private var waiting = 0..<0
  private var sourceHasEnded = false
  private var hasEnded = false
  /// The place in the subject's order at which the connection began; nil while nothing is subscribed to it.
  private var since: Int? = 0

  static func value(of call: Call) -> Int { (call.thread + 1) * 10 + call.number + 1 }

  mutating func begin(_ operation: Operation, _ call: Call) -> Bool {
    switch operation {
    case .send: return accept(Self.value(of: call), call)
    case .finish: return accept(nil, call)
    case .subscribe:
      subscribers += 1
      phases[call.thread] = .attach
      return true
    case .cancel:
      guard !links[0].isCancelled, !links[0].receipt.hasEnded else { return false }
      links[0].isCancelled = true
      phases[call.thread] = .leave
      return true
    }
  }

  private mutating func accept(_ value: Int?, _ call: Call) -> Bool {
    guard !sourceHasEnded else { return false }
    place += 1
    sourceHasEnded = value == nil
    queue.append(Event(value: value, place: place))
    guard !isDelivering else { return false }
    isDelivering = true
    phases[call.thread] = .enter
    return true
  }

  mutating func proceed(_ operation: Operation, _ call: Call) -> Bool {
    let next = step(phases[call.thread], call)
    phases[call.thread] = next
    return next != nil
  }

  private mutating func step(_ phase: Phase?, _ call: Call) -> Phase? {
    switch phase {
    case .enter:
      let event = queue.removeFirst()
      // Once past this, it goes on even if the connection ends.
      guard let since, since < event.place else { return .rest }
      return .take(event)
    case .take(let event):
      waiting = links.indices
      if event.value == nil { hasEnded = true }
      return .pass(event)
    case .pass(let event):
      guard let link = waiting.popFirst() else { return .rest }
      pass(event, to: link)
      return .pass(event)
    case .rest:
      isDelivering = !queue.isEmpty
      return isDelivering ? .enter : nil
    case .attach:
      links.append(Link(name: "\(call)", receipt: Observation.Receipt(hasEnded: hasEnded)))
      return .settle
    case .leave:
      subscribers -= 1
      return .settle
    case .settle:
      guard !isBusy, isConnected != (subscribers > 0) else { return nil }
      isBusy = true
      return isConnected ? .disconnect : .connect
    case .connect:
      since = place
      if sourceHasEnded { end() }
      return .connected
    case .disconnect:
      since = nil
      return .disconnected
    case .connected, .disconnected:
      isConnected = phase == .connected
      isBusy = false
      return .settle
    case nil:
      return nil
    }
  }

  private mutating func pass(_ event: Event, to link: Int) {
    guard !links[link].isCancelled else { return }
    if let value = event.value { links[link].receipt.values.append(value) } else { links[link].receipt.hasEnded = true }
  }

  private mutating func end() {
    hasEnded = true
    for index in links.indices where !links[index].isCancelled { links[index].receipt.hasEnded = true }
  }

  var observation: Observation {
    Observation(receipts: Dictionary(uniqueKeysWithValues: links.map { ($0.name, $0.receipt) }))
  }
}
