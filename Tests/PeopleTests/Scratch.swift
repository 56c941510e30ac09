import Foundation

@testable import People

/// A directory of its own for one test, removed with the last reference.
final class Scratch {
  let directory: URL

  init() throws {
    directory = FileManager.default.temporaryDirectory.appending(path: "PeopleTests-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
  }

  deinit {
    try? FileManager.default.removeItem(at: directory)
  }

  func url(_ name: String) -> URL { directory.appending(path: name) }

  /// Writes a file in place.
  func write(_ text: String, to name: String = "people.json") throws {
    try Data(text.utf8).write(to: url(name))
  }

  /// Writes a new file and moves it over the old one.
  ///
  /// Foundation's atomic writing closes the file only after it has moved it, which is two changes.
  func replace(_ name: String = "people.json", with text: String) throws {
    let new = url(name + ".new")
    try Data(text.utf8).write(to: new)
    guard rename(new.path, url(name).path) == 0 else { throw CocoaError(.fileWriteUnknown) }
  }
}

/// Some people.
enum Some {
  static let ada = Person(name: "Ada", age: 36, city: "Cork", phone: "1")
  static let bea = Person(name: "Bea", age: 40, city: "Cork", phone: "2")
  static let cy = Person(name: "Cy", age: 20, city: "Pune", phone: "3")
}
