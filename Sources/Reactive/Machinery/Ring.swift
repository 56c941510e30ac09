/// A queue in one block of memory, whose size is a power of two.
@usableFromInline
struct Ring<Element> {
  @usableFromInline var storage: ContiguousArray<Element?> = []
  @usableFromInline var head = 0
  @usableFromInline var count = 0

  @inlinable
  init() {}

  @inlinable
  var isEmpty: Bool { count == 0 }

  @inlinable
  var first: Element? { count == 0 ? nil : storage[head] }

  @inlinable
  mutating func append(_ element: Element) {
    if count == storage.count { grow() }
    storage[(head + count) & (storage.count - 1)] = element
    count += 1
  }

  @inlinable
  mutating func popFirst() -> Element? {
    guard count > 0 else { return nil }
    let element = storage[head]
    storage[head] = nil
    head = (head + 1) & (storage.count - 1)
    count -= 1
    return element
  }

  @inlinable
  mutating func removeLast() -> Element? {
    guard count > 0 else { return nil }
    count -= 1
    let index = (head + count) & (storage.count - 1)
    let element = storage[index]
    storage[index] = nil
    return element
  }

  @inlinable
  mutating func grow() {
    let size = Swift.max(4, storage.count * 2)
    var larger = ContiguousArray<Element?>(repeating: nil, count: size)
    for offset in 0..<count { larger[offset] = storage[(head + offset) & (storage.count - 1)] }
    storage = larger
    head = 0
  }
}
