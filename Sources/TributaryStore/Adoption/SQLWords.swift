import TributaryModel

/// The bare words of an SQL text, without what stands in quotes and comments.
struct SQLWords {
  private let words: Set<String>

  init(_ sql: String) {
    var words: Set<String> = []
    var word: [UInt8] = []
    let bytes = Array(sql.utf8)
    var place = 0
    func end() {
      if !word.isEmpty { words.insert(String(decoding: word, as: UTF8.self).sqlFolded) }
      word = []
    }
    while place < bytes.count {
      let byte = bytes[place]
      if let next = Self.skipped(bytes, place) {
        end()
        place = next
        continue
      }
      if byte >= 0x80 || byte == 0x5F || (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte & 0xDF) {
        word.append(byte)
      } else {
        end()
      }
      place += 1
    }
    end()
    self.words = words
  }

  func contains(_ word: String) -> Bool { words.contains(word.sqlFolded) }

  /// Where a quoted piece or a comment that begins at `place` ends; nil if none begins there.
  private static func skipped(_ bytes: [UInt8], _ place: Int) -> Int? {
    let next = place + 1 < bytes.count ? bytes[place + 1] : 0
    switch (bytes[place], next) {
    case (0x2D, 0x2D): return end(bytes, place + 2, [0x0A])
    case (0x2F, 0x2A): return end(bytes, place + 2, [0x2A, 0x2F])
    case (0x5B, _): return end(bytes, place + 1, [0x5D])
    case (0x22, _), (0x27, _), (0x60, _): return end(bytes, place + 1, [bytes[place]])
    default: return nil
    }
  }

  /// A doubled quote ends one piece and begins another, which comes to the same.
  private static func end(_ bytes: [UInt8], _ start: Int, _ mark: [UInt8]) -> Int {
    var place = start
    while place + mark.count <= bytes.count {
      if Array(bytes[place..<place + mark.count]) == mark { return place + mark.count }
      place += 1
    }
    return bytes.count
  }
}
