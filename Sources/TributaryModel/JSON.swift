/// A JSON value, with whole numbers apart from others and members in their order.
///
/// Written by hand because a schema needs what common decoders hide: unknown and repeated keys, and whether
/// a default is `1` or `1.0`.
indirect enum JSON: Equatable {
  case null
  case bool(Bool)
  case integer(Int64)
  case real(Double)
  case string(String)
  case array([JSON])
  case object([Member])

  struct Member: Equatable {
    var name: String
    var value: JSON

    init(_ name: String, _ value: JSON) {
      self.name = name
      self.value = value
    }
  }

  /// What the value is called in an error message.
  var kind: String {
    switch self {
    case .null: "null"
    case .bool: "true or false"
    case .integer: "a whole number"
    case .real: "a number"
    case .string: "a string"
    case .array: "a list"
    case .object: "an object"
    }
  }

  /// The value as text, two blanks a level, lists without objects on one line.
  var text: String {
    var text = ""
    write(to: &text, indent: "")
    return text
  }

  private func write(to text: inout String, indent: String) {
    switch self {
    case .null: text += "null"
    case .bool(let value): text += value ? "true" : "false"
    case .integer(let value): text += "\(value)"
    case .real(let value): text += "\(value)"
    case .string(let value): Self.write(value, to: &text)
    case .array(let values): Self.write(values, to: &text, indent)
    case .object(let members): Self.write(members, to: &text, indent)
    }
  }

  private static func write(_ values: [JSON], to text: inout String, _ indent: String) {
    let isNested = values.contains { if case .object = $0 { true } else { false } }
    let inner = indent + "  "
    text += "["
    for (index, value) in values.enumerated() {
      if index > 0 { text += isNested ? "," : ", " }
      if isNested { text += "\n" + inner }
      value.write(to: &text, indent: isNested ? inner : indent)
    }
    text += isNested ? "\n\(indent)]" : "]"
  }

  private static func write(_ members: [Member], to text: inout String, _ indent: String) {
    guard !members.isEmpty else {
      text += "{}"
      return
    }
    let inner = indent + "  "
    text += "{"
    for (index, member) in members.enumerated() {
      text += index > 0 ? ",\n\(inner)" : "\n\(inner)"
      write(member.name, to: &text)
      text += ": "
      member.value.write(to: &text, indent: inner)
    }
    text += "\n\(indent)}"
  }

  private static func write(_ string: String, to text: inout String) {
    text += "\""
    for scalar in string.unicodeScalars {
      switch scalar {
      case "\"": text += "\\\""
      case "\\": text += "\\\\"
      case "\n": text += "\\n"
      case "\t": text += "\\t"
      case "\r": text += "\\r"
      case "\u{0}"..<"\u{20}": text += "\\u00" + Hex.string([UInt8(truncatingIfNeeded: scalar.value)])
      default: text.unicodeScalars.append(scalar)
      }
    }
    text += "\""
  }
}

/// Bytes as lower-case hexadecimal digits.
enum Hex {
  static func string(_ bytes: [UInt8]) -> String {
    var text = ""
    text.reserveCapacity(bytes.count * 2)
    for byte in bytes {
      if byte < 16 { text += "0" }
      text += String(byte, radix: 16)
    }
    return text
  }

  /// The bytes; nil for anything but pairs of hexadecimal digits.
  static func bytes(_ text: String) -> [UInt8]? {
    let digits = text.utf8.map { Character(UnicodeScalar($0)).hexDigitValue }
    guard digits.count.isMultiple(of: 2) else { return nil }
    var bytes: [UInt8] = []
    bytes.reserveCapacity(digits.count / 2)
    for index in stride(from: 0, to: digits.count, by: 2) {
      guard let high = digits[index], let low = digits[index + 1] else { return nil }
      bytes.append(UInt8(high << 4 | low))
    }
    return bytes
  }
}
