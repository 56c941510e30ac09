import Retrievers

/// Counts the fetches, and says why each was made.
final class FetchLog {
  private(set) var subscriptions = 0
  private(set) var updates = 0
  private(set) var accesses = 0
  private let show: (String) -> Void

  init(show: @escaping (String) -> Void) {
    self.show = show
  }

  func add(_ reason: RetrievalReason) {
    switch reason {
    case .subscription: subscriptions += 1
    case .update: updates += 1
    case .access: accesses += 1
    }
    show("  fetch \(subscriptions + updates + accesses): \(reason)")
  }

  var summary: String { "fetches: \(subscriptions) subscriptions + \(updates) updates" }
}
