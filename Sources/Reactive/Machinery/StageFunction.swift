/// A closure of the user's together with its failure rule: what makes an operator the plain one or the `try` twin.
///
/// A closure is kept in the type in which it came. Converted to `throws(Rule.Thrown)` it would be called through a
/// thunk for each value, which costs more than the stage does.
@usableFromInline
package protocol StageFunction {
  /// What it is called with; a tuple when there are two arguments.
  associatedtype Input
  associatedtype Output
  associatedtype Rule: ConvertingFailureRule

  func callAsFunction(_ input: Input) throws(Rule.Thrown) -> Output
}

/// A closure that throws nothing.
@frozen
@usableFromInline
package struct PlainFunction<Input, Output, Failure: Error>: StageFunction {
  @usableFromInline package typealias Rule = Keeping<Failure>
  @usableFromInline let closure: (Input) -> Output

  @inlinable
  package init(_ closure: @escaping (Input) -> Output) {
    self.closure = closure
  }

  @inlinable @inline(__always)
  package func callAsFunction(_ input: Input) -> Output { closure(input) }
}

/// A closure that may throw.
@frozen
@usableFromInline
package struct ThrowingFunction<Input, Output, Failure: Error>: StageFunction {
  @usableFromInline package typealias Rule = Erasing<Failure>
  @usableFromInline let closure: (Input) throws -> Output

  @inlinable
  package init(_ closure: @escaping (Input) throws -> Output) {
    self.closure = closure
  }

  @inlinable @inline(__always)
  package func callAsFunction(_ input: Input) throws -> Output { try closure(input) }
}

/// A closure with two arguments that throws nothing.
@frozen
@usableFromInline
package struct PlainFunction2<A, B, Output, Failure: Error>: StageFunction {
  @usableFromInline package typealias Rule = Keeping<Failure>
  @usableFromInline let closure: (A, B) -> Output

  @inlinable
  package init(_ closure: @escaping (A, B) -> Output) {
    self.closure = closure
  }

  @inlinable @inline(__always)
  package func callAsFunction(_ input: (A, B)) -> Output { closure(input.0, input.1) }
}

/// A closure with two arguments that may throw.
@frozen
@usableFromInline
package struct ThrowingFunction2<A, B, Output, Failure: Error>: StageFunction {
  @usableFromInline package typealias Rule = Erasing<Failure>
  @usableFromInline let closure: (A, B) throws -> Output

  @inlinable
  package init(_ closure: @escaping (A, B) throws -> Output) {
    self.closure = closure
  }

  @inlinable @inline(__always)
  package func callAsFunction(_ input: (A, B)) throws -> Output { try closure(input.0, input.1) }
}
