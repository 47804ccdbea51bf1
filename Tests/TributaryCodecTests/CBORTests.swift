import Testing
import TributaryModel

@testable import TributaryCodec

@Suite struct CBORTests {
  /// RFC 8949, appendix A, as far as the format has those types.
  @Test(arguments: [
    (0, "00"), (1, "01"), (10, "0a"), (23, "17"), (24, "1818"), (25, "1819"), (100, "1864"), (1000, "1903e8"),
    (1_000_000, "1a000f4240"), (1_000_000_000_000, "1b000000e8d4a51000"), (-1, "20"), (-10, "29"),
    (-100, "3863"),
    (-1000, "3903e7"), (Int64.max, "1b7fffffffffffffff"), (.min, "3b7fffffffffffffff"),
  ])
  func integersMatchTheRFC(value: Int64, text: String) throws {
    var writer = CBORWriter()
    writer.write(int: value)
    #expect(writer.bytes == hex(text))
    var reader = CBORReader(hex(text))
    #expect(try reader.readInt() == value)
    try reader.finish()
  }

  @Test func numbersBeyondInt64MatchTheRFC() throws {
    var writer = CBORWriter()
    writer.write(uint: .max)
    writer.write(negative: .max)
    #expect(writer.bytes == hex("1bffffffffffffffff 3bffffffffffffffff"))
    var reader = CBORReader(writer.bytes)
    #expect(try reader.readUInt() == .max)
    #expect(try reader.readNegative() == .max)
    expect(.tooLarge) {
      var reader = CBORReader(writer.bytes)
      _ = try reader.readInt()
    }
  }

  @Test(arguments: [
    (1.1, "fb3ff199999999999a"), (1.0e+300, "fb7e37e43c8800759c"), (-4.1, "fbc010666666666666"),
    (0.0, "fb0000000000000000"), (-0.0, "fb8000000000000000"), (Double.infinity, "fb7ff0000000000000"),
    (0x1p-1074, "fb0000000000000001"),
  ])
  func doublesTakeNineBytesBitForBit(value: Double, text: String) throws {
    var writer = CBORWriter()
    try writer.write(double: value)
    #expect(writer.bytes == hex(text))
    var reader = CBORReader(hex(text))
    #expect(try reader.readDouble().bitPattern == value.bitPattern)
  }

  @Test(arguments: [
    ("", "60"), ("a", "6161"), ("IETF", "6449455446"), ("\u{fc}", "62c3bc"), ("水", "63e6b0b4"),
  ])
  func textMatchesTheRFC(text: String, encoded: String) throws {
    var writer = CBORWriter()
    writer.write(text: text)
    #expect(writer.bytes == hex(encoded))
    var reader = CBORReader(hex(encoded))
    #expect(try reader.readText(limit: 4) == text)
  }

  @Test func nestedContainersMatchTheRFC() throws {
    var writer = CBORWriter()
    writer.write(array: 3)
    writer.write(int: 1)
    writer.write(array: 2)
    writer.write(int: 2)
    writer.write(int: 3)
    writer.write(array: 2)
    writer.write(int: 4)
    writer.write(int: 5)
    writer.write(map: 2)
    writer.write(int: 1)
    writer.write(int: 2)
    writer.write(int: 3)
    writer.write(bool: true)
    writer.writeNull()
    writer.write(bytes: [1, 2, 3, 4])
    #expect(writer.bytes == hex("8301820203820405 a2010203f5 f6 4401020304"))
    var reader = CBORReader(writer.bytes)
    #expect(try reader.readArray() == 3)
    #expect(try reader.readInt() == 1)
    #expect(try reader.readArray() == 2)
    #expect(reader.depth == 2)
    #expect(try [reader.readInt(), reader.readInt()] == [2, 3])
    #expect(reader.depth == 1)
    try reader.skip()
    #expect(reader.depth == 0)
    #expect(try reader.readMap() == 2)
    let first = try reader.readMapKey(after: nil)
    #expect(try (first, reader.readInt()) == (1, 2))
    #expect(try reader.readMapKey(after: first) == 3)
    #expect(try reader.readBool())
    try reader.readNull()
    #expect(try reader.peekType() == .bytes)
    #expect(try reader.readBytes(limit: 4) == [1, 2, 3, 4])
    try reader.finish()
  }

  @Test func aSkippedItemEndsWhereTheNextBegins() throws {
    var writer = CBORWriter()
    writer.write(map: 1)
    writer.write(text: "later")
    writer.write(array: 2)
    writer.write(int: -7)
    writer.write(bytes: [9])
    writer.write(int: 5)
    var reader = CBORReader(writer.bytes)
    try reader.skip()
    #expect(try reader.readInt() == 5)
  }

  @Test(arguments: [
    Value.null, .integer(.min), .integer(0), .integer(.max), .real(-0.0), .real(0.1), .real(-.infinity),
    .text(""), .text("a\0b 🌊"), .text([0xff, 0xfe]), .text([0x61, 0xc3]), .blob([]), .blob([0, 255]),
  ])
  func everySQLiteValueReadsBackAsItself(value: Value) throws {
    var writer = CBORWriter()
    try writer.write(value: value)
    var reader = CBORReader(writer.bytes)
    #expect(try reader.readValue(limit: 16) == value)
    try reader.finish()
  }

  @Test func aValueHasOneForm() {
    expect(.notMinimal, "UTF-8 as raw bytes") {
      var reader = CBORReader(hex("82004161"))
      _ = try reader.readValue(limit: 16)
    }
    expect(.malformed, "another mark") {
      var reader = CBORReader(hex("820141ff"))
      _ = try reader.readValue(limit: 16)
    }
    expect(.tooLarge, "a limit") {
      var reader = CBORReader(hex("420102"))
      _ = try reader.readValue(limit: 1)
    }
    expect(.malformed, "NaN") {
      var writer = CBORWriter()
      try writer.write(value: .real(.nan))
    }
  }

  @Test func hundredsOfThousandsOfValuesReadBack() throws {
    let count = 200_000
    var writer = CBORWriter(capacity: count * 9)
    writer.write(array: count)
    for index in 0..<count { try writer.write(value: .integer(Int64(index) * 7919)) }
    var reader = CBORReader(writer.bytes)
    #expect(try reader.readArray() == count)
    var sum: Int64 = 0
    for _ in 0..<count { if case .integer(let value) = try reader.readValue(limit: 0) { sum += value } }
    #expect(sum == Int64(count) * Int64(count - 1) / 2 * 7919)
    try reader.finish()
  }
}
