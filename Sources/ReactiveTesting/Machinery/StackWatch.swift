/// Sees how far the stack has grown since it looked first.
struct StackWatch {
  private let limit: Int
  private var start: Int?

  /// Whether the stack has once been too deep.
  private(set) var isDeep = false

  /// Makes a watch.
  ///
  /// - Parameter limit: How many bytes are too many.
  init(limit: Int) {
    self.limit = limit
  }

  /// Looks at the stack.
  ///
  /// - Returns: Whether it has not been too deep yet.
  @inline(never)
  mutating func isShallow() -> Bool {
    var local = 0
    let place = withUnsafeMutablePointer(to: &local) { Int(bitPattern: $0) }
    if abs((start ?? place) - place) > limit { isDeep = true }
    start = start ?? place
    return !isDeep
  }
}
