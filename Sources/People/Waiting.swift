/// Waits until something holds.
///
/// - Parameters:
///   - limit: How long at most.
///   - condition: Asked again and again, on the main actor.
/// - Returns: Whether it held in time.
@MainActor
func eventually(within limit: Duration, _ condition: () -> Bool) async -> Bool {
  let deadline = ContinuousClock.now + limit
  while !condition() {
    guard ContinuousClock.now < deadline else { return false }
    try? await Task.sleep(for: .milliseconds(2))
  }
  return true
}
