import TestSupport
import Testing

@testable import TributaryCodec

@Suite struct CBORLimitTests {
  private func skip(_ bytes: [UInt8]) throws {
    var reader = CBORReader(bytes)
    try reader.skip()
    try reader.finish()
  }

  @Test func depthEightIsReadAndDepthNineRefused() throws {
    try skip([UInt8](repeating: 0x81, count: 8) + [0])
    expect(.tooDeep) { try skip([UInt8](repeating: 0x81, count: 9) + [0]) }
    expect(.tooDeep, "an empty one too") { try skip([UInt8](repeating: 0x81, count: 8) + [0x80]) }
  }

  @Test func depthTenThousandIsRefused() {
    expect(.tooDeep) { try skip([UInt8](repeating: 0x81, count: 10_000) + [0]) }
    expect(.tooDeep) { try skip([UInt8](repeating: 0xa1, count: 10_000) + [0]) }
  }

  @Test func depthIsGivenBackWhenContainersEnd() throws {
    let item: [UInt8] = [UInt8](repeating: 0x81, count: 7) + [0]
    try skip([0x83] + item + item + item)
    try skip([0x83, 0x80, 0xa0] + item)
  }

  @Test func aCountBeyondTheBytesLeftIsRefused() {
    expect(.tooLarge, "2^32") { try skip(hex("9b0000000100000000 00")) }
    expect(.tooLarge, "a map of 2^32") { try skip(hex("bb0000000100000000 00")) }
    expect(.tooLarge, "2^64-1") { try skip(hex("9bffffffffffffffff 00")) }
    expect(.tooLarge, "one too many") { try skip(hex("83 00 00")) }
    expect(.tooLarge, "a pair takes two bytes") { try skip(hex("a2 00 00 01")) }
    expect(.truncated, "a string") { try skip(hex("5b7fffffffffffffff")) }
    expect(.tooLarge, "a string of 2^64-1") { try skip(hex("5bffffffffffffffff")) }
  }

  @Test(arguments: [
    "1817", "190018", "1900ff", "1a0000ffff", "1b00000000ffffffff", "3800", "580161", "780161", "980100",
    "b8010000",
  ])
  func aNumberInMoreBytesThanItNeedsIsRefused(text: String) {
    expect(.notMinimal) { try skip(hex(text)) }
  }

  @Test func duplicateAndDisorderedKeysAreRefusedWhereverTheyAre() {
    expect(.duplicateKey) { try skip(hex("a2 0100 0100")) }
    expect(.keyOrder) { try skip(hex("a2 0200 0100")) }
    expect(.duplicateKey, "nested") { try skip(hex("81 a1 00 a2 616100 616100")) }
    expect(.keyOrder, "a shorter key goes first") { try skip(hex("a2 62616100 616200")) }
    expect(.duplicateKey) {
      var reader = CBORReader(hex("a2 0100 0100"))
      _ = try reader.readMap()
      let first = try reader.readMapKey(after: nil)
      try reader.skip()
      _ = try reader.readMapKey(after: first)
    }
    expect(.keyOrder) {
      var reader = CBORReader(hex("a2 616200 616100"))
      _ = try reader.readMap()
      let first = try reader.readMapKey(after: nil, limit: 8)
      try reader.skip()
      _ = try reader.readMapKey(after: first, limit: 8)
    }
  }

  @Test func keysThatLookAlikeInUnicodeAreStillTwo() throws {
    // "é" composed is c3a9, decomposed 65cc81: equal as Swift strings, not as keys.
    var reader = CBORReader(hex("a2 62c3a900 6365cc8100"))
    _ = try reader.readMap()
    let first = try reader.readMapKey(after: nil, limit: 8)
    try reader.skip()
    _ = try reader.readMapKey(after: first, limit: 8)
  }

  @Test(arguments: [
    "9f00ff", "bf0000ff", "5f4100ff", "7f6161ff", "1c", "c000", "d9d9f700", "f93c00", "fa3f800000",
  ])
  func whatTheFormatLacksIsRefused(text: String) {
    expect(.malformed) { try skip(hex(text)) }
  }

  @Test(arguments: ["f7", "e0", "f820", "ff", "fb7ff8000000000000", "61ff", "62c328", "63eda080"])
  func undefinedNaNAndTextThatIsNotUTF8AreRefused(text: String) {
    expect(.malformed) { try skip(hex(text)) }
  }

  @Test func everyPrefixOfABodyIsRefused() throws {
    let body = hex("83 1903e8 a2 6161 fb3ff199999999999a 6162 8201f6 4401020304")
    try skip(body)
    for length in 0..<body.count {
      #expect(throws: CodecError.self, "\(length)") { try skip(Array(body[..<length])) }
    }
    expect(.trailingBytes) { try skip(body + [0]) }
  }

  @Test func randomBytesNeverCrashTheReader() {
    let random = SeededSource(seed: 42)
    for _ in 0..<20_000 {
      let bytes = random.bytes(Int(random.next() % 48))
      var reader = CBORReader(bytes)
      while !reader.isAtEnd { do { try reader.skip() } catch { break } }
    }
  }

  @Test func anUnfinishedContainerIsNotAnEnd() throws {
    var reader = CBORReader(hex("820100"))
    _ = try reader.readArray()
    _ = try reader.readInt()
    let halfway = reader
    #expect(throws: CodecError.self) { try halfway.finish() }
    _ = try reader.readInt()
    try reader.finish()
  }
}
