/// What the closures of the benchmarks write to, so that the optimizer cannot drop them.
final class Tally {
  // Checked access would be timed along with the call.
  @exclusivity(unchecked)
  var total = 0
}

/// The tally of the whole program; one thread at a time uses it.
nonisolated(unsafe) let tally = Tally()

/// Closures that the optimizer cannot see through: each is made of its own captures and called through a pointer.
@inline(never)
func makeClosures(_ count: Int) -> [(Int) -> Void] {
  (0..<count).map { number in
    let tally = tally
    return { tally.total &+= $0 &+ number }
  }
}

/// Three steps that only know their input.
@inline(never)
func makePureSteps() -> [(Int) -> Int] {
  [{ $0 &+ 1 }, { $0 != .min ? $0 : 0 }, { $0 &* 3 }]
}

/// Three steps with a memory, as scan, removeDuplicates, and prefix have one.
@inline(never)
func makeSteppingSteps() -> [(Int) -> Int] {
  final class Memory {
    @exclusivity(unchecked)
    var value = 0
  }
  let (sum, last, count) = (Memory(), Memory(), Memory())
  return [
    { input in
      sum.value = sum.value &+ input &+ 1
      return sum.value
    },
    { input in
      guard input != last.value else { return 0 }
      last.value = input
      return input
    },
    { input in
      guard count.value < .max else { return 0 }
      count.value &+= 1
      return input
    },
  ]
}

/// Calls every closure with each number: the limit of a fan-out.
func callEach(_ closures: [(Int) -> Void], passes: Int) {
  for index in 0..<passes {
    for closure in closures { closure(index) }
  }
}

/// Sends each number through the steps: the limit of a chain.
func runThrough(_ steps: [(Int) -> Int], count: Int) {
  for index in 0..<count {
    var value = index
    for step in steps { value = step(value) }
    tally.total &+= value
  }
}

extension Row {
  /// A row that is held against calls of closures: the ratio says how many of them one operation is worth.
  ///
  /// - Parameters:
  ///   - count: How many operations a pass performs.
  ///   - prepare: Makes the loop.
  static func calls(
    _ name: String, operation: String, each count: Int = 1, prepare: @escaping () -> (_ passes: Int) -> Void
  ) -> Row {
    Row(
      name: name, operation: operation, limit: "one closure call",
      method: .time {
        let closures = makeClosures(100)
        return Comparison(operations: count, work: prepare()) {
          callEach(closures, passes: max(1, $0 * count / closures.count))
        }
      })
  }
}
