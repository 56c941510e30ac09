import Reactive
import Testing

@Suite struct CodingTests {
  /// Encodes whole numbers as text, and no negative ones.
  private struct TextCoder: TopLevelEncoder, TopLevelDecoder {
    func encode<T: Encodable>(_ value: T) throws -> String {
      guard let number = value as? Int, number >= 0 else { throw Oops(number: 3) }
      return "\(number)"
    }

    func decode<T: Decodable>(_ type: T.Type, from text: String) throws -> T {
      guard let number = Int(text) as? T else { throw Oops(number: 3) }
      return number
    }
  }

  /// Fails as a test's closure does.
  private struct ThrowingCoder: TopLevelEncoder, TopLevelDecoder {
    let act: (Int) throws -> Int

    func encode<T: Encodable>(_ value: T) throws -> Int { try act(value as? Int ?? 0) }
    func decode<T: Decodable>(_ type: T.Type, from number: Int) throws -> T {
      guard let result = try act(number) as? T else { throw Oops() }
      return result
    }
  }

  @Test func `encode publishes what the encoder makes`() {
    #expect(
      differences {
        $0.map { "\($0 + 3)" }
      } _: {
        $0.map { $0 + 3 }.encode(encoder: TextCoder())
      } == [])
  }

  @Test func `decode gives back what was encoded`() {
    #expect(
      differences {
        $0.map { $0 + 3 }
      } _: {
        $0.map { $0 + 3 }.encode(encoder: TextCoder()).decode(type: Int.self, decoder: TextCoder())
      } == [])
  }

  @Test func `an error of the coder cancels upstream, then becomes the failure`() {
    #expect(breachesOfThrowing { upstream, act in upstream.encode(encoder: ThrowingCoder(act: act)) } == [])
    #expect(
      breachesOfThrowing { upstream, act in
        upstream.decode(type: Int.self, decoder: ThrowingCoder(act: act))
      } == [])
  }

  @Test func `a misbehaving upstream breaks no law`() {
    #expect(breaches("Encode") { $0.encode(encoder: TextCoder()) } == [])
    #expect(breaches("Decode") { $0.decode(type: Int.self, decoder: ThrowingCoder { $0 }) } == [])
  }
}
