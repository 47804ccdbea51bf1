/// Reads deterministic CBOR (RFC 8949, section 4.2), item after item, and refuses everything else.
///
/// Refused: numbers, lengths and counts in more bytes than needed; indefinite lengths; tags; half and single
/// floats; NaN; simple values but false, true and null; counts above the bytes left; text that is not UTF-8;
/// nesting beyond `CBORLimit.depth`; map keys that repeat or do not ascend.
///
/// A count is bounded by the bytes left, one byte an item. Do not reserve more than that for a large element.
///
/// The reader knows how many items each open container still has, so depth needs no call at a container's end.
package struct CBORReader: Sendable {
  /// The bytes and the place in them.
  package internal(set) var input: ByteReader
  /// Items left in the innermost open container.
  private var itemsLeft = Int.max
  /// The same for the containers around it.
  private var outer: [Int] = []

  /// Reads all of `bytes`.
  package init(_ bytes: [UInt8]) { input = ByteReader(bytes) }

  /// Reads what `input` has left.
  package init(_ input: ByteReader) { self.input = input }

  /// Whether no byte is left.
  package var isAtEnd: Bool { input.isAtEnd }

  /// How many containers are open around the next item.
  package var depth: Int { outer.count }

  /// The type of the next item, left in place.
  package func peekType() throws(CodecError) -> CBORType {
    guard let byte = input.next else { throw ended() }
    guard let type = CBORType(first: byte) else { throw unsupported(byte) }
    return type
  }

  /// An unsigned integer up to `limit`.
  package mutating func readUInt(limit: UInt64 = .max) throws(CodecError) -> UInt64 {
    let value = try readHead(.unsigned)
    guard value <= limit else { throw tooLarge(value, limit) }
    endItem()
    return value
  }

  /// A signed integer; those outside Int64 are refused.
  package mutating func readInt() throws(CodecError) -> Int64 {
    let isNegative = try peekType() == .negative
    let value = try readHead(isNegative ? .negative : .unsigned)
    guard value <= UInt64(Int64.max) else { throw tooLarge(value, UInt64(Int64.max)) }
    endItem()
    return isNegative ? ~Int64(value) : Int64(value)
  }

  /// `n` of the negative integer `-1 - n`, for those below the range of Int64 too.
  package mutating func readNegative() throws(CodecError) -> UInt64 {
    let value = try readHead(.negative)
    endItem()
    return value
  }

  /// A byte string of at most `limit` bytes.
  package mutating func readBytes(limit: Int) throws(CodecError) -> [UInt8] {
    Array(input.bytes[try readString(.bytes, limit: limit)])
  }

  /// A text string of at most `limit` bytes, as UTF-8.
  package mutating func readUTF8(limit: Int) throws(CodecError) -> [UInt8] {
    Array(input.bytes[try readString(.text, limit: limit)])
  }

  /// A text string of at most `limit` bytes.
  package mutating func readText(limit: Int) throws(CodecError) -> String {
    String(decoding: input.bytes[try readString(.text, limit: limit)], as: UTF8.self)
  }

  /// The start of an array: the number of items that follow, which all must be read or skipped.
  package mutating func readArray(limit: Int = .max) throws(CodecError) -> Int {
    try open(.array, itemsPerEntry: 1, limit: limit)
  }

  /// The start of a map: the number of pairs that follow, which all must be read or skipped.
  package mutating func readMap(limit: Int = .max) throws(CodecError) -> Int {
    try open(.map, itemsPerEntry: 2, limit: limit)
  }

  /// A double, bit for bit; NaN is refused.
  package mutating func readDouble() throws(CodecError) -> Double {
    try expect(.double)
    _ = try input.readU8()
    let value = Double(bitPattern: try input.readU64())
    guard !value.isNaN else {
      throw CodecError(.malformed, "NaN at offset \(input.position - 9); the format has none.")
    }
    endItem()
    return value
  }

  /// True or false.
  package mutating func readBool() throws(CodecError) -> Bool {
    try expect(.bool)
    let value = try input.readU8() == 0xf5
    endItem()
    return value
  }

  /// Null.
  package mutating func readNull() throws(CodecError) {
    try expect(.null)
    _ = try input.readU8()
    endItem()
  }

  /// Fails unless every byte was read and every container closed.
  package func finish() throws(CodecError) {
    guard outer.isEmpty else { throw ended() }
    try input.finish()
  }
}

/// The parts beneath the reads.
extension CBORReader {
  /// A string's place in the input, checked against `limit` and, for text, for UTF-8.
  mutating func readString(_ type: CBORType, limit: Int) throws(CodecError) -> Range<Int> {
    let length = try readHead(type)
    guard length <= UInt64(max(0, limit)) else { throw tooLarge(length, UInt64(max(0, limit))) }
    let range = try input.advance(Int(length))
    if type == .text, !UTF8Check.isValid(input.bytes, in: range) {
      throw CodecError(.malformed, "Text at offset \(range.lowerBound) is not UTF-8.")
    }
    endItem()
    return range
  }

  private mutating func open(_ type: CBORType, itemsPerEntry: Int, limit: Int) throws(CodecError) -> Int {
    let count = try readHead(type)
    let most = min(max(0, limit), input.remaining / itemsPerEntry)
    guard count <= UInt64(most) else { throw tooLarge(count, UInt64(most)) }
    guard outer.count < CBORLimit.depth else {
      throw CodecError(
        .tooDeep, "Containers nest deeper than \(CBORLimit.depth) before offset \(input.position).")
    }
    guard count > 0 else {
      endItem()
      return 0
    }
    outer.append(itemsLeft &- 1)
    itemsLeft = Int(count) &* itemsPerEntry
    return Int(count)
  }

  /// Counts an item as read and closes the containers that it was the last of.
  private mutating func endItem() {
    itemsLeft &-= 1
    while itemsLeft == 0, let around = outer.popLast() { itemsLeft = around }
  }

  private func expect(_ type: CBORType) throws(CodecError) {
    let found = try peekType()
    guard found == type else { throw unexpected(found, type) }
  }

  private mutating func readHead(_ type: CBORType) throws(CodecError) -> UInt64 {
    guard let byte = input.next, byte & 0xe0 == type.major, byte & 0x1f < 24 else {
      return try readLongHead(type)
    }
    _ = try input.readU8()
    return UInt64(byte & 0x1f)
  }

  private mutating func readLongHead(_ type: CBORType) throws(CodecError) -> UInt64 {
    try expect(type)
    let start = input.position
    let value: UInt64
    let least: UInt64
    switch try input.readU8() & 0x1f {
    case 24: (value, least) = (UInt64(try input.readU8()), 24)
    case 25: (value, least) = (UInt64(try input.readU16()), 0x100)
    case 26: (value, least) = (UInt64(try input.readU32()), 0x1_0000)
    case 27: (value, least) = (try input.readU64(), 0x1_0000_0000)
    default: throw CodecError(.malformed, "An indefinite or reserved length at offset \(start).")
    }
    guard value >= least else {
      throw CodecError(.notMinimal, "A number at offset \(start) has needless bytes.")
    }
    return value
  }
}

/// The errors, apart so that the reads stay small.
extension CBORReader {
  @inline(never)
  private func ended() -> CodecError {
    CodecError(.truncated, "The bytes end at offset \(input.position) inside an item or before one.")
  }

  @inline(never)
  private func unsupported(_ byte: UInt8) -> CodecError {
    CodecError(
      .malformed,
      "Byte \(byte) at offset \(input.position) begins a tag, a short float or a simple value; the format has none."
    )
  }

  @inline(never)
  private func unexpected(_ found: CBORType, _ wanted: CBORType) -> CodecError {
    CodecError(.unexpectedType, "\(wanted) wanted at offset \(input.position), \(found) found.")
  }

  @inline(never)
  private func tooLarge(_ value: UInt64, _ limit: UInt64) -> CodecError {
    CodecError(.tooLarge, "\(value) before offset \(input.position) is above the limit of \(limit).")
  }
}
