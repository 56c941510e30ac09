import ReactiveTesting

/// A queue that whoever comes empties unless somebody does: it looks and then acts, so two may empty it, or nobody.
final class CarelessQueue<Element> {
  private let elements = Guarded<[Element]>([])
  private let busy = Guarded(false)

  /// Whether somebody is emptying it.
  var isBusy: Bool { busy.value }

  /// Adds an element.
  ///
  /// - Parameters:
  ///   - element: Comes last.
  ///   - deliver: What is done with each that is taken out.
  func add(_ element: Element, deliver: (Element) -> Void) {
    elements.update { $0.append(element) }
    guard !busy.value else { return }
    TestThread.linger()
    busy.value = true
    while let next = elements.update({ $0.isEmpty ? nil : $0.removeFirst() }) {
      TestThread.linger()
      deliver(next)
    }
    TestThread.linger()
    busy.value = false
  }
}
