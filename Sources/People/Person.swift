/// Somebody in the directory.
struct Person: Codable, Equatable, Sendable {
  var name: String
  var age: Int
  var city: String
  var phone: String
}
