/// Values that wait to be delivered, in blocks: they are added one by one, and taken out by whoever has taken the whole.
///
/// A block is small enough for its memory to be used again: a burst of any size moves no value because of growth, and
/// gives its memory back while it is being delivered. What an empty batch keeps is two blocks at most.
@usableFromInline
struct Batch<Element> {
  @usableFromInline static var blockSize: Int { 256 }

  /// The block that is being filled.
  @usableFromInline var newest: ContiguousArray<Element> = []
  /// The full ones before it.
  @usableFromInline var full = Ring<ContiguousArray<Element>>()
  /// The block that is being emptied, from its end: its values are in reverse order, and each goes as it is taken.
  @usableFromInline var oldest: ContiguousArray<Element> = []
  @usableFromInline var count = 0

  @inlinable
  init() {}

  @inlinable
  var isEmpty: Bool { count == 0 }

  /// How many values fit without more memory.
  @inlinable
  var capacity: Int { newest.capacity + oldest.capacity }

  @inlinable @inline(__always)
  mutating func append(_ element: Element) {
    if newest.count >= Self.blockSize { startBlock() }
    newest.append(element)
    count += 1
  }

  @inlinable
  mutating func startBlock() {
    full.append(newest)
    newest = []
    newest.reserveCapacity(Self.blockSize)
  }

  @inlinable @inline(__always)
  mutating func popFirst() -> Element? {
    if oldest.isEmpty {
      guard count > 0 else { return nil }
      openBlock()
    }
    count -= 1
    return oldest.removeLast()
  }

  @inlinable
  mutating func openBlock() {
    if let block = full.popFirst() {
      oldest = block
      if full.isEmpty { full = Ring() }
    } else {
      swap(&oldest, &newest)
    }
    oldest.reverse()
  }
}
