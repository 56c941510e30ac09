public import Foundation
public import Reactive

extension JSONEncoder: TopLevelEncoder {
  /// Values become data.
  public typealias Output = Data
}

extension PropertyListEncoder: TopLevelEncoder {
  /// Values become data.
  public typealias Output = Data
}

extension JSONDecoder: TopLevelDecoder {
  /// Values are read from data.
  public typealias Input = Data
}

extension PropertyListDecoder: TopLevelDecoder {
  /// Values are read from data.
  public typealias Input = Data
}
