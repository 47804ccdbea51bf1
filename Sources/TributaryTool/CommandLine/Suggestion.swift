/// Finds what a mistyped word was meant to be.
enum Suggestion {
  /// The closest candidate, if it is close enough to be worth saying; the earlier one of equals.
  static func nearest(to word: String, among candidates: [String]) -> String? {
    // A pasted paragraph is no typing mistake, and the distance costs the product of the lengths.
    guard word.utf8.count <= 64 else { return nil }
    let limit = max(1, min(3, word.count / 3))
    var best: (candidate: String, distance: Int)?
    for candidate in candidates {
      let found = distance(word, candidate)
      if found <= limit, found < best?.distance ?? .max { best = (candidate, found) }
    }
    return best?.candidate
  }

  /// Insertions, deletions, replacements and swaps of neighbours that turn one word into the other.
  static func distance(_ first: String, _ second: String) -> Int {
    let a = Array(first)
    let b = Array(second)
    var beforeLast: [Int] = []
    var last = Array(0...b.count)
    for i in a.indices {
      var row = [i + 1]
      for j in b.indices {
        var cost = min(last[j + 1] + 1, row[j] + 1, last[j] + (a[i] == b[j] ? 0 : 1))
        if i > 0, j > 0, a[i] == b[j - 1], a[i - 1] == b[j] { cost = min(cost, beforeLast[j - 1] + 1) }
        row.append(cost)
      }
      (beforeLast, last) = (last, row)
    }
    return last[b.count]
  }
}
