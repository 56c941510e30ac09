import Foundation
import Reactive
import Testing

@Suite struct DemandTests {
  typealias Demand = Subscribers.Demand

  @Test func `sums saturate and unlimited absorbs`() {
    #expect(Demand.max(2) + .max(3) == .max(5))
    #expect(Demand.max(.max) + .max(1) == .unlimited)
    #expect(Demand.max(.max) + 0 == .max(.max))
    #expect(Demand.unlimited + .unlimited == .unlimited)
    #expect(Demand.unlimited + .max(1) == .unlimited && Demand.max(1) + .unlimited == .unlimited)
    #expect(Demand.max(5) + -3 == .max(2))
    #expect(Demand.unlimited + -3 == .unlimited)
    var demand = Demand.none
    demand += 3
    demand += .max(4)
    #expect(demand == 7)
    demand += .unlimited
    demand += 1
    #expect(demand == .unlimited)
  }

  @Test func `differences end at none and leave unlimited alone`() {
    #expect(Demand.max(5) - .max(3) == .max(2))
    #expect(Demand.max(1) - .max(2) == .none)
    #expect(Demand.max(1) - 2 == .none)
    #expect(Demand.max(5) - -3 == .max(8))
    #expect(Demand.max(5) - Int.min == .none)
    #expect(Demand.unlimited - .unlimited == .unlimited)
    #expect(Demand.unlimited - .max(1) == .unlimited)
    #expect(Demand.max(1) - .unlimited == .none)
    var demand = Demand.max(9)
    demand -= 4
    demand -= .max(2)
    #expect(demand == 3)
  }

  @Test func `products saturate and leave unlimited alone`() {
    #expect(Demand.max(2) * 3 == .max(6))
    #expect(Demand.max(.max) * 2 == .unlimited)
    #expect(Demand.unlimited * 0 == .unlimited && Demand.unlimited * -1 == .unlimited)
    var demand = Demand.max(2)
    demand *= 5
    #expect(demand == 10)
  }

  @Test func `unlimited is larger than everything but itself`() {
    #expect(Demand.unlimited > .max(.max) && Demand.unlimited > Int.max && Int.max < Demand.unlimited)
    #expect(!(Demand.unlimited < .unlimited) && Demand.unlimited <= .unlimited && Demand.unlimited >= .unlimited)
    #expect(
      Demand.max(1) < .max(2) && Demand.max(2) > 1 && 1 < Demand.max(2) && Demand.max(2) >= 2 && 2 <= Demand.max(2))
    #expect(!(Demand.unlimited == Int.max) && Demand.unlimited != Int.max && 3 == Demand.max(3) && 4 != Demand.max(3))
    #expect(Demand.max(2) <= 2 && 3 >= Demand.max(2) && 3 > Demand.max(2))
    #expect(Demand.none == .max(0) && Demand.unlimited.max == nil && Demand.max(3).max == 3)
  }

  @Test func `describes itself`() {
    #expect(Demand.unlimited.description == "unlimited")
    #expect(Demand.none.description == "max(0)" && Demand.max(3).description == "max(3)")
  }

  @Test func `is coded as one number, and a larger one is unlimited`() throws {
    for demand in [Demand.none, .max(7), .max(.max), .unlimited] {
      let data = try JSONEncoder().encode([demand])
      #expect(try JSONDecoder().decode([Demand].self, from: data) == [demand])
    }
    #expect(try JSONDecoder().decode([Demand].self, from: Data("[18446744073709551615]".utf8)) == [.unlimited])
    #expect(throws: (any Error).self) { try JSONDecoder().decode([Demand].self, from: Data("[-1]".utf8)) }
  }

  @Test func `a negative demand traps where it is built`() async {
    await #expect(processExitsWith: .failure) { _ = Subscribers.Demand.max(-1) }
    await #expect(processExitsWith: .failure) { _ = Subscribers.Demand.max(1) + -2 }
    await #expect(processExitsWith: .failure) { _ = Subscribers.Demand.max(1) * -1 }
  }
}

@Suite struct CompletionTests {
  struct Oops: Error, Hashable, Codable {
    let code: Int
  }

  @Test func `is coded with its error`() throws {
    typealias Completion = Subscribers.Completion<Oops>
    for completion in [Completion.finished, .failure(Oops(code: 3))] {
      let data = try JSONEncoder().encode(completion)
      #expect(try JSONDecoder().decode(Completion.self, from: data) == completion)
    }
    let json = String(decoding: try JSONEncoder().encode(Completion.finished), as: UTF8.self)
    #expect(json == #"{"success":true}"#)
  }
}

@Suite struct CombineIdentifierTests {
  @Test func `numbers differ, objects keep theirs`() {
    #expect(CombineIdentifier() != CombineIdentifier())
    let object = PassthroughSubject<Int, Never>()
    #expect(CombineIdentifier(object) == CombineIdentifier(object))
    #expect(CombineIdentifier().description.hasPrefix("0x"))
  }
}

@Suite struct ImmediateSchedulerTests {
  @Test func `everything runs at once, a repetition once`() {
    let scheduler = ImmediateScheduler.shared
    var runs = 0
    scheduler.schedule { runs += 1 }
    scheduler.schedule(after: scheduler.now.advanced(by: 100)) { runs += 1 }
    scheduler.schedule(after: scheduler.now, interval: 1) { runs += 1 }.cancel()
    #expect(runs == 3)
    #expect(scheduler.now.distance(to: scheduler.now) == 0 && scheduler.minimumTolerance == 0)
  }

  @Test func `strides count but units mean nothing`() {
    typealias Stride = ImmediateScheduler.SchedulerTimeType.Stride
    #expect(Stride.seconds(5) == 0 && Stride.milliseconds(5) == 0 && Stride.seconds(5.5) == 0)
    #expect(Stride(3) * 4 == 12 && (2.9 as Stride) == 2 && Stride(5) - 7 == -2)
    #expect(Stride(exactly: UInt64.max) == nil && Stride(exactly: 3)?.magnitude == 3)
    #expect((Stride(floatLiteral: .infinity)).magnitude == .max)
  }

  @Test func `a stride beyond the largest one becomes the largest, and the smallest likewise`() {
    typealias Stride = ImmediateScheduler.SchedulerTimeType.Stride
    let (largest, smallest) = (Stride(.max), Stride(.min))
    #expect(largest + 1 == largest && smallest - 1 == smallest && smallest * -1 == largest && -smallest == largest)
    #expect(largest * largest == largest && largest * smallest == smallest && largest - smallest == largest)
    var stride = largest
    stride += 1
    #expect(stride == largest)
    stride *= 2
    #expect(stride == largest)
    stride -= 1
    #expect(stride.magnitude == .max - 1)
  }
}
