import SQLite
import Testing
import TributaryModel

struct ValueTests {
  static let values: [Value] = [
    .null, .integer(9_007_199_254_740_993), .integer(.min), .integer(.max), .real(-0.0), .real(0.0),
    .real(.infinity), .real(-.infinity), .real(.leastNonzeroMagnitude), .real(3), .text(""), .text("naïve 🐘"),
    .text([0x61, 0, 0x62, 0]), .text([0xff, 0xc0, 0x80, 0x61]), .blob([]), .blob([0, 0xff, 0]),
  ]

  @Test(arguments: values)
  func everyValueComesBackExactly(_ value: Value) throws {
    let connection = try memory("CREATE TABLE t(a)")
    try connection.execute("INSERT INTO t VALUES (?1)", [value])
    #expect(try connection.value("SELECT a FROM t") == value)
    #expect(try connection.rows("SELECT a, a FROM t WHERE a IS ?1", [value]) == [[value, value]])
  }

  @Test func anEmptyBlobAndEmptyTextAreNotNull() throws {
    let connection = try memory()
    #expect(
      try connection.value("SELECT typeof(?1) || typeof(?2)", [.blob([]), .text("")])?.string == "blobtext")
  }

  @Test func borrowedBytesAreReadInPlace() throws {
    let statement = try memory().prepare("SELECT ?1, ?2")
    var text: [UInt8] = Array("abc".utf8)
    try text.withUnsafeMutableBytes { bytes in
      try statement.bindText(1, UnsafeRawBufferPointer(bytes), .borrowed)
      try statement.bindBlob(2, UnsafeRawBufferPointer(bytes), .copied)
      bytes[0] = UInt8(ascii: "X")
      #expect(try statement.step())
      #expect(statement.column(0) == .text("Xbc"))
      #expect(statement.column(1) == .blob(Array("abc".utf8)))
      statement.reset()
      statement.clearBindings()
    }
  }

  @Test func aValueOverTheLimitIsATypedError() throws {
    let connection = try memory("CREATE TABLE t(a)")
    var profile = Hardening.own
    profile.limits = .strict
    profile.limits?.length = 1_000
    try harden(connection, profile)
    let long = [UInt8](repeating: 0x61, count: 1_001)
    #expect(code { try connection.execute("INSERT INTO t VALUES (?1)", [.blob(long)]) } == .tooBig)
    #expect(code { try connection.execute("INSERT INTO t VALUES (?1)", [.text(long)]) } == .tooBig)
    try connection.execute("INSERT INTO t VALUES (?1)", [.blob([1])])
    #expect(try connection.integer("SELECT count(*) FROM t") == 1)
  }

  @Test func bytesAreNilSafeAndTyped() throws {
    let statement = try memory().prepare("SELECT NULL, 12, 1.5, 'x', x'00'")
    #expect(statement.column(0) == .null)
    #expect(try statement.step())
    #expect(statement.bytes(0).isEmpty)
    #expect(Array(statement.bytes(4)) == [0])
    let types = (0..<6).map { statement.columnType($0) }
    #expect(types == [.null, .integer, .real, .text, .blob, .null])
    #expect(statement.integer(1) == 12)
    #expect(statement.real(2) == 1.5)
    #expect(statement.columnName(1) == "12")
    #expect(statement.columnName(9) == nil)
    #expect(try !statement.step())
  }

  @Test func anUTF16DatabaseHandsOutUTF8() throws {
    let connection = try memory("PRAGMA encoding = 'UTF-16le'; CREATE TABLE t(a)")
    try connection.execute("INSERT INTO t VALUES (?1)", [.text("naïve 🐘")])
    #expect(try connection.value("SELECT a FROM t") == .text("naïve 🐘"))
  }
}
