internal import Synchronization

/// Something that one thread says once and that others may ask.
public final class Flag: Sendable, CustomStringConvertible {
  private let value = Atomic<Bool>(false)

  /// Makes a flag that is not set.
  public init() {}

  /// Whether it has been set.
  public var isSet: Bool { value.load(ordering: .sequentiallyConsistent) }

  /// Sets it, for ever.
  public func set() {
    value.store(true, ordering: .sequentiallyConsistent)
  }

  /// Whether it has been set.
  public var description: String { "\(isSet)" }
}
