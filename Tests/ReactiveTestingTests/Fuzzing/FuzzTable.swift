import Reactive
import ReactiveTesting

/// The operators of this package with their models.
extension OperatorFuzzer {
  static func ofAllOperators() -> OperatorFuzzer {
    var fuzzer = OperatorFuzzer()
    fuzzer.addMapping()
    fuzzer.addFiltering()
    fuzzer.addTaking()
    fuzzer.addReducing()
    fuzzer.addMatching()
    fuzzer.addDebugging()
    fuzzer.addRecovering()
    fuzzer.addJoining()
    fuzzer.addFlattening()
    fuzzer.addCombining()
    fuzzer.addSharing()
    fuzzer.addTimed()
    return fuzzer
  }

  /// Adds an operator without parameters.
  mutating func add<P: Publisher>(
    _ source: String, _ traits: FuzzedOperator.Traits, _ model: FuzzModel,
    _ build: @escaping (FuzzedOperator.Stream, FuzzBench) -> P
  ) where P.Output == FuzzValue, P.Failure == TestFailure {
    add(FuzzedOperator(source, traits, model: model, build: build))
  }

  /// Adds an operator without parameters of which nothing has to be known.
  mutating func add<P: Publisher>(
    _ source: String, _ model: FuzzModel, _ build: @escaping (FuzzedOperator.Stream, FuzzBench) -> P
  ) where P.Output == FuzzValue, P.Failure == TestFailure {
    add(source, [], model, build)
  }
}

extension Publisher {
  /// Gives errors the type that they have here anyway.
  func typed() -> Publishers.MapError<Self, TestFailure> {
    mapError { ($0 as any Error) as? TestFailure ?? TestFailure("\($0)") }
  }
}

extension Publisher where Output == [FuzzValue] {
  /// One number for each group.
  func digested(_ bench: FuzzBench) -> Publishers.Map<Self, FuzzValue> {
    map { bench.value(digest($0.map(\.value))) }
  }
}

/// One number that differs for different numbers, or when their order differs.
func digest(_ numbers: [Int]) -> Int { numbers.reduce(numbers.count) { ($0 &* 31 &+ $1) % 10_007 } }

/// Makes nothing, also of what cannot be.
func nothing<T>(_ value: T) -> FuzzValue? { nil }

/// The remainder that is not negative.
func rest(_ number: Int, _ divisor: Int) -> Int { (number % divisor + divisor) % divisor }

/// Refuses a fifth of the numbers.
func checked(_ number: Int) throws -> Int {
  guard rest(number, 5) != 3 else { throw TestFailure("\(number)") }
  return number
}

extension OperatorFuzzer {
  private mutating func addMapping() {
    add(".map { 3 * $0 }", .each { [3 &* $0] }) { up, b in up.map(b.track { $0.map { 3 &* $0 } }) }
    add(".map { 3 * $0 }.map { $0 + 1 }", .each { [3 &* $0 &+ 1] }) { up, b in
      up.map(b.track { $0.map { 3 &* $0 } }).map(b.track { $0.map { $0 &+ 1 } })
    }
    add(".tryMap(checked)", .mayFail, .tryEach { [try checked($0)] }) { up, b in
      up.tryMap(b.tryTrack { try $0.map(checked) }).typed()
    }
    add(
      ".mapError { TestFailure($0.name + \"!\") }",
      .machine((), value: { $2.send($1) }, failed: { _, failure, out in out.fail(TestFailure(failure.name + "!")) })
    ) { up, b in up.mapError(b.track { TestFailure($0.name + "!") }) }
    add(".map { $0 % 3 == 0 ? nil : $0 }.replaceNil(with: 7)", .each { [rest($0, 3) == 0 ? 7 : $0] }) { up, b in
      up.map(b.track { rest($0.value, 3) == 0 ? nil : $0 }).replaceNil(with: b.value(7))
    }
    add(
      ".scan(0, +)",
      .machine(
        0,
        value: { sum, value, out in
          sum &+= value
          out.send(sum)
        })
    ) { up, b in
      up.scan(b.value(0), b.track { sum, value in value.map { $0 &+ sum.value } })
    }
    add(
      ".tryScan(0) { $0 + checked($1) }", .mayFail,
      .machine(
        0,
        value: { sum, value, out in
          out.attempt {
            sum &+= try checked(value)
            $0.send(sum)
          }
        })
    ) { up, b in
      up.tryScan(b.value(0), b.tryTrack { sum, value in try value.map { try checked($0) &+ sum.value } }).typed()
    }
    add(".encode(encoder:).decode(type:decoder:)", .each { [rest($0, 1000)] }) { up, b in
      up.map { rest($0.value, 1000) }.encode(encoder: TextCoder()).decode(type: Int.self, decoder: TextCoder())
        .map { b.value($0) }.typed()
    }
  }

  private mutating func addFiltering() {
    add(".filter { $0 % 2 == 0 }", .each { rest($0, 2) == 0 ? [$0] : [] }) { up, b in
      up.filter(b.track { rest($0.value, 2) == 0 })
    }
    add(".filter { $0 % 2 == 0 }.filter { $0 % 3 == 0 }", .each { rest($0, 6) == 0 ? [$0] : [] }) { up, b in
      up.filter(b.track { rest($0.value, 2) == 0 }).filter(b.track { rest($0.value, 3) == 0 })
    }
    add(".tryFilter { checked($0) > 0 }", .mayFail, .tryEach { try checked($0) > 0 ? [$0] : [] }) { up, b in
      up.tryFilter(b.tryTrack { try checked($0.value) > 0 }).typed()
    }
    add(".compactMap { $0 % 3 == 0 ? nil : -$0 }", .each { rest($0, 3) == 0 ? [] : [0 &- $0] }) { up, b in
      up.compactMap(b.track { value in rest(value.value, 3) == 0 ? nil : value.map { 0 &- $0 } })
    }
    add(
      ".tryCompactMap { checked($0) % 2 == 0 ? $0 : nil }", .mayFail,
      .tryEach { rest(try checked($0), 2) == 0 ? [$0] : [] }
    ) { up, b in up.tryCompactMap(b.tryTrack { rest(try checked($0.value), 2) == 0 ? $0 : nil }).typed() }
    add(".removeDuplicates()", .withoutDuplicates { $0 == $1 }) { up, _ in up.removeDuplicates() }
    add(".removeDuplicates { $0 / 3 == $1 / 3 }", .withoutDuplicates { $0 / 3 == $1 / 3 }) { up, b in
      up.removeDuplicates(by: b.track { $0.value / 3 == $1.value / 3 })
    }
    add(".tryRemoveDuplicates { checked($1) == $0 }", .mayFail, .withoutDuplicates { try checked($1) == $0 }) { up, b in
      up.tryRemoveDuplicates(by: b.tryTrack { try checked($1.value) == $0.value }).typed()
    }
    add { choices in
      let count = choices.number(0...4)
      return FuzzedOperator(
        ".dropFirst(\(count))",
        model: .machine(count, value: { left, value, out in if left > 0 { left -= 1 } else { out.send(value) } })
      ) { up, _ in up.dropFirst(count) }
    }
    add(".drop { $0 < 4 }", .dropping { $0 < 4 }) { up, b in up.drop(while: b.track { $0.value < 4 }) }
    add(".tryDrop { checked($0) < 4 }", .mayFail, .dropping { try checked($0) < 4 }) { up, b in
      up.tryDrop(while: b.tryTrack { try checked($0.value) < 4 }).typed()
    }
    add(".ignoreOutput()", .each { _ in [] }) { up, _ in up.ignoreOutput().compactMap(nothing)
    }
  }

  private mutating func addTaking() {
    add { choices in
      let count = choices.number(0...5)
      return FuzzedOperator(".prefix(\(count))", model: .range(0..<count)) { up, _ in up.prefix(count) }
    }
    add(".prefix { $0 != 5 }", .taking { $0 != 5 }) { up, b in up.prefix(while: b.track { $0.value != 5 }) }
    add(".tryPrefix { checked($0) != 5 }", .mayFail, .taking { try checked($0) != 5 }) { up, b in
      up.tryPrefix(while: b.tryTrack { try checked($0.value) != 5 }).typed()
    }
    add { choices in
      let place = choices.number(0...4)
      return FuzzedOperator(".output(at: \(place))", model: .range(place..<place + 1)) { up, _ in up.output(at: place) }
    }
    add { choices in
      let range = choices.number(0...2)..<choices.number(3...6)
      return FuzzedOperator(".output(in: \(range))", model: .range(range)) { up, _ in up.output(in: range) }
    }
  }

  private mutating func addReducing() {
    add { choices in
      let count = choices.number(1...4)
      let model = FuzzModel.machine(
        [Int](),
        value: { group, value, out in
          group.append(value)
          if group.count == count {
            out.send(digest(group))
            group = []
          }
        },
        finished: { group, out in
          if !group.isEmpty { out.send(digest(group)) }
          out.finish()
        })
      return FuzzedOperator(".collect(\(count)).digested()", .keepsValues, model: model) { up, b in
        up.collect(count).digested(b)
      }
    }
    add(".collect().digested()", .keepsValues, .atEnd { [digest($0)] }) { up, b in up.collect().digested(b) }
    add(".count()", .keepsValues, .atEnd { [$0.count] }) { up, b in up.count().map { b.value($0) } }
    add(".reduce(1, +)", .keepsValues, .atEnd { [$0.reduce(1, &+)] }) { up, b in
      up.reduce(b.value(1), b.track { sum, value in value.map { $0 &+ sum.value } })
    }
    add(
      ".tryReduce(1) { $0 + checked($1) }", [.mayFail, .keepsValues],
      .machine(
        1, value: { sum, value, out in out.attempt { _ in sum &+= try checked(value) } },
        finished: { sum, out in
          out.send(sum)
          out.finish()
        })
    ) { up, b in
      up.tryReduce(b.value(1), b.tryTrack { sum, value in try value.map { try checked($0) &+ sum.value } }).typed()
    }
    add(".min()", .keepsValues, .atEnd { $0.min().map { [$0] } ?? [] }) { up, _ in up.min() }
    add(".max()", .keepsValues, .atEnd { $0.max().map { [$0] } ?? [] }) { up, _ in up.max() }
    add(".min(by: >)", .keepsValues, .atEnd { $0.max().map { [$0] } ?? [] }) { up, b in up.min(by: b.track { $0 > $1 })
    }
    add(".max(by: >)", .keepsValues, .atEnd { $0.min().map { [$0] } ?? [] }) { up, b in up.max(by: b.track { $0 > $1 })
    }
    add(".tryMin(by: <)", .keepsValues, .atEnd { $0.min().map { [$0] } ?? [] }) { up, b in
      up.tryMin(by: b.track { $0 < $1 }).typed()
    }
    add(".tryMax(by: <)", .keepsValues, .atEnd { $0.max().map { [$0] } ?? [] }) { up, b in
      up.tryMax(by: b.track { $0 < $1 }).typed()
    }
  }

  private mutating func addMatching() {
    add(".first()", .keepsValues, .range(0..<1)) { up, _ in up.first() }
    add(".first { $0 > 3 }", .keepsValues, .first { $0 > 3 }) { up, b in up.first(where: b.track { $0.value > 3 }) }
    add(".tryFirst { checked($0) > 3 }", [.mayFail, .keepsValues], .first { try checked($0) > 3 }) { up, b in
      up.tryFirst(where: b.tryTrack { try checked($0.value) > 3 }).typed()
    }
    add(".last()", .keepsValues, .atEnd { $0.suffix(1) }) { up, _ in up.last() }
    add(".last { $0 > 3 }", .keepsValues, .atEnd { $0.filter { $0 > 3 }.suffix(1) }) { up, b in
      up.last(where: b.track { $0.value > 3 })
    }
    add(".tryLast { $0 > 3 }", .keepsValues, .atEnd { $0.filter { $0 > 3 }.suffix(1) }) { up, b in
      up.tryLast(where: b.track { $0.value > 3 }).typed()
    }
    add(".contains(6)", .keepsValues, .deciding(0) { $0 == 6 ? 1 : nil }) { up, b in
      up.contains(b.value(6)).map { b.value($0 ? 1 : 0) }
    }
    add(".contains { $0 > 6 }", .keepsValues, .deciding(0) { $0 > 6 ? 1 : nil }) { up, b in
      up.contains(where: b.track { $0.value > 6 }).map { b.value($0 ? 1 : 0) }
    }
    add(".tryContains { checked($0) > 6 }", [.mayFail, .keepsValues], .deciding(0) { try checked($0) > 6 ? 1 : nil }) {
      up, b in
      up.tryContains(where: b.tryTrack { try checked($0.value) > 6 }).map { b.value($0 ? 1 : 0) }.typed()
    }
    add(".allSatisfy { $0 < 6 }", .keepsValues, .deciding(1) { $0 < 6 ? nil : 0 }) { up, b in
      up.allSatisfy(b.track { $0.value < 6 }).map { b.value($0 ? 1 : 0) }
    }
    add(".tryAllSatisfy { checked($0) < 6 }", [.mayFail, .keepsValues], .deciding(1) { try checked($0) < 6 ? nil : 0 })
    { up, b in
      up.tryAllSatisfy(b.tryTrack { try checked($0.value) < 6 }).map { b.value($0 ? 1 : 0) }.typed()
    }
  }

  private mutating func addDebugging() {
    add(".print()", .pass) { up, _ in up.print("fuzz", to: Silence()) }
    add(".handleEvents(receiveOutput:…)", .pass) { up, b in
      up.handleEvents(
        receiveSubscription: b.track { _ in }, receiveOutput: b.track { _ in }, receiveCompletion: b.track { _ in },
        receiveCancel: {}, receiveRequest: b.track { _ in })
    }
    add(".breakpoint(receiveOutput:…)", .pass) { up, b in
      up.breakpoint(receiveOutput: b.track { _ in false }, receiveCompletion: b.track { _ in false })
    }
    add(".strict()", .pass) { up, _ in up.strict { _ in } }
  }

  private mutating func addRecovering() {
    add(".replaceError(with: 8)", .keepsValues, .recovering { _ in [8] }) { up, b in
      up.replaceError(with: b.value(8)).setFailureType(to: TestFailure.self)
    }
    add(
      ".replaceEmpty(with: 8)",
      .keepsValues,
      .machine(
        true,
        value: { isEmpty, value, out in
          isEmpty = false
          out.send(value)
        },
        finished: { isEmpty, out in
          if isEmpty { out.send(8) }
          out.finish()
        })
    ) { up, b in up.replaceEmpty(with: b.value(8)) }
    add(".catch { _ in [5, 6].publisher }", .keepsValues, .recovering { _ in [5, 6] }) { up, b in
      up.catch(b.track { _ in [b.value(5), b.value(6)].publisher }).setFailureType(to: TestFailure.self)
    }
    add(".catch { Fail(error: $0) }", .pass) { up, b in
      up.catch(b.track { Fail<FuzzValue, TestFailure>(error: $0) })
    }
    add(".tryCatch { _ in [5].publisher }", .keepsValues, .recovering { _ in [5] }) { up, b in
      up.tryCatch(b.track { _ in [b.value(5)].publisher.setFailureType(to: TestFailure.self) }).typed()
    }
    add(".tryCatch { throw $0 }", .pass) { up, b in
      up.tryCatch(b.tryTrack { failure throws -> Just<FuzzValue> in throw failure }).typed()
    }
    add(".catch { _ in Empty() }.assertNoFailure()", .recovering { _ in [] }) { up, b in
      up.catch(b.track { _ in Empty<FuzzValue, TestFailure>() }).assertNoFailure().setFailureType(to: TestFailure.self)
    }
    add { choices in
      let retries = choices.number(0...2)
      let model = FuzzModel.trace { inputs, start in
        var out = FuzzTrace(at: start)
        var (from, left) = (start, retries)
        while true {
          let attempt = inputs.upstream(from)
          guard left > 0, case (let moment, .end(.failure))? = attempt.events.last else {
            out.append(attempt.events)
            return out
          }
          out.append(attempt.events.dropLast())
          left -= 1
          from = moment
        }
      }
      return FuzzedOperator(".retry(\(retries))", .resubscribes, model: model) { up, _ in up.retry(retries) }
    }
  }

  private mutating func addJoining() {
    add(
      ".append(1, 2)",
      .keepsValues,
      .machine(
        (), value: { $2.send($1) },
        finished: {
          $1.send([1, 2])
          $1.finish()
        })
    ) { up, b in
      up.append(b.value(1), b.value(2))
    }
    add(
      ".append(Fail())", [.mayFail, .keepsValues],
      .machine((), value: { $2.send($1) }, finished: { $1.fail(TestFailure("append")) })
    ) {
      up, _ in
      up.append(Fail(error: TestFailure("append")))
    }
    add(
      ".prepend(1, 2)", [.subscribesLate, .keepsValues],
      .machine((), start: { $1.send([1, 2]) }, value: { $2.send($1) })
    ) { up, b in
      up.prepend(b.value(1), b.value(2))
    }
    add(
      ".prepend([1, 2].publisher)", [.subscribesLate, .keepsValues],
      .machine((), start: { $1.send([1, 2]) }, value: { $2.send($1) })
    ) { up, b in up.prepend([b.value(1), b.value(2)].publisher.setFailureType(to: TestFailure.self)) }
    add(".buffer(size: 1000, prefetch: .keepFull, whenFull: .dropNewest)", [.losesOnFailure, .asksForFew], .pass) {
      up, _ in
      up.buffer(size: 1000, prefetch: .keepFull, whenFull: .dropNewest)
    }
    add(".buffer(size: 1000, prefetch: .byRequest, whenFull: .dropOldest)", .losesOnFailure, .pass) {
      up, _ in
      up.buffer(size: 1000, prefetch: .byRequest, whenFull: .dropOldest)
    }
  }

  private mutating func addFlattening() {
    func inner(_ value: FuzzValue) -> [FuzzValue] { (0..<rest(value.value, 3)).map { i in value.map { $0 &+ i } } }
    let model = FuzzModel.each { number in (0..<rest(number, 3)).map { number &+ $0 } }
    add(".flatMap(maxPublishers: .max(1)) { inner($0).publisher }", [.losesOnFailure, .asksForFew], model) { up, b in
      up.flatMap(maxPublishers: .max(1), b.track { inner($0).publisher.setFailureType(to: TestFailure.self) })
    }
    add { choices in
      let most = choices.number(2...4)
      return FuzzedOperator(
        ".flatMap(maxPublishers: .max(\(most))) { inner($0).publisher }",
        [.needsUnlimited, .losesOnFailure, .asksForFew], model: model
      ) { up, b in
        up.flatMap(maxPublishers: .max(most), b.track { inner($0).publisher.setFailureType(to: TestFailure.self) })
      }
    }
    add(
      ".flatMap { Result { try checked($0) }.publisher }", [.needsUnlimited, .losesOnFailure, .mayFail],
      .tryEach { [try checked($0)] }
    ) { up, b in up.flatMap(b.track { value in Result { try value.map(checked) }.publisher.typed() }) }
    add(".map { inner($0).publisher }.switchToLatest()", [.needsUnlimited, .losesOnFailure], model) { up, b in
      up.map(b.track { inner($0).publisher }).switchToLatest()
    }
  }

  private mutating func addCombining() {
    let traits: FuzzedOperator.Traits = [.hasOther, .needsUnlimited, .losesOnFailure]
    let merging = FuzzModel.pair(2) { open, _, event, out in
      if case .end(.finished) = event { open -= 1 }
      if event != .end(.finished) || open == 0 { out.add(event) }
    }
    add(".merge(with: other)", traits, merging) { up, b in up.merge(with: b.other) }
    add(".merge(with: Empty(), other)", traits, merging) { up, b in up.merge(with: Empty(), b.other) }
    add("MergeMany(other, self)", traits, merging) { up, b in Publishers.MergeMany(b.other, up) }
    add(".zip(other).digested()", [.hasOther, .pairs], .zipping()) { up, b in
      up.zip(b.other).map { b.value(digest([$0.value, $1.value])) }
    }
    add("other.zip(self).digested()", [.hasOther, .pairs], .zipping(isReversed: true)) { up, b in
      b.other.zip(up, b.track { b.value(digest([$0.value, $1.value])) })
    }
    add(
      ".zip(0...)",
      .pairs,
      .machine(
        0,
        value: { place, value, out in
          out.send(value &+ place)
          place += 1
        })
    ) { up, b in
      up.zip((0..<10_000).publisher.setFailureType(to: TestFailure.self)) { value, place in value.map { $0 &+ place } }
    }
    add(".zip([1, 2].publisher)", .pairs, .range(0..<2)) { up, b in
      up.zip([1, 2].publisher.setFailureType(to: TestFailure.self)).map(b.track { $0.0 })
    }
    add(".combineLatest(other).digested()", traits, .combining()) { up, b in
      up.combineLatest(b.other).map { b.value(digest([$0.value, $1.value])) }
    }
    add("other.combineLatest(self).digested()", traits, .combining(isReversed: true)) { up, b in
      b.other.combineLatest(up).map { b.value(digest([$0.value, $1.value])) }
    }
    add(
      ".prefix(untilOutputFrom: other)", traits,
      .pair(()) { _, side, event, out in
        if side == 0 { out.add(event) } else if case .value = event { out.finish() }
      }
    ) { up, b in up.prefix(untilOutputFrom: b.other) }
    add(
      ".drop(untilOutputFrom: other)", traits,
      .pair(false) { isOpen, side, event, out in
        switch (side, event) {
        case (0, .value): if isOpen { out.add(event) }
        case (1, .value): isOpen = true
        case (1, _) where isOpen: break
        default: out.add(event)
        }
      }
    ) { up, b in up.drop(untilOutputFrom: b.other) }
  }

  private mutating func addSharing() {
    let traits: FuzzedOperator.Traits = [.needsUnlimited, .remembers]
    add(".share()", traits, .pass) { up, _ in up.share() }
    add(".multicast { PassthroughSubject() }.autoconnect()", traits, .pass) { up, b in
      up.multicast { PassthroughSubject<FuzzValue, TestFailure>() }.autoconnect()
    }
    add(
      ".multicast { CurrentValueSubject(4) }.autoconnect()", traits,
      .machine((), start: { $1.send(4) }, value: { $2.send($1) })
    ) { up, b in
      up.multicast { CurrentValueSubject<FuzzValue, TestFailure>(b.value(4)) }.autoconnect()
    }
    add(".catch { _ in Empty() }.makeConnectable().autoconnect()", traits, .recovering { _ in [] }) { up, b in
      up.catch(b.track { _ in Empty<FuzzValue, Never>() }).makeConnectable().autoconnect()
        .setFailureType(to: TestFailure.self)
    }
  }
}

extension FuzzModel {
  static func withoutDuplicates(_ areEqual: @escaping (Int, Int) throws -> Bool) -> FuzzModel {
    .machine(
      Int?.none,
      value: { last, value, out in
        out.attempt { out in
          if let last, try areEqual(last, value) { return }
          last = value
          out.send(value)
        }
      })
  }

  static func dropping(_ predicate: @escaping (Int) throws -> Bool) -> FuzzModel {
    .machine(
      true,
      value: { isDropping, value, out in
        out.attempt { out in
          isDropping = try isDropping && predicate(value)
          if !isDropping { out.send(value) }
        }
      })
  }

  static func taking(_ predicate: @escaping (Int) throws -> Bool) -> FuzzModel {
    .machine((), value: { _, value, out in out.attempt { try predicate(value) ? $0.send(value) : $0.finish() } })
  }

  static func first(_ predicate: @escaping (Int) throws -> Bool) -> FuzzModel {
    .machine(
      (),
      value: { _, value, out in
        out.attempt { out in
          guard try predicate(value) else { return }
          out.send(value)
          out.finish()
        }
      })
  }

  /// One answer: as soon as a value decides it, or at the end.
  static func deciding(_ undecided: Int, _ decide: @escaping (Int) throws -> Int?) -> FuzzModel {
    .machine(
      (),
      value: { _, value, out in
        out.attempt { out in
          guard let answer = try decide(value) else { return }
          out.send(answer)
          out.finish()
        }
      },
      finished: { _, out in
        out.send(undecided)
        out.finish()
      })
  }

  /// The values with these places.
  static func range(_ range: Range<Int>) -> FuzzModel {
    .machine(
      0, start: { _, out in if range.isEmpty { out.finish() } },
      value: { place, value, out in
        if range.contains(place) { out.send(value) }
        place += 1
        if place == range.upperBound { out.finish() }
      })
  }

  static func recovering(_ replacement: @escaping (TestFailure) -> [Int]) -> FuzzModel {
    .machine(
      (), value: { $2.send($1) },
      failed: { _, failure, out in
        out.send(replacement(failure))
        out.finish()
      })
  }

  static func zipping(isReversed: Bool = false) -> FuzzModel {
    .pair((queues: [[Int](), []], hasEnded: [false, false])) { state, side, event, out in
      switch event {
      case .value(let value): state.queues[side].append(value)
      case .end(.finished): state.hasEnded[side] = true
      case .end: out.add(event)
      }
      if !state.queues[0].isEmpty, !state.queues[1].isEmpty {
        let pair = [state.queues[0].removeFirst(), state.queues[1].removeFirst()]
        out.send(digest(isReversed ? pair.reversed() : pair))
      }
      for side in 0...1 where state.hasEnded[side] && state.queues[side].isEmpty { out.finish() }
    }
  }

  static func combining(isReversed: Bool = false) -> FuzzModel {
    .pair((latest: [Int?](repeating: nil, count: 2), open: 2)) { state, side, event, out in
      switch event {
      case .value(let value):
        state.latest[side] = value
        guard let first = state.latest[0], let second = state.latest[1] else { return }
        out.send(digest(isReversed ? [second, first] : [first, second]))
      case .end(.finished):
        state.open -= 1
        if state.open == 0 || state.latest[side] == nil { out.finish() }
      case .end: out.add(event)
      }
    }
  }
}
