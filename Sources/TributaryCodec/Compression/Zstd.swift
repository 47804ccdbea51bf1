internal import CZstd

/// Zstandard (RFC 8878), one frame at a time.
///
/// A frame always states the size of its content and carries no checksum, since it is sealed afterwards.
package enum Zstd {
  /// The levels that keep the window within `ZstdFrame.largestWindow`.
  package static let levels = 1...19

  /// One frame with the size of its content.
  ///
  /// - Parameter blockEnds: ascending offsets at which a block ends, so that unlike columns do not share tables.
  package static func compress(
    _ bytes: [UInt8], level: Int = 1, blockEnds: [Int] = []
  ) throws(CodecError) -> [UInt8] {
    guard levels.contains(level) else {
      throw CodecError(.parameters, "Level \(level) is outside \(levels).")
    }
    guard let context = ZSTD_createCCtx() else { throw outOfMemory() }
    defer { ZSTD_freeCCtx(context) }
    try check(ZSTD_CCtx_setParameter(context, ZSTD_c_compressionLevel, Int32(level)))
    try check(ZSTD_CCtx_setPledgedSrcSize(context, UInt64(bytes.count)))
    // Every flush may add a block header and the last bits of its tables.
    let room = ZSTD_compressBound(bytes.count) + 32 * blockEnds.count
    var output = [UInt8](repeating: 0, count: room)
    let written = try run(context, bytes, into: &output, blockEnds: blockEnds)
    output.removeSubrange(written...)
    return output
  }

  /// The content of exactly one frame, at most `limit` bytes of it.
  ///
  /// The header is judged before anything is allocated: see `ZstdFrame`. Nothing may follow the frame.
  package static func decompress(_ bytes: [UInt8], limit: Int) throws(CodecError) -> [UInt8] {
    let frame = try ZstdFrame(bytes)
    guard frame.contentSize <= UInt64(max(0, limit)) else {
      throw CodecError(
        .tooLarge, "A frame claims \(frame.contentSize) bytes, above the limit of \(limit). Discard the file."
      )
    }
    let length = bytes.withUnsafeBytes { ZSTD_findFrameCompressedSize($0.baseAddress, $0.count) }
    try check(length)
    guard length == bytes.count else {
      throw CodecError(.trailingBytes, "\(bytes.count - length) bytes follow the frame. Discard the file.")
    }
    return try decode(bytes, size: Int(frame.contentSize))
  }

  private static func decode(_ bytes: [UInt8], size: Int) throws(CodecError) -> [UInt8] {
    var result = 0
    let output = [UInt8](unsafeUninitializedCapacity: size) { buffer, count in
      result = bytes.withUnsafeBytes {
        ZSTD_decompress(buffer.baseAddress, size, $0.baseAddress, $0.count)
      }
      count = ZSTD_isError(result) == 0 ? result : 0
    }
    try check(result)
    guard output.count == size else {
      throw CodecError(
        .malformed, "A frame claims \(size) bytes and holds \(output.count). Discard the file.")
    }
    return output
  }

  private static func run(
    _ context: OpaquePointer, _ bytes: [UInt8], into output: inout [UInt8], blockEnds: [Int]
  ) throws(CodecError) -> Int {
    var result = 0
    let written = bytes.withUnsafeBytes { source in
      output.withUnsafeMutableBytes { target in
        var input = ZSTD_inBuffer(src: source.baseAddress, size: 0, pos: 0)
        var sink = ZSTD_outBuffer(dst: target.baseAddress, size: target.count, pos: 0)
        for end in blockEnds where end > input.pos && end < source.count {
          input.size = end
          result = ZSTD_compressStream2(context, &sink, &input, ZSTD_e_flush)
          if result != 0 { return 0 }
        }
        input.size = source.count
        result = ZSTD_compressStream2(context, &sink, &input, ZSTD_e_end)
        return sink.pos
      }
    }
    try check(result)
    guard result == 0 else {
      throw CodecError(.compression, "The compressor needs more room than it said. Report this.")
    }
    return written
  }

  private static func check(_ result: Int) throws(CodecError) {
    guard ZSTD_isError(result) != 0 else { return }
    if ZSTD_getErrorCode(result) == ZSTD_error_memory_allocation { throw outOfMemory() }
    throw CodecError(.compression, "zstd: \(String(cString: ZSTD_getErrorName(result))). Discard the file.")
  }

  private static func outOfMemory() -> CodecError {
    CodecError(.memory, "Not enough memory for zstd. Close other work and sync again.")
  }
}
