/// Reads one JSON value (RFC 8259) with bounds on its size and depth; repeated keys are an error.
struct JSONReader {
  static let maximumSize = 16 << 20
  static let maximumDepth = 32

  private let bytes: [UInt8]
  private var position = 0
  private var depth = 0

  private init(_ bytes: [UInt8]) { self.bytes = bytes }

  /// The value that the text holds, and nothing after it.
  static func read(_ bytes: [UInt8]) throws -> JSON {
    guard bytes.count <= maximumSize else {
      throw SchemaError(
        .tooLarge, "The schema is \(bytes.count) bytes long. Make it at most \(maximumSize) bytes.")
    }
    var reader = JSONReader(bytes)
    let value = try reader.value()
    reader.skipBlanks()
    guard reader.position == bytes.count else { throw reader.failure("there is more after the end") }
    return value
  }

  private var next: UInt8? { position < bytes.count ? bytes[position] : nil }

  private mutating func skipBlanks() {
    while let byte = next, byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 { position += 1 }
  }

  private mutating func value() throws -> JSON {
    skipBlanks()
    guard let byte = next else { throw failure("it ends where a value was expected") }
    switch byte {
    case UInt8(ascii: "{"): return try nested { .object(try $0.members()) }
    case UInt8(ascii: "["): return try nested { .array(try $0.elements()) }
    case UInt8(ascii: "\""): return .string(try string())
    case UInt8(ascii: "t"): return try word("true", .bool(true))
    case UInt8(ascii: "f"): return try word("false", .bool(false))
    case UInt8(ascii: "n"): return try word("null", .null)
    default: return try number()
    }
  }

  private mutating func nested(_ body: (inout JSONReader) throws -> JSON) throws -> JSON {
    guard depth < Self.maximumDepth else {
      throw SchemaError(
        .tooLarge,
        "The schema is nested more than \(Self.maximumDepth) deep, at byte \(position). Flatten it.")
    }
    depth += 1
    position += 1
    let value = try body(&self)
    depth -= 1
    return value
  }

  private mutating func elements() throws -> [JSON] {
    var values: [JSON] = []
    if takes("]") { return values }
    repeat { values.append(try value()) } while takes(",")
    guard takes("]") else { throw failure("a comma or the end of a list is missing") }
    return values
  }

  private mutating func members() throws -> [JSON.Member] {
    var members: [JSON.Member] = []
    var names: Set<String> = []
    if takes("}") { return members }
    repeat {
      skipBlanks()
      guard next == UInt8(ascii: "\"") else { throw failure("a key is missing") }
      let name = try string()
      guard names.insert(name).inserted else {
        throw SchemaError(.unknownKey, "The schema has the key “\(name)” twice in one object. Remove one.")
      }
      guard takes(":") else { throw failure("a colon is missing after “\(name)”") }
      members.append(JSON.Member(name, try value()))
    } while takes(",")
    guard takes("}") else { throw failure("a comma or the end of an object is missing") }
    return members
  }

  private mutating func takes(_ character: Unicode.Scalar) -> Bool {
    skipBlanks()
    guard next == UInt8(ascii: character) else { return false }
    position += 1
    return true
  }

  private mutating func word(_ word: String, _ value: JSON) throws -> JSON {
    guard bytes[position...].starts(with: word.utf8) else { throw failure("there is no value") }
    position += word.utf8.count
    return value
  }

  private func failure(_ problem: String) -> SchemaError {
    SchemaError(.notJSON, "The schema is not JSON: \(problem), at byte \(position). Mend the text there.")
  }
}

extension JSONReader {
  private mutating func number() throws -> JSON {
    let start = position
    if next == UInt8(ascii: "-") { position += 1 }
    let first = next
    let whole = skipDigits()
    guard whole > 0, whole == 1 || first != UInt8(ascii: "0") else { throw failure("there is no value") }
    var isWhole = true
    if next == UInt8(ascii: ".") {
      isWhole = false
      position += 1
      guard skipDigits() > 0 else { throw failure("digits are missing") }
    }
    if next == UInt8(ascii: "e") || next == UInt8(ascii: "E") {
      isWhole = false
      position += 1
      if next == UInt8(ascii: "+") || next == UInt8(ascii: "-") { position += 1 }
      guard skipDigits() > 0 else { throw failure("digits are missing") }
    }
    let text = String(decoding: bytes[start..<position], as: UTF8.self)
    if isWhole, let value = Int64(text) { return .integer(value) }
    guard let value = Double(text), value.isFinite else { throw failure("the number is too large") }
    return .real(value)
  }

  private mutating func skipDigits() -> Int {
    let start = position
    while let byte = next, byte >= 0x30, byte <= 0x39 { position += 1 }
    return position - start
  }

  private mutating func string() throws -> String {
    position += 1
    var content: [UInt8] = []
    while let byte = next {
      position += 1
      switch byte {
      case UInt8(ascii: "\""): return try decoded(content)
      case UInt8(ascii: "\\"): content.append(contentsOf: try escape().utf8)
      case 0..<0x20: throw failure("a string holds a control character")
      default: content.append(byte)
      }
    }
    throw failure("a string does not end")
  }

  private func decoded(_ content: [UInt8]) throws -> String {
    let text = String(decoding: content, as: UTF8.self)
    guard text.utf8.elementsEqual(content) else { throw failure("a string is not UTF-8") }
    return text
  }

  private mutating func escape() throws -> String {
    let byte = next
    position += 1
    switch byte {
    case UInt8(ascii: "n"): return "\n"
    case UInt8(ascii: "t"): return "\t"
    case UInt8(ascii: "r"): return "\r"
    case UInt8(ascii: "b"): return "\u{8}"
    case UInt8(ascii: "f"): return "\u{C}"
    case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"):
      return byte.map { String(UnicodeScalar($0)) } ?? ""
    case UInt8(ascii: "u"): return try unicodeEscape()
    default: throw failure("an escape is not known")
    }
  }

  private mutating func unicodeEscape() throws -> String {
    var value = try fourDigits()
    if (0xD800..<0xDC00).contains(value), bytes[position...].starts(with: [0x5C, 0x75]) {
      position += 2
      let low = try fourDigits()
      guard (0xDC00..<0xE000).contains(low) else { throw failure("half of a surrogate pair is missing") }
      value = 0x10000 + (value - 0xD800) << 10 + (low - 0xDC00)
    }
    guard let scalar = Unicode.Scalar(value) else { throw failure("half of a surrogate pair is missing") }
    return String(scalar)
  }

  private mutating func fourDigits() throws -> UInt32 {
    guard bytes.count - position >= 4,
      let pair = Hex.bytes(String(decoding: bytes[position..<position + 4], as: UTF8.self)), pair.count == 2
    else { throw failure("four hexadecimal digits are missing") }
    position += 4
    return UInt32(pair[0]) << 8 | UInt32(pair[1])
  }
}
