/// Makes a failing example smaller.
public enum Shrinking {
  /// Takes elements out of a list, many at a time and then one by one, as long as it goes on failing.
  ///
  /// - Parameters:
  ///   - list: A list that fails.
  ///   - fails: Whether a shorter list fails as well.
  /// - Returns: A list that fails, and does not when any single element is taken out.
  public static func smallest<Element>(_ list: [Element], where fails: ([Element]) -> Bool) -> [Element] {
    var list = list
    var size = max(list.count / 2, 1)
    while true {
      var wasShortened = false
      var end = list.count
      // From the end, where what happens matters least.
      while end > 0 {
        let start = max(end - size, 0)
        var shorter = list
        shorter.removeSubrange(start..<end)
        if fails(shorter) {
          list = shorter
          wasShortened = true
        }
        end = start
      }
      if size > 1 {
        size /= 2
      } else if !wasShortened {
        return list
      }
    }
  }
}
