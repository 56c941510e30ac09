import ReactiveTesting

/// Something that may be done once: it looks, and then acts.
final class CarelessLatch: Sendable {
  private let claimed = Guarded(false)

  var isClaimed: Bool { claimed.value }

  /// Whether the caller is the first, as far as it can see.
  func claim() -> Bool {
    guard !isClaimed else { return false }
    TestThread.linger()
    claimed.value = true
    return true
  }
}

/// Something that is made at the first use: by everybody who finds that it is not there.
final class CarelessLazy<Value> {
  private let made = Guarded<Value?>(nil)
  private let make: () -> Value

  init(_ make: @escaping () -> Value) {
    self.make = make
  }

  var value: Value {
    if let value = made.value { return value }
    TestThread.linger()
    let value = make()
    made.value = value
    return value
  }
}
