/// What a fixture must say, as JSON that any language can compare: members in their order, ASCII alone.
indirect enum Plain {
  case null
  case flag(Bool)
  case number(Int64)
  case text(String)
  case list([Plain])
  case tree([Member])
  /// JSON that somebody else wrote.
  case json(String)

  struct Member {
    let name: String
    let value: Plain
  }

  static func object(_ members: [(String, Plain)]) -> Plain {
    .tree(members.map { Member(name: $0, value: $1) })
  }

  /// The members that are there.
  static func members(_ members: KeyValuePairs<String, Plain?>) -> Plain {
    .object(members.compactMap { name, value in value.map { (name, $0) } })
  }

  static func number(_ number: some BinaryInteger) -> Plain { .number(Int64(truncatingIfNeeded: number)) }

  static func hex(_ bytes: some Sequence<UInt8>) -> Plain {
    .text(bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined())
  }

  /// The text of a file: what fits into a line of 100 characters is on one.
  var file: String { pretty("") + "\n" }

  /// On one line.
  var line: String {
    switch self {
    case .null: "null"
    case .flag(let flag): flag ? "true" : "false"
    case .number(let number): "\(number)"
    case .text(let text): Self.quote(text)
    case .list(let items): "[\(items.map(\.line).joined(separator: ", "))]"
    case .tree(let members):
      "{\(members.map { "\(Self.quote($0.name)): \($0.value.line)" }.joined(separator: ", "))}"
    case .json(let text): text
    }
  }

  private func pretty(_ indent: String) -> String {
    let line = line
    if line.utf8.count + indent.utf8.count <= 100, !line.utf8.contains(10) { return line }
    let inner = indent + "  "
    switch self {
    case .list(let items):
      return "[\n" + items.map { inner + $0.pretty(inner) }.joined(separator: ",\n") + "\n\(indent)]"
    case .tree(let members):
      let lines = members.map { "\(inner)\(Self.quote($0.name)): \($0.value.pretty(inner))" }
      return "{\n" + lines.joined(separator: ",\n") + "\n\(indent)}"
    case .json(let text):
      let lines = text.split(separator: "\n")
      return lines.joined(separator: "\n" + indent)
    default: return line
    }
  }

  private static func quote(_ text: String) -> String {
    var out = "\""
    for unit in text.utf16 {
      switch unit {
      case 0x22: out += "\\\""
      case 0x5C: out += "\\\\"
      case 0x20...0x7E: out.unicodeScalars.append(Unicode.Scalar(UInt8(unit)))
      default:
        let digits = String(unit, radix: 16)
        out += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
      }
    }
    return out + "\""
  }
}
