/// A closure of the user's together with its failure rule: what makes an operator the plain one or the `try` twin.
///
/// A closure is kept in the type in which it came. Converted to `throws(Rule.Thrown)` it would be called through a
/// thunk for each value, which costs more than the stage does.
@usableFromInline
package protocol StageFunction {
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

/// A closure of the user's with two arguments, together with its failure rule.
@usableFromInline
package protocol StageFunction2 {
  associatedtype First
  associatedtype Second
  associatedtype Output
  associatedtype Rule: ConvertingFailureRule

  func callAsFunction(_ first: First, _ second: Second) throws(Rule.Thrown) -> Output
}

/// A closure with two arguments that throws nothing.
@frozen
@usableFromInline
package struct PlainFunction2<First, Second, Output, Failure: Error>: StageFunction2 {
  @usableFromInline package typealias Rule = Keeping<Failure>
  @usableFromInline let closure: (First, Second) -> Output

  @inlinable
  package init(_ closure: @escaping (First, Second) -> Output) {
    self.closure = closure
  }

  @inlinable @inline(__always)
  package func callAsFunction(_ first: First, _ second: Second) -> Output { closure(first, second) }
}

/// A closure with two arguments that may throw.
@frozen
@usableFromInline
package struct ThrowingFunction2<First, Second, Output, Failure: Error>: StageFunction2 {
  @usableFromInline package typealias Rule = Erasing<Failure>
  @usableFromInline let closure: (First, Second) throws -> Output

  @inlinable
  package init(_ closure: @escaping (First, Second) throws -> Output) {
    self.closure = closure
  }

  @inlinable @inline(__always)
  package func callAsFunction(_ first: First, _ second: Second) throws -> Output { try closure(first, second) }
}
