import ReactiveTesting

/// A call that gets ready to listen in several steps: answers and cancels that come before that are lost.
final class CarelessCall: Sendable {
  private let answered = Guarded<Int??>(nil)
  private let isListening = Guarded(false)

  /// Takes an answer.
  func take(_ answer: Int?) {
    if isListening.value { answered.update { $0 = $0 ?? .some(answer) } }
  }

  /// Waits for an answer, or nil for a cancel.
  ///
  /// - Returns: -1 when there has been none for so long that one could wait for ever.
  func answer() async -> Int? {
    await withTaskCancellationHandler {
      for _ in 0..<4 { await Task.yield() }
      isListening.value = true
      for _ in 0..<100 {
        if let answer = answered.value { return answer }
        await Task.yield()
      }
      return -1
    } onCancel: {
      take(nil)
    }
  }
}
