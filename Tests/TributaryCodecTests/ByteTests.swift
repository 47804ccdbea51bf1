import Testing

@testable import TributaryCodec

@Suite struct ByteTests {
  @Test func integersAreBigEndianAndReadBack() throws {
    var writer = ByteWriter()
    writer.write(u8: 1)
    writer.write(u16: 0x0203)
    writer.write(u32: 0x0405_0607)
    writer.write(u64: 0x0809_0a0b_0c0d_0e0f)
    #expect(writer.bytes == Array(1...15))
    var reader = ByteReader(writer.bytes)
    #expect(try reader.readU8() == 1)
    #expect(try reader.readU16() == 0x0203)
    #expect(try reader.readU32() == 0x0405_0607)
    #expect(try reader.readU64() == 0x0809_0a0b_0c0d_0e0f)
    try reader.finish()
  }

  @Test(arguments: [0, 1, 127, 128, 300, 16383, 16384, 1 << 32, UInt64.max - 1, .max])
  func varintsReadBack(value: UInt64) throws {
    var writer = ByteWriter()
    writer.write(varint: value)
    var reader = ByteReader(writer.bytes)
    #expect(try reader.readVarint() == value)
    #expect(reader.isAtEnd)
  }

  @Test(arguments: [(0, 0), (-1, 1), (1, 2), (-2, 3), (Int64.max, UInt64.max - 1), (.min, .max)])
  func zigzagAlternatesSigns(value: Int64, raw: UInt64) throws {
    var writer = ByteWriter()
    writer.write(zigzag: value)
    var plain = ByteReader(writer.bytes)
    #expect(try plain.readVarint() == raw)
    var reader = ByteReader(writer.bytes)
    #expect(try reader.readZigzag() == value)
  }

  @Test func aVarintWithNeedlessBytesOrBeyond64BitsIsRefused() {
    func read(_ bytes: [UInt8]) throws {
      var reader = ByteReader(bytes)
      _ = try reader.readVarint()
    }
    expect(.notMinimal) { try read([0x80, 0x00]) }
    expect(.notMinimal) { try read([0xff, 0x80, 0x00]) }
    expect(.tooLarge) { try read([UInt8](repeating: 0xff, count: 9) + [0x02]) }
    expect(.tooLarge) { try read([UInt8](repeating: 0x80, count: 12)) }
    expect(.truncated) { try read([0x80]) }
  }

  @Test func noReadPassesTheEnd() {
    let bytes: [UInt8] = [1, 2, 3, 4, 5, 6, 7]
    expect(.truncated) {
      var reader = ByteReader(bytes)
      _ = try reader.readU64()
    }
    expect(.truncated) {
      var reader = ByteReader(bytes, in: 2..<4)
      _ = try reader.readBytes(3)
    }
    expect(.truncated) {
      var reader = ByteReader(bytes)
      _ = try reader.readBytes(-1)
    }
    expect(.truncated) {
      var reader = ByteReader(bytes)
      _ = try reader.advance(.max)
    }
    expect(.trailingBytes) { try ByteReader(bytes).finish() }
  }

  @Test func utf8IsJudgedAsTheStandardLibraryDoes() {
    let edges: [UInt8] = [
      0x00, 0x41, 0x7f, 0x80, 0x8f, 0x90, 0x9f, 0xa0, 0xbf, 0xc0, 0xc1, 0xc2, 0xdf, 0xe0, 0xed, 0xef, 0xf0,
      0xf4,
      0xf5, 0xff,
    ]
    for a in edges {
      for b in edges {
        for c in edges {
          for d in edges {
            let bytes = [a, b, c, d]
            let isValid = Array(String(decoding: bytes, as: UTF8.self).utf8) == bytes
            #expect(UTF8Check.isValid(bytes) == isValid, "\(bytes)")
          }
        }
      }
    }
    #expect(UTF8Check.isValid(Array("plain ASCII, then ü and 🌊".utf8)))
    #expect(!UTF8Check.isValid(Array("plain ASCII, then a cut ".utf8) + [0xf0, 0x9f, 0x8c]))
  }
}
