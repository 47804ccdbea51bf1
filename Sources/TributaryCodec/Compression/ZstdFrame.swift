/// What a Zstandard frame header says (RFC 8878, section 3.1.1.1), judged without allocating.
///
/// Refused: skippable frames, a dictionary, a reserved bit, a missing content size, a window above 8 MiB.
struct ZstdFrame: Sendable {
  /// The largest window a reader must hold: windowLog 23.
  static let largestWindow: UInt64 = 1 << 23

  /// The declared size of the content in bytes.
  let contentSize: UInt64

  /// Judges the header at the start of `bytes`.
  init(_ bytes: [UInt8]) throws(CodecError) {
    var input = ByteReader(bytes)
    let magic = UInt32(try input.readU32().byteSwapped)
    guard magic == 0xFD2F_B528 else {
      throw CodecError(.badMagic, "No zstd frame; a skippable frame or other bytes. Discard the file.")
    }
    let descriptor = try input.readU8()
    guard descriptor & 0b0000_1000 == 0 else {
      throw CodecError(.malformed, "A zstd frame sets a reserved bit. Discard the file.")
    }
    guard descriptor & 0b0000_0011 == 0 else {
      throw CodecError(.malformed, "A zstd frame wants a dictionary; the format has none. Discard the file.")
    }
    let isSingleSegment = descriptor & 0b0010_0000 != 0
    let window = isSingleSegment ? nil : Self.window(try input.readU8())
    guard let size = try Self.contentSize(&input, code: descriptor >> 6, isSingleSegment) else {
      throw CodecError(.malformed, "A zstd frame does not state its size. Discard the file.")
    }
    guard window ?? 0 <= Self.largestWindow else {
      throw CodecError(.tooLarge, "A zstd frame wants a window above 8 MiB. Discard the file.")
    }
    contentSize = size
  }

  private static func window(_ byte: UInt8) -> UInt64 {
    let base: UInt64 = 1 << (10 + UInt64(byte >> 3))
    return base + base / 8 * UInt64(byte & 7)
  }

  private static func contentSize(
    _ input: inout ByteReader, code: UInt8, _ isSingleSegment: Bool
  ) throws(CodecError) -> UInt64? {
    switch code {
    case 0: isSingleSegment ? UInt64(try input.readU8()) : nil
    case 1: UInt64(try input.readU16().byteSwapped) + 256
    case 2: UInt64(try input.readU32().byteSwapped)
    default: try input.readU64().byteSwapped
    }
  }
}
