/// What a hot source and a subscription share about one subscriber: demand and place, but neither of the two.
///
/// The subscription refers to it instead of the port, so that a subscription that is kept keeps no subscriber; and it
/// refers to nothing, so that no cycle forms.
@usableFromInline
package final class Tally: @unchecked Sendable {
  // Sendable: the ledger is atomic; the rest is touched under the lock of the source.
  @usableFromInline
  package let ledger: DemandLedger

  /// Where the port stands in its list; negative while it is in none.
  fileprivate var index = -1

  /// The last place in the order that this subscriber does not see, or has seen already.
  ///
  /// It changes under the lock before demand is raised, and is read after demand was seen.
  @exclusivity(unchecked)
  @usableFromInline
  package var since: UInt64 = 0

  /// Whether it has not got the latest value for want of demand; only in a source that makes up for it.
  @exclusivity(unchecked)
  @usableFromInline
  package var isOwed = false

  @usableFromInline
  package init(busy: Bool) {
    ledger = DemandLedger(busy: busy)
  }
}

/// One subscriber of a hot source, as the source sees it.
///
/// A typed subclass keeps the closures that deliver; they are constants of a final class, so that calling them costs
/// nothing but the call. To let go of the closures, let go of the port: only the source has it.
@usableFromInline
package class AnyPort: @unchecked Sendable {
  // Sendable: the tally is, and subclasses say why they are.
  @usableFromInline
  package final let tally: Tally

  @usableFromInline
  package init(busy: Bool) {
    tally = Tally(busy: busy)
  }
}

/// The subscribers of a hot source in the order they came.
///
/// Adding and removing cost constant time on average: removing leaves a gap, and when half of the list is gaps it is
/// packed. A delivery round takes the storage as it is and pays nothing; the next change after that copies it, which
/// costs no more than the round did. The list has no lock: its owner calls it under the owner's.
@usableFromInline
package struct PortList {
  @usableFromInline
  package private(set) var ports = ContiguousArray<AnyPort?>()
  private var gaps = 0

  @usableFromInline
  package init() {}

  package var count: Int { ports.count - gaps }

  @usableFromInline
  package subscript(_ tally: Tally) -> AnyPort? { tally.index < 0 ? nil : ports[tally.index] }

  @usableFromInline
  package mutating func append(_ port: AnyPort) {
    port.tally.index = ports.count
    ports.append(port)
  }

  /// Takes a port out.
  ///
  /// A round may hold the storage, and then the change copies it. What the copy drops is only references that the copy
  /// also has, so nothing is released under the owner's lock.
  ///
  /// - Returns: The port, for the caller to release after unlocking.
  package mutating func remove(_ tally: Tally) -> AnyPort? {
    guard tally.index >= 0 else { return nil }
    let index = tally.index
    tally.index = -1
    let removed = ports[index]
    ports[index] = nil
    gaps += 1
    if index == ports.count - 1 {
      while let last = ports.last, last == nil {
        ports.removeLast()
        gaps -= 1
      }
    } else if gaps > 16, gaps * 2 > ports.count {
      pack()
    }
    return removed
  }

  private mutating func pack() {
    var packed = ContiguousArray<AnyPort?>()
    packed.reserveCapacity(count)
    for case let port? in ports {
      port.tally.index = packed.count
      packed.append(port)
    }
    ports = packed
    gaps = 0
  }

  /// Takes all ports out.
  ///
  /// - Returns: The storage, for the caller to release after unlocking.
  package mutating func removeAll() -> ContiguousArray<AnyPort?> {
    let old = ports
    for port in old { port?.tally.index = -1 }
    ports = []
    gaps = 0
    return old
  }
}

extension ContiguousArray<AnyPort?> {
  /// Calls a closure with each port in order, without counting references: the array holds the ports meanwhile.
  @inlinable @inline(__always)
  package func forEachPort<Port: AnyPort>(_ type: Port.Type, _ body: (Port) -> Void) {
    withUnsafeBufferPointer { buffer in
      guard let start = buffer.baseAddress else { return }
      start.withMemoryRebound(to: Unmanaged<AnyPort>?.self, capacity: buffer.count) { ports in
        for index in 0..<buffer.count {
          ports[index]?._withUnsafeGuaranteedRef { body(unsafeDowncast($0, to: Port.self)) }
        }
      }
    }
  }
}
