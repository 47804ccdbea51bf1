import TestSupport
import Testing

@testable import TributaryCodec

@Suite struct ZstdTests {
  private let text = Array(String(repeating: "the river and its tributaries. ", count: 400).utf8)

  /// A frame header: magic, descriptor, then what follows.
  private func frame(_ descriptor: UInt8, _ rest: [UInt8]) -> [UInt8] {
    hex("28b52ffd") + [descriptor] + rest
  }

  /// One run-length block, the last, of `count` zeros.
  private func zeros(_ count: Int) -> [UInt8] {
    let header = count << 3 | 0b011
    return [UInt8(header & 0xff), UInt8(header >> 8 & 0xff), UInt8(header >> 16), 0]
  }

  @Test(arguments: [0, 1, 255, 256, 257, 65_791, 65_792, 300_000])
  func anyLengthReadsBack(length: Int) throws {
    let bytes = (0..<length).map { UInt8(truncatingIfNeeded: $0 &* $0 >> 3) }
    let packed = try Zstd.compress(bytes)
    #expect(try Zstd.decompress(packed, limit: length) == bytes)
    if length > 0 { expect(.tooLarge) { _ = try Zstd.decompress(packed, limit: length - 1) } }
  }

  @Test(arguments: [1, 3, 19]) func everyLevelKeepsTheWindowSmall(level: Int) throws {
    let packed = try Zstd.compress(text, level: level)
    #expect(packed.count < text.count / 10)
    #expect(try Zstd.decompress(packed, limit: text.count) == text)
  }

  @Test func levelsWithALargerWindowAreRefused() {
    expect(.parameters) { _ = try Zstd.compress([], level: 22) }
    expect(.parameters) { _ = try Zstd.compress([], level: 0) }
  }

  @Test func blocksEndWhereTold() throws {
    let plain = try Zstd.compress(text)
    let cut = try Zstd.compress(text, blockEnds: [4000, 8000, text.count, text.count + 9])
    #expect(cut != plain)
    #expect(try Zstd.decompress(cut, limit: text.count) == text)
    let random = SeededSource(seed: 3).bytes(3000)
    let many = try Zstd.compress(random, blockEnds: Array(1...2999))
    #expect(try Zstd.decompress(many, limit: 3000) == random)
  }

  @Test func aHandMadeFrameIsRead() throws {
    let bytes = frame(0b0010_0000, [200]) + zeros(200)
    #expect(try Zstd.decompress(bytes, limit: 200) == [UInt8](repeating: 0, count: 200))
  }

  @Test func aBombIsRefusedBeforeItIsUnpacked() throws {
    let bomb = try Zstd.compress([UInt8](repeating: 0, count: 32 << 20))
    #expect(bomb.count < 8192)
    expect(.tooLarge) { _ = try Zstd.decompress(bomb, limit: 8 << 20) }
  }

  @Test func aSizeOfTwoToTheSixtyIsRefused() {
    let size: [UInt8] = [0, 0, 0, 0, 0, 0, 0, 0x10]
    expect(.tooLarge) { _ = try Zstd.decompress(frame(0b1110_0000, size) + zeros(1), limit: 8 << 20) }
    expect(.tooLarge, "2^64-1") {
      let most = [UInt8](repeating: 0xff, count: 8)
      _ = try Zstd.decompress(frame(0b1110_0000, most) + zeros(1), limit: .max)
    }
  }

  @Test func aSizeThatIsALieIsRefused() {
    expect(.compression, "more than stated") {
      _ = try Zstd.decompress(frame(0b0010_0000, [100]) + zeros(200), limit: 1000)
    }
    #expect(throws: CodecError.self, "less than stated") {
      _ = try Zstd.decompress(frame(0b0010_0000, [200]) + zeros(100), limit: 1000)
    }
  }

  @Test func aMissingSizeIsRefused() {
    expect(.malformed) { _ = try Zstd.decompress(frame(0, [0]) + zeros(5), limit: 100) }
  }

  @Test func aWindowAboveEightMebibytesIsRefused() throws {
    let largest = frame(0b1000_0000, [13 << 3, 5, 0, 0, 0]) + zeros(5)
    #expect(try Zstd.decompress(largest, limit: 100).count == 5)
    expect(.tooLarge) {
      _ = try Zstd.decompress(frame(0b1000_0000, [13 << 3 | 1, 5, 0, 0, 0]) + zeros(5), limit: 100)
    }
    expect(.tooLarge) {
      _ = try Zstd.decompress(frame(0b1000_0000, [31 << 3, 5, 0, 0, 0]) + zeros(5), limit: 100)
    }
  }

  @Test func aDictionaryAReservedBitAndASkippableFrameAreRefused() {
    expect(.malformed) { _ = try Zstd.decompress(frame(0b0010_0001, [7, 5]) + zeros(5), limit: 100) }
    expect(.malformed) { _ = try Zstd.decompress(frame(0b0010_1000, [5]) + zeros(5), limit: 100) }
    let skippable = hex("502a4d18 04000000 01020304")
    expect(.badMagic) { _ = try Zstd.decompress(skippable, limit: 100) }
    expect(.badMagic) { _ = try Zstd.decompress(skippable + frame(0b0010_0000, [5]) + zeros(5), limit: 100) }
  }

  @Test func aSecondFrameASkippableTailAndTrailingBytesAreRefused() throws {
    let packed = try Zstd.compress(text)
    for tail in [packed, hex("502a4d18 00000000"), [0], [0xff, 0xff]] {
      expect(.trailingBytes) { _ = try Zstd.decompress(packed + tail, limit: 2 * text.count) }
    }
  }

  @Test func everyCutFrameIsRefused() throws {
    let packed = try Zstd.compress(Array(text[..<600]))
    for length in 0..<packed.count {
      #expect(throws: CodecError.self, "\(length)") {
        _ = try Zstd.decompress(Array(packed[..<length]), limit: 600)
      }
    }
  }
}
