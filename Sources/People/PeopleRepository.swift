import Retrievers

/// The one place that knows where people come from.
///
/// It is used from one thread, here the main one.
final class PeopleRepository {
  /// Everybody, read from the source at each access.
  @Retriever var people: [Person]

  /// Everybody now, and again after every update.
  var peoplePublisher: AnyPublisher<[Person], Never> { $people }

  /// Makes a repository.
  ///
  /// A source that fails is reported once, and the people read last stay: that is the choice of this repository, the
  /// retriever itself stores nothing.
  ///
  /// - Parameters:
  ///   - read: The source.
  ///   - log: Told about each fetch before it starts.
  ///   - report: Told what is wrong with the source.
  init(
    read: @escaping () throws(PeopleFile.Problem) -> [Person],
    log: @escaping (RetrievalReason) -> Void = { _ in },
    report: @escaping (PeopleFile.Problem) -> Void = { _ in }
  ) {
    var last: [Person] = []
    var reported: PeopleFile.Problem?
    _people.toRetrieveDo {
      do throws(PeopleFile.Problem) {
        last = try read()
        reported = nil
      } catch {
        if error != reported { report(error) }
        reported = error
      }
      return last
    }
    _people.onRetrieve(log)
  }

  /// Fetches again for everybody who listens, each time the source has changed.
  func follow(_ changes: some Publisher<Void, Never>) {
    _people.triggerUpdate(on: changes)
  }
}
