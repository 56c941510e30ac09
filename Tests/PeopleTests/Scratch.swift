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
  /// It may be one change or two: a process that is just being started can still have the file open.
  func replace(_ name: String = "people.json", with text: String) throws {
    try write(text, to: name + ".new")
    try move(name + ".new", to: name)
  }

  /// Makes a symbolic link and moves it into place.
  func moveLink(to name: String) throws {
    try FileManager.default.createSymbolicLink(atPath: url("link").path, withDestinationPath: "people.json")
    try move("link", to: name)
  }

  private func move(_ name: String, to other: String) throws {
    guard rename(url(name).path, url(other).path) == 0 else { throw CocoaError(.fileWriteUnknown) }
  }
}

/// Some people.
enum Some {
  static let ada = Person(name: "Ada", age: 36, city: "Cork", phone: "1")
  static let bea = Person(name: "Bea", age: 40, city: "Cork", phone: "2")
  static let cy = Person(name: "Cy", age: 20, city: "Pune", phone: "3")
}
