package import TributaryModel

extension CBORReader {
  /// An SQLite value, as `CBORWriter.write(value:)` writes it; text and blobs have at most `limit` bytes.
  package mutating func readValue(limit: Int) throws(CodecError) -> Value {
    switch try peekType() {
    case .null:
      try readNull()
      return .null
    case .unsigned, .negative: return .integer(try readInt())
    case .double: return .real(try readDouble())
    case .text: return .text(try readUTF8(limit: limit))
    case .bytes: return .blob(try readBytes(limit: limit))
    case .array: return .text(try readRawText(limit: limit))
    case .map, .bool:
      throw CodecError(.unexpectedType, "A map or boolean at offset \(input.position) is no SQLite value.")
    }
  }

  /// `[0, bytes]`: text that is not UTF-8. Text that is has a form of its own, so this one refuses it.
  private mutating func readRawText(limit: Int) throws(CodecError) -> [UInt8] {
    let start = input.position
    guard try readArray() == 2, try readUInt() == 0 else {
      throw CodecError(.malformed, "An array at offset \(start) is not the form of raw text.")
    }
    let bytes = try readBytes(limit: limit)
    guard !UTF8Check.isValid(bytes) else {
      throw CodecError(.notMinimal, "Text at offset \(start) is UTF-8 but written as raw bytes.")
    }
    return bytes
  }
}
