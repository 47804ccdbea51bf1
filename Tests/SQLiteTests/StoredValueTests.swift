import CSQLite
import SQLite
import Testing
import TributaryModel

/// Which values a column gives back otherwise than they were bound, by its affinity and the database's encoding.
struct StoredValueTests {
  static let encodings = ["UTF-8", "UTF-16le", "UTF-16be"]
  static let types = ["BLOB", "TEXT", "NUMERIC", "INTEGER", "REAL"]

  static let values: [Value] = [
    .null, .integer(9_007_199_254_740_993), .integer(.min), .integer(.max), .real(-0.0), .real(0.0), .real(3),
    .real(1.5), .real(.infinity), .real(-.infinity), .real(.greatestFiniteMagnitude), .real(0.1),
    .real(.leastNonzeroMagnitude), .real(9_223_372_036_854_775_808), .text(""), .text("naïve 🐘"), .text("12"),
    .text("1e3"), .text("12abc"), .text([0x61, 0, 0x62, 0]), .text("\u{feff}bom"), .text("\u{1ffff}"),
    .text("\u{fffe}\u{ffff}"), .text([0xff, 0xc0, 0x80, 0x61]), .text([0xed, 0xa0, 0x80]), .blob([]),
    .blob([0, 0xff, 0]), .blob([0x31]),
  ]

  private static let whole: [Value: Value] = [
    .real(-0.0): .integer(0), .real(0.0): .integer(0), .real(3): .integer(3), .text("12"): .integer(12),
    .text("1e3"): .integer(1_000),
  ]

  /// What an affinity makes of a value. BLOB, which is no affinity, leaves every value as it is.
  static let byAffinity: [String: [Value: Value]] = [
    "TEXT": [
      .integer(9_007_199_254_740_993): .text("9007199254740993"),
      .integer(.min): .text("-9223372036854775808"),
      .integer(.max): .text("9223372036854775807"), .real(-0.0): .text("0.0"), .real(0.0): .text("0.0"),
      .real(3): .text("3.0"), .real(1.5): .text("1.5"), .real(.infinity): .text("Inf"),
      .real(-.infinity): .text("-Inf"), .real(0.1): .text("0.1"),
    ],
    "NUMERIC": whole, "INTEGER": whole,
    "REAL": [
      .integer(9_007_199_254_740_993): .real(9_007_199_254_740_992), .integer(.min): .real(-0x1p63),
      .integer(.max): .real(0x1p63), .real(-0.0): .real(0.0), .text("12"): .real(12),
      .text("1e3"): .real(1_000),
    ],
  ]

  /// What UTF-16 cannot hold: text that is not UTF-8, and two characters that SQLite takes for faults.
  static let byUTF16: [Value: Value] = [
    .text("\u{fffe}\u{ffff}"): .text("\u{fffd}\u{fffd}"),
    .text([0xff, 0xc0, 0x80, 0x61]): .text("\u{fffd}\u{fffd}a"),
    .text([0xed, 0xa0, 0x80]): .text("\u{fffd}"),
  ]

  /// The digits of some numbers as text differ between versions of SQLite.
  private static func isUnsure(_ value: Value, _ type: String) -> Bool {
    guard type == "TEXT", case .real(let real) = value else { return false }
    return byAffinity["TEXT"]?[value] == nil || real == 0
  }

  private static func stored(_ value: Value, in connection: Connection) throws -> Value? {
    try connection.execute("DELETE FROM t")
    try connection.execute("INSERT INTO t VALUES (?1)", [value])
    return try connection.value("SELECT a FROM t")
  }

  private static func database(_ encoding: String, _ type: String) throws -> Connection {
    try memory("PRAGMA encoding = '\(encoding)'; CREATE TABLE t(a \(type))")
  }

  @Test(arguments: encodings, types)
  func onlyTheKnownValuesChange(_ encoding: String, _ type: String) throws {
    let connection = try Self.database(encoding, type)
    for value in Self.values where !Self.isUnsure(value, type) {
      let encoded = encoding == "UTF-8" ? value : Self.byUTF16[value] ?? value
      let expected = Self.byAffinity[type]?[encoded] ?? encoded
      #expect(try Self.stored(value, in: connection) == expected, "\(value)")
    }
  }

  /// What one device reads from its column, another can store in its own and read again, whatever the encodings.
  @Test(arguments: encodings, types)
  func aValueThatWasStoredOnceStays(_ encoding: String, _ type: String) throws {
    let source = try Self.database(encoding, type)
    for other in Self.encodings where encoding != "UTF-8" || other == "UTF-8" {
      let target = try Self.database(other, type)
      for value in Self.values {
        let once = try #require(try Self.stored(value, in: source))
        #expect(try Self.stored(once, in: target) == once, "\(value)")
      }
    }
  }

  @Test(arguments: types) func notANumberIsNull(_ type: String) throws {
    let connection = try Self.database("UTF-8", type)
    #expect(try Self.stored(.real(.nan), in: connection) == .null)
  }

  /// Text that a program stored as UTF-16 with half a surrogate pair. SQLite reads it as other characters, so it would
  /// be changed by being synced; it is known by not being equal to what was read.
  @Test(
    arguments: [[0xd800, 0x61], [0xdc00, 0x61, 0x62], [0x61, 0xd800], [0xdc00], [0xd800, 0xd800]]
      as [[UInt16]])
  func halfASurrogatePairIsKnownByNotBeingEqualToWhatIsRead(_ units: [UInt16]) throws {
    for encoding in Self.encodings.dropFirst() {
      let connection = try Self.database(encoding, "TEXT")
      #expect(try connection.textEncoding == (encoding == "UTF-16le" ? .utf16le : .utf16be))
      try Self.insert(units, connection)
      let read = try #require(try connection.value("SELECT a FROM t"))
      #expect(try connection.integer("SELECT a COLLATE BINARY IS ?1 FROM t", [read]) == 0)
      try Self.insert(Array("naïve 🐘".utf16), connection)
      let whole = try #require(try connection.value("SELECT a FROM t"))
      #expect(try connection.integer("SELECT a COLLATE BINARY IS ?1 FROM t", [whole]) == 1)
    }
  }

  private static func insert(_ units: [UInt16], _ connection: Connection) throws {
    try connection.execute("DELETE FROM t")
    let statement = try connection.prepare("INSERT INTO t VALUES (?1)")
    try units.withUnsafeBytes { bytes in
      // Borrowed: the statement ends before the bytes do.
      sqlite3_bind_text16(statement.handle, 1, bytes.baseAddress, Int32(bytes.count), nil)
      try statement.run()
    }
  }

  @Test func anEncodingIsOneOfThree() throws {
    #expect(try memory("CREATE TABLE t(a)").textEncoding == .utf8)
  }
}
