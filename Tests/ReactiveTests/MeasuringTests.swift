import Reactive
import Testing

@Suite struct MeasuringTests {
  /// Whole seconds.
  private struct Seconds: SignedNumeric, Comparable, SchedulerTimeIntervalConvertible {
    var magnitude: Int
    init(_ number: Int) { magnitude = number }
    init(integerLiteral number: Int) { magnitude = number }
    init?<T: BinaryInteger>(exactly number: T) { magnitude = Int(number) }
    static func < (lhs: Self, rhs: Self) -> Bool { lhs.magnitude < rhs.magnitude }
    static func + (lhs: Self, rhs: Self) -> Self { Self(lhs.magnitude + rhs.magnitude) }
    static func - (lhs: Self, rhs: Self) -> Self { Self(lhs.magnitude - rhs.magnitude) }
    static func * (lhs: Self, rhs: Self) -> Self { Self(lhs.magnitude * rhs.magnitude) }
    static func *= (lhs: inout Self, rhs: Self) { lhs = lhs * rhs }
    static func seconds(_ s: Int) -> Self { Self(s) }
    static func seconds(_ s: Double) -> Self { Self(Int(s)) }
    static func milliseconds(_ ms: Int) -> Self { Self(ms / 1000) }
    static func microseconds(_ us: Int) -> Self { Self(us / 1_000_000) }
    static func nanoseconds(_ ns: Int) -> Self { Self(ns / 1_000_000_000) }
  }

  private struct Time: Strideable {
    var seconds: Seconds
    func distance(to other: Time) -> Seconds { other.seconds - seconds }
    func advanced(by interval: Seconds) -> Time { Time(seconds: seconds + interval) }
  }

  /// A clock that the test sets, and that schedules nothing.
  private final class HandClock: Scheduler {
    var now = Time(seconds: 100)
    var minimumTolerance: Seconds { 0 }
    func schedule(options: Never?, _ action: @escaping () -> Void) {}
    func schedule(after date: Time, tolerance: Seconds, options: Never?, _ action: @escaping () -> Void) {}
    func schedule(
      after date: Time, interval: Seconds, tolerance: Seconds, options: Never?, _ action: @escaping () -> Void
    ) -> any Cancellable {
      AnyCancellable {}
    }
  }

  @Test func `each value becomes the time since the one before, the first since the subscription`() {
    let clock = HandClock()
    let (upstream, recorder) = attach { $0.measureInterval(using: clock) }
    for (value, pause) in [3, 0, 7].enumerated() {
      clock.now = clock.now.advanced(by: Seconds(pause))
      upstream.send(value)
    }
    #expect(recorder.values == [3, 0, 7])
  }

  @Test func `each subscriber is measured from its own subscription`() {
    let clock = HandClock()
    let subject = PassthroughSubject<Int, Never>()
    let intervals = subject.measureInterval(using: clock)
    let (first, second) = (Recorder<Seconds, Never>(), Recorder<Seconds, Never>())
    intervals.subscribe(first)
    clock.now = clock.now.advanced(by: 5)
    intervals.subscribe(second)
    clock.now = clock.now.advanced(by: 1)
    subject.send(0)
    #expect(first.values == [6] && second.values == [1])
  }

  @Test func `demand that downstream returns passes as demand`() {
    let (upstream, _) = attach({ $0.measureInterval(using: HandClock()) }, demand: .max(1), react: { _, _ in .max(4) })
    #expect(upstream.send(1) == .max(4))
    #expect(upstream.calls == [.request(.max(1))])
  }

  @Test func `a misbehaving upstream breaks no law`() {
    #expect(breaches("MeasureInterval") { $0.measureInterval(using: HandClock()) } == [])
  }
}
