/// One subscriber of a hot source, as the source sees it.
///
/// A typed subclass keeps the closures that deliver; they are constants of a final class, so that calling them costs
/// nothing but the call. To let go of the closures, let go of the port.
@usableFromInline
package class AnyPort: @unchecked Sendable {
  // Sendable: the ledger is atomic; the rest is touched under the lock of the source that owns the port.
  @usableFromInline
  package let ledger: DemandLedger

  /// Where the port stands in its list; negative while it is in none.
  fileprivate final var index = -1

  @usableFromInline
  package init(busy: Bool) {
    ledger = DemandLedger(busy: busy)
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

  package func contains(_ port: AnyPort) -> Bool { port.index >= 0 }

  package mutating func append(_ port: AnyPort) {
    port.index = ports.count
    ports.append(port)
  }

  /// Takes a port out.
  ///
  /// A round may hold the storage, and then the change copies it. What the copy drops is only references that the copy
  /// also has, so nothing is released under the owner's lock.
  ///
  /// - Parameter port: The port, which the caller holds until after unlocking.
  package mutating func remove(_ port: AnyPort) {
    guard port.index >= 0 else { return }
    let index = port.index
    port.index = -1
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
  }

  private mutating func pack() {
    var packed = ContiguousArray<AnyPort?>()
    packed.reserveCapacity(count)
    for case let port? in ports {
      port.index = packed.count
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
    for port in old { port?.index = -1 }
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
