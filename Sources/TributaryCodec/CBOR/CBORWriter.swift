package import TributaryModel

/// Writes deterministic CBOR (RFC 8949, section 4.2), item after item.
///
/// - Numbers, lengths and counts take as few bytes as they can; no indefinite lengths, no tags.
/// - Doubles always take nine bytes (0xfb) with their exact bits, never shortened to half or single: one rule
///   of the kind that section 4.2.2 allows. NaN is refused.
/// - The caller writes exactly as many items as a count said, and map keys in ascending order of their encodings.
package struct CBORWriter: Sendable {
  private var output: ByteWriter

  /// An empty writer with room for `capacity` bytes.
  package init(capacity: Int = 0) { output = ByteWriter(capacity: capacity) }

  /// What was written so far.
  package var bytes: [UInt8] { output.bytes }

  /// The number of bytes written so far.
  package var count: Int { output.count }

  /// Forgets the bytes but keeps the room.
  package mutating func removeAll() { output.removeAll() }

  /// An unsigned integer.
  package mutating func write(uint value: UInt64) { write(head: .unsigned, value) }

  /// The negative integer `-1 - value`, for those below the range of Int64 too.
  package mutating func write(negative value: UInt64) { write(head: .negative, value) }

  /// A signed integer.
  package mutating func write(int value: Int64) {
    if value >= 0 {
      write(head: .unsigned, UInt64(value))
    } else {
      write(head: .negative, UInt64(bitPattern: ~value))
    }
  }

  /// A byte string.
  package mutating func write(bytes: [UInt8]) {
    write(head: .bytes, UInt64(bytes.count))
    output.write(bytes: bytes)
  }

  /// A text string, from bytes that the caller knows to be UTF-8.
  package mutating func write(utf8 bytes: [UInt8]) {
    write(head: .text, UInt64(bytes.count))
    output.write(bytes: bytes)
  }

  /// A text string.
  package mutating func write(text: String) { write(utf8: Array(text.utf8)) }

  /// The start of an array; `count` items follow.
  package mutating func write(array count: Int) { write(head: .array, UInt64(count)) }

  /// The start of a map; `count` pairs of key and value follow, keys ascending.
  package mutating func write(map count: Int) { write(head: .map, UInt64(count)) }

  /// A double in nine bytes, bit for bit; NaN is refused.
  package mutating func write(double value: Double) throws(CodecError) {
    guard !value.isNaN else {
      throw CodecError(.malformed, "NaN cannot be written: SQLite stores it as NULL. Write null instead.")
    }
    output.write(u8: 0xfb)
    output.write(u64: value.bitPattern)
  }

  /// True or false.
  package mutating func write(bool value: Bool) { output.write(u8: value ? 0xf5 : 0xf4) }

  /// Null.
  package mutating func writeNull() { output.write(u8: 0xf6) }

  /// An item that is CBOR already.
  package mutating func write(encoded bytes: [UInt8]) { output.write(bytes: bytes) }

  /// An SQLite value.
  ///
  /// NULL is null, an integer an integer, a real a double, a blob a byte string. Text is a text string if it
  /// is well-formed UTF-8, else the array `[0, bytes]`.
  package mutating func write(value: Value) throws(CodecError) {
    switch value {
    case .null: writeNull()
    case .integer(let number): write(int: number)
    case .real(let number): try write(double: number)
    case .blob(let bytes): write(bytes: bytes)
    case .text(let bytes):
      if UTF8Check.isValid(bytes) { return write(utf8: bytes) }
      write(array: 2)
      write(uint: 0)
      write(bytes: bytes)
    }
  }

  private mutating func write(head type: CBORType, _ value: UInt64) {
    let major = type.major
    switch value {
    case 0..<24: output.write(u8: major | UInt8(value))
    case 24...0xff:
      output.write(u8: major | 24)
      output.write(u8: UInt8(value))
    case 0x100...0xffff:
      output.write(u8: major | 25)
      output.write(u16: UInt16(value))
    case 0x1_0000...0xffff_ffff:
      output.write(u8: major | 26)
      output.write(u32: UInt32(value))
    default:
      output.write(u8: major | 27)
      output.write(u64: value)
    }
  }
}
