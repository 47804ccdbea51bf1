import Tributary

/// The rows: 26-character ids, a title of 20 and a body of 100 characters, three numbers.
struct Work {
  enum IDs: CaseIterable {
    /// As a ULID: they come in ascending order.
    case timeOrdered
    case random
  }

  static let schema = Schema(
    "com.example.bench",
    tables: [
      Table(
        "item", key: "id",
        columns: [
          .text("title").orNull, .text("body").orNull, .integer("n").orNull, .real("r").orNull,
          .integer("updated").orNull,
        ])
    ])

  static let insert = "INSERT INTO item(id,title,body,n,r,updated) VALUES(?1,?2,?3,?4,?5,?6)"
  static let update = "UPDATE item SET n=?2 WHERE id=?1"
  static let updateOther = "UPDATE item SET r=?2 WHERE id=?1"
  static let upsert =
    insert
    + " ON CONFLICT(id) DO UPDATE SET title=excluded.title,body=excluded.body,n=excluded.n,r=excluded.r,"
    + "updated=excluded.updated"

  let ids: IDs
  let rows: [[Value]]
  /// Further rows, for transactions of one.
  let single: [[Value]]

  init(_ count: Int, _ ids: IDs, seed: UInt64, from first: Int = 0) {
    self.ids = ids
    let single = min(5_000, max(1, count / 20))
    var random = Random(seed)
    let all = (first..<first + count + single).map { Self.row($0, ids, &random) }
    rows = Array(all[..<count])
    self.single = Array(all[count...])
  }

  /// New values of one column, key first.
  func edits(_ number: Int64) -> [[Value]] { rows.map { [$0[0], .integer(($0[3].integer ?? 0) + number)] } }

  var otherEdits: [[Value]] { rows.enumerated().map { [$1[0], .real(Double($0) / 7)] } }

  /// A suffix for the names of phases.
  var label: String { ids == .timeOrdered ? "" : ", random ids" }

  private static func row(_ index: Int, _ ids: IDs, _ random: inout Random) -> [Value] {
    let time = Int64(index) &* 7
    let start: [UInt8] =
      ids == .random
      ? random.letters(11) : Array("01HF".utf8) + base32(UInt64(1_000_000_000 + index))
    return [
      .text(start + random.letters(26 - start.count)), .text(random.letters(20)), .text(random.words(100)),
      .integer(time), .real(Double(index) / 3), .integer(1_700_000_000_000 + Int64(index)),
    ]
  }

  private static func base32(_ number: UInt64) -> [UInt8] {
    let digits = Array("0123456789ABCDEFGHJKMNPQRSTVWXYZ".utf8)
    return stride(from: 30, through: 0, by: -5).map { digits[Int(number >> UInt64($0) & 31)] }
  }
}

/// SplitMix64: the same rows in every run.
struct Random {
  private var state: UInt64
  private static let alphabet = Array("abcdefghijklmnopqrstuvwxyz".utf8)
  private static let vocabulary = (0..<500).map { Array("w\(String($0 * 7919, radix: 26)) ".utf8) }

  init(_ seed: UInt64) { state = seed }

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var word = state
    word = (word ^ word >> 30) &* 0xBF58_476D_1CE4_E5B9
    word = (word ^ word >> 27) &* 0x94D0_49BB_1331_11EB
    return word ^ word >> 31
  }

  mutating func letters(_ count: Int) -> [UInt8] {
    (0..<count).map { _ in Self.alphabet[Int(next() >> 33) % Self.alphabet.count] }
  }

  /// Text of so many bytes from a small vocabulary.
  mutating func words(_ count: Int) -> [UInt8] {
    var text: [UInt8] = []
    text.reserveCapacity(count + 8)
    while text.count < count { text += Self.vocabulary[Int(next() >> 33) % Self.vocabulary.count] }
    return Array(text[..<count])
  }
}
