import Foundation

/// A file of people on disk, as JSON.
struct PeopleFile {
  let url: URL

  /// Reads everybody, anew each time.
  func read() throws(Problem) -> [Person] {
    var isDirectory: ObjCBool = false
    guard FileManager.default.fileExists(atPath: url.path, isDirectory: &isDirectory) else {
      throw Problem(file: url, what: "there is no such file")
    }
    guard !isDirectory.boolValue else {
      throw Problem(file: url, what: "this is a directory, not a file")
    }
    do {
      return try JSONDecoder().decode([Person].self, from: Data(contentsOf: url))
    } catch let error as DecodingError {
      throw Problem(file: url, what: "not a list of people: \(error.inOneLine)")
    } catch {
      throw Problem(file: url, what: "cannot be read: \(error.localizedDescription)")
    }
  }

  /// Why a file could not be read: what is wrong, and where.
  struct Problem: Error, Equatable, CustomStringConvertible {
    let path: String
    let what: String

    init(file: URL, what: String) {
      path = file.path
      self.what = what
    }

    var description: String { "\(path): \(what)" }
  }
}

extension DecodingError {
  /// What is wrong and in which entry, counted from 1.
  fileprivate var inOneLine: String {
    switch self {
    case .keyNotFound(let key, let context): context.place + "has no \"\(key.stringValue)\""
    case .valueNotFound(_, let context): context.place + "has no value"
    case .typeMismatch(let type, let context): context.place + "is not of type \(type)"
    case .dataCorrupted: "the JSON is broken"
    @unknown default: "\(self)"
    }
  }
}

extension DecodingError.Context {
  fileprivate var place: String {
    let steps = codingPath.map { key in
      key.intValue.map { "person \($0 + 1)" } ?? "\"\(key.stringValue)\""
    }
    return steps.isEmpty ? "the whole " : steps.joined(separator: ", ") + " "
  }
}
