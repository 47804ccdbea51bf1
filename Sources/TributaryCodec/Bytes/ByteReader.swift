/// Reads bytes from the front; integers are big-endian. Every read is bounded by what is left.
package struct ByteReader: Sendable {
  /// The bytes that are read; shared, never copied.
  package let bytes: [UInt8]
  /// The offset of the next byte within `bytes`.
  package private(set) var position: Int
  /// The offset where reading ends.
  package let end: Int

  /// Reads all of `bytes`.
  package init(_ bytes: [UInt8]) {
    self.bytes = bytes
    self.position = 0
    self.end = bytes.count
  }

  /// Reads a part of `bytes`; the range is cut to what is there.
  package init(_ bytes: [UInt8], in range: Range<Int>) {
    let range = range.clamped(to: 0..<bytes.count)
    self.bytes = bytes
    self.position = range.lowerBound
    self.end = range.upperBound
  }

  /// The number of bytes left.
  package var remaining: Int { end &- position }

  /// Whether nothing is left.
  package var isAtEnd: Bool { position == end }

  /// The next byte, left in place; nil at the end.
  package var next: UInt8? { position < end ? bytes[position] : nil }

  /// One byte.
  package mutating func readU8() throws(CodecError) -> UInt8 {
    guard position < end else { throw truncated(1) }
    defer { position &+= 1 }
    return bytes[position]
  }

  /// Two bytes, big-endian.
  package mutating func readU16() throws(CodecError) -> UInt16 { UInt16(bigEndian: try load()) }

  /// Four bytes, big-endian.
  package mutating func readU32() throws(CodecError) -> UInt32 { UInt32(bigEndian: try load()) }

  /// Eight bytes, big-endian.
  package mutating func readU64() throws(CodecError) -> UInt64 { UInt64(bigEndian: try load()) }

  /// Passes over `count` bytes and returns where they lie in `bytes`.
  package mutating func advance(_ count: Int) throws(CodecError) -> Range<Int> {
    guard count >= 0, count <= remaining else { throw truncated(count) }
    defer { position &+= count }
    return position..<(position &+ count)
  }

  /// A copy of the next `count` bytes.
  package mutating func readBytes(_ count: Int) throws(CodecError) -> [UInt8] {
    Array(bytes[try advance(count)])
  }

  /// An unsigned LEB128 number of at most 64 bits in as few bytes as it needs.
  package mutating func readVarint() throws(CodecError) -> UInt64 {
    var value: UInt64 = 0
    var shift: UInt64 = 0
    while true {
      let byte = try readU8()
      if shift == 63, byte > 1 { throw tooLarge() }
      value |= UInt64(byte & 0x7f) &<< shift
      if byte & 0x80 == 0 {
        if byte == 0, shift > 0 { throw notMinimal() }
        return value
      }
      shift &+= 7
    }
  }

  /// A signed number in zigzag form.
  package mutating func readZigzag() throws(CodecError) -> Int64 {
    let raw = try readVarint()
    return Int64(bitPattern: raw >> 1) ^ -Int64(bitPattern: raw & 1)
  }

  /// Fails unless every byte was read.
  package func finish() throws(CodecError) {
    guard isAtEnd else {
      throw CodecError(.trailingBytes, "\(remaining) bytes follow the end at offset \(position).")
    }
  }

  private mutating func load<Number: FixedWidthInteger & BitwiseCopyable>() throws(CodecError) -> Number {
    let range = try advance(MemoryLayout<Number>.size)
    return bytes.withUnsafeBytes { $0.loadUnaligned(fromByteOffset: range.lowerBound, as: Number.self) }
  }
}

/// The errors, apart so that the reads stay small.
extension ByteReader {
  @inline(never)
  private func truncated(_ wanted: Int) -> CodecError {
    CodecError(
      .truncated,
      "The bytes end too early: \(wanted) wanted at offset \(position), \(remaining) left. Fetch the file again."
    )
  }

  @inline(never)
  private func tooLarge() -> CodecError {
    CodecError(.tooLarge, "A variable-length number before offset \(position) exceeds 64 bits.")
  }

  @inline(never)
  private func notMinimal() -> CodecError {
    CodecError(.notMinimal, "A variable-length number before offset \(position) has needless bytes.")
  }
}
