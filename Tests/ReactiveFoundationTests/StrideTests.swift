import Foundation
import Reactive
import ReactiveFoundation
import ReactiveTesting
import Testing

@Suite struct DispatchStrideTests {
  typealias Time = DispatchQueue.SchedulerTimeType
  typealias Stride = Time.Stride

  /// Numbers at the edges of what fits, and random ones of every size.
  static let numbers: [Int] = {
    var random = SeededGenerator(seed: 72)
    let edges = [0, 1, -1, 999_999_999, 1_000_000_000, .max, .max - 1, .min, .min + 1, .max / 1_000_000_000]
    return edges + (0..<60).map { _ in Int(truncatingIfNeeded: random.next()) >> (random.next() % 64) }
  }()

  @Test func `units are nanoseconds, and what does not fit is the nearest that does`() {
    for number in Self.numbers {
      func clamped(_ unit: Int128) -> Int { Int(clamping: Int128(number) * unit) }
      #expect(Stride.seconds(number).magnitude == clamped(1_000_000_000))
      #expect(Stride.milliseconds(number).magnitude == clamped(1_000_000))
      #expect(Stride.microseconds(number).magnitude == clamped(1_000))
      #expect(Stride.nanoseconds(number).magnitude == number)
      #expect(Stride(integerLiteral: number) == .seconds(number))
      #expect(Stride(DispatchTimeInterval.seconds(number)) == .seconds(number))
      #expect(Stride(DispatchTimeInterval.milliseconds(number)) == .milliseconds(number))
      #expect(Stride(DispatchTimeInterval.microseconds(number)) == .microseconds(number))
      #expect(Stride(DispatchTimeInterval.nanoseconds(number)) == .nanoseconds(number))
    }
  }

  @Test func `arithmetic is that of wide numbers, made to fit`() {
    for left in Self.numbers {
      for right in Self.numbers {
        let (a, b) = (Stride.nanoseconds(left), Stride.nanoseconds(right))
        #expect((a + b).magnitude == Int(clamping: Int128(left) + Int128(right)))
        #expect((a - b).magnitude == Int(clamping: Int128(left) - Int128(right)))
        #expect((a * b).magnitude == Int(clamping: Int128(left) * Int128(right) / 1_000_000_000))
        #expect((a < b) == (left < right))
      }
    }
  }

  @Test func `assigning operators do what the others do`() {
    for left in Self.numbers {
      let right = Stride.milliseconds(1_500)
      var (sum, difference, product) = (Stride.nanoseconds(left), Stride.nanoseconds(left), Stride.nanoseconds(left))
      sum += right
      difference -= right
      product *= right
      #expect(sum == .nanoseconds(left) + right)
      #expect(difference == .nanoseconds(left) - right)
      #expect(product == .nanoseconds(left) * right)
      #expect(-Stride.nanoseconds(left) == .nanoseconds(0) - .nanoseconds(left))
    }
  }

  @Test func `literals are seconds, and one of them changes nothing when multiplied`() {
    #expect((1 as Stride) == .milliseconds(1_000))
    #expect((0.5 as Stride) == .milliseconds(500))
    #expect(2 * .milliseconds(500) == (1 as Stride))
    for number in Self.numbers { #expect(1 * Stride.nanoseconds(number) == .nanoseconds(number)) }
  }

  @Test(
    arguments: [
      (2.0, 2_000_000_000), (0.29, 290_000_000), (-1.5, -1_500_000_000), (.infinity, .max), (-.infinity, .min),
      (1e300, .max),
      (.nan, 0), (9_223_372_036.854_775_807, .max), (1e-300, 0),
    ] as [(Double, Int)])
  func `seconds with a fraction are whole nanoseconds`(seconds: Double, nanoseconds: Int) {
    #expect(Stride.seconds(seconds).magnitude == nanoseconds)
    #expect(Stride(floatLiteral: seconds).magnitude == nanoseconds)
  }

  @Test func `an integer that does not fit as seconds makes no stride`() {
    #expect(Stride(exactly: UInt8(3)) == .seconds(3))
    #expect(Stride(exactly: Int.max) == nil)
    #expect(Stride(exactly: UInt64.max) == nil)
  }

  @Test func `never is longer than everything, and the interval is the same length`() {
    #expect(Stride(.never).magnitude == .max)
    #expect(Stride.milliseconds(3).timeInterval == .nanoseconds(3_000_000))
  }

  @Test func `a time is as far from another as the way back says`() {
    let a = DispatchQueue.global().now
    #expect(a.distance(to: a.advanced(by: .seconds(5))) == .seconds(5))
    for number in Self.numbers where abs(number / 2) < 1 << 60 {
      let b = a.advanced(by: .nanoseconds(number / 4))
      #expect(a.advanced(by: a.distance(to: b)) == b)
      #expect((a < b) == (a.distance(to: b) > 0))
    }
  }

  @Test func `times stop at both ends`() {
    let now = DispatchQueue.global().now
    #expect(now.advanced(by: .seconds(.max)).dispatchTime == .distantFuture)
    #expect(now.advanced(by: .nanoseconds(.max - 1)).dispatchTime == .distantFuture)
    #expect(Time(.distantFuture).advanced(by: .seconds(-5)).dispatchTime == .distantFuture)
    #expect(now.distance(to: Time(.distantFuture)).magnitude == .max)
    #expect(Time(.distantFuture).distance(to: now).magnitude == .min)
    #expect(now.advanced(by: .nanoseconds(.min)).dispatchTime.uptimeNanoseconds == 1)
  }

  @Test func `times and strides survive coding, and equal ones hash alike`() throws {
    let now = DispatchQueue.global().now
    let data = try JSONEncoder().encode([now])
    #expect(String(decoding: data, as: UTF8.self) == "[\(now.dispatchTime.uptimeNanoseconds)]")
    #expect(try JSONDecoder().decode([Time].self, from: data) == [now])
    let stride = Stride.milliseconds(1_234)
    #expect(try JSONDecoder().decode(Stride.self, from: JSONEncoder().encode(stride)) == stride)
    #expect(Set([now, Time(now.dispatchTime), now.advanced(by: 1)]).count == 2)
    #expect(Set([stride, .microseconds(1_234_000)]).count == 1)
  }
}

@Suite struct DateStrideTests {
  typealias Time = RunLoop.SchedulerTimeType
  typealias Stride = Time.Stride

  @Test func `units are seconds`() {
    for number in DispatchStrideTests.numbers {
      let seconds = Double(number)
      #expect(Stride.seconds(number).timeInterval == seconds)
      #expect(Stride.seconds(seconds).timeInterval == seconds)
      #expect(Stride.milliseconds(number).timeInterval == seconds / 1e3)
      #expect(Stride.microseconds(number).timeInterval == seconds / 1e6)
      #expect(Stride.nanoseconds(number).timeInterval == seconds / 1e9)
      #expect(Stride(seconds).magnitude == seconds)
    }
    #expect(Stride.seconds(1) == .milliseconds(1_000))
    #expect((0.25 as Stride) == .milliseconds(250))
    #expect((3 as Stride) == .seconds(3))
  }

  @Test func `arithmetic is that of seconds`() {
    for left in DispatchStrideTests.numbers {
      for right in DispatchStrideTests.numbers {
        let (x, y) = (Double(left), Double(right))
        let (a, b) = (Stride(x), Stride(y))
        var (sum, difference, product) = (a, a, a)
        sum += b
        difference -= b
        product *= b
        #expect(a + b == Stride(x + y))
        #expect(a - b == Stride(x - y))
        #expect(a * b == Stride(x * y))
        #expect([sum, difference, product] == [a + b, a - b, a * b])
        #expect((a < b) == (x < y))
      }
    }
    #expect(2 * .milliseconds(500) == (1 as Stride))
  }

  @Test func `an integer that a floating-point number cannot express makes no stride`() {
    #expect(Stride(exactly: 3) == .seconds(3))
    #expect(Stride(exactly: Int.max) == nil)
  }

  @Test func `a time is as far from another as the way back says`() {
    let now = Date()
    let a = Time(now)
    #expect(a.distance(to: a.advanced(by: .seconds(5))) == .seconds(5))
    let b = OperationQueue.SchedulerTimeType(now)
    #expect(b.distance(to: b.advanced(by: .seconds(5))) == .seconds(5))
    for number in DispatchStrideTests.numbers {
      let other = a.advanced(by: .seconds(Double(number) * 1e-12))
      #expect(a.advanced(by: a.distance(to: other)) == other)
      #expect((a < other) == (a.distance(to: other) > 0))
    }
  }

  @Test func `endless strides lead to endless dates`() {
    let now = Time(Date())
    #expect(now.advanced(by: .seconds(.infinity)).date.timeIntervalSinceReferenceDate == .infinity)
    #expect(now.advanced(by: .seconds(Int.max)) > now)
    #expect(Stride.seconds(.infinity) > .seconds(Int.max))
  }

  @Test func `times and strides survive coding, and equal ones hash alike`() throws {
    let now = Time(Date())
    #expect(try JSONDecoder().decode(Time.self, from: JSONEncoder().encode(now)) == now)
    #expect(try JSONDecoder().decode(Stride.self, from: JSONEncoder().encode(Stride(1.5))) == 1.5)
    #expect(Set([now, Time(now.date), now.advanced(by: 1)]).count == 2)
  }

  @Test func `each scheduler has times and strides of its own, which can be extended`() {
    #expect(RunLoop.SchedulerTimeType.Stride.minutes(2) == .seconds(120))
    #expect(OperationQueue.SchedulerTimeType.Stride.minutes(2) == .seconds(60))
    let (a, b) = (RunLoop.main.now, OperationQueue.main.now)
    #expect(a.distance(to: RunLoop.main.now) >= 0 && b.distance(to: OperationQueue.main.now) >= 0)
    #expect(type(of: a) as Any.Type != type(of: b))
  }
}

extension RunLoop.SchedulerTimeType.Stride {
  fileprivate static func minutes(_ count: Int) -> Self { .seconds(60 * count) }
}

extension OperationQueue.SchedulerTimeType.Stride {
  // Another one than a run loop's, to show that they are two.
  fileprivate static func minutes(_ count: Int) -> Self { .seconds(30 * count) }
}
