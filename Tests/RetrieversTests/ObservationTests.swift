import Observation
import Retrievers
import Synchronization
import Testing

@Suite struct ObservationTests {
  /// Reads the number under observation.
  ///
  /// - Returns: How often the read has been invalidated.
  private func track(_ repository: Repository) -> Tally {
    let invalidations = Tally()
    withObservationTracking {
      _ = repository.number
    } onChange: {
      invalidations.add()
    }
    return invalidations
  }

  private final class Tally: Sendable {
    private let count = Atomic(0)
    func add() { count.add(1, ordering: .relaxed) }
    var value: Int { count.load(ordering: .relaxed) }
  }

  @Test func `a tracked read costs one fetch, and the next update invalidates it once`() {
    let repository = Repository()
    let invalidations = track(repository)
    #expect(repository.fetches == 1)
    #expect(invalidations.value == 0)
    repository.refresh()
    repository.refresh()
    #expect(invalidations.value == 1)
    #expect(repository.fetches == 3)
  }

  @Test func `an update invalidates all readers of this retriever and of no other`() {
    let repository = Repository()
    let other = Repository()
    let readers = (0..<3).map { _ in track(repository) }
    let stranger = track(other)
    repository.refresh()
    #expect(readers.map(\.value) == [1, 1, 1])
    #expect(stranger.value == 0)
    // One fetch for each read and one for the update: invalidating is not fetching.
    #expect(repository.fetches == 4)
  }

  @Test func `reading again when invalidated gives the new value, before the update itself has fetched`() {
    let repository = Repository()
    nonisolated(unsafe) let shared = repository
    nonisolated(unsafe) var reread: [Int?] = []
    nonisolated(unsafe) var fetchesBefore = 0
    withObservationTracking {
      _ = repository.number
    } onChange: {
      fetchesBefore = shared.fetches
      reread.append(shared.number)
    }
    repository.change(to: 1)
    #expect(reread == [1])
    #expect(fetchesBefore == 1)
    #expect(repository.fetches == 3)
  }

  @Test func `an update of a retriever that was read outside of tracking invalidates nothing`() {
    let repository = Repository()
    _ = repository.number
    let invalidations = Tally()
    withObservationTracking {
    } onChange: {
      invalidations.add()
    }
    repository.refresh()
    #expect(invalidations.value == 0)
  }

  @Test func `a trigger invalidates as an update does`() {
    let repository = Repository()
    let trigger = PassthroughSubject<Void, Never>()
    repository.retriever.triggerUpdate(on: trigger)
    let invalidations = track(repository)
    trigger.send()
    #expect(invalidations.value == 1)
  }

  @Test @MainActor func `a sequence of observations yields a value for each update`() async {
    guard #available(macOS 26, iOS 26, tvOS 26, watchOS 26, visionOS 26, *) else { return }
    let repository = Repository()
    var seen: [Int?] = []
    for await number in Observations({ repository.number }) {
      seen.append(number)
      if seen.count == 3 { break }
      repository.change(to: seen.count)
    }
    #expect(seen == [0, 1, 2])
  }
}
