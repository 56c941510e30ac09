/// A stage that calls a function with each value, and goes by its answer.
///
/// The meaning of the answer is a type, so that the stage consists of nothing but the function.
@usableFromInline
struct Applying<Function: StageFunction, Meaning: AnswerMeaning>: Stage
where Meaning.Input == Function.Input, Meaning.Answer == Function.Output {
  @usableFromInline typealias Rule = Function.Rule
  @inlinable var name: String { Meaning.name }
  @inlinable var isTwin: Bool { Rule.tries && Meaning.hasTwin }
  @inlinable var isTransparent: Bool { Meaning.isTransparent }

  @usableFromInline let function: Function

  @inlinable
  init(_ function: Function) {
    self.function = function
  }

  @inlinable @inline(__always)
  func receive(_ input: Function.Input) throws(Rule.Thrown) -> Step<Meaning.Output> {
    Meaning.step(for: input, try function(input))
  }
}

/// What the answer of a function about a value means for the stream.
@usableFromInline
protocol AnswerMeaning {
  associatedtype Input
  associatedtype Answer
  associatedtype Output

  /// How the operator describes itself; see `OperatorLogic`.
  static var name: String { get }
  /// Whether the operator that throws is the `try` twin of another one.
  static var hasTwin: Bool { get }
  /// Whether the operator's subscription describes itself like upstream's; see `Stage`.
  static var isTransparent: Bool { get }

  /// What becomes of a value, given the answer about it.
  static func step(for input: Input, _ answer: Answer) -> Step<Output>
}

extension AnswerMeaning {
  @inlinable static var hasTwin: Bool { true }
  @inlinable static var isTransparent: Bool { true }
}

/// The answer is what is published.
@usableFromInline
protocol Conversion: AnswerMeaning where Answer == Output {}

extension Conversion {
  @inlinable @inline(__always)
  static func step(for input: Input, _ answer: Output) -> Step<Output> { .emit(answer) }
}
