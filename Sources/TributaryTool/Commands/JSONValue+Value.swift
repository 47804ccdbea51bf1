import TributaryModel

extension JSONValue {
  /// A SQLite value; a blob as its digits in an object, so that it cannot be taken for text.
  init(sql value: TributaryModel.Value) {
    switch value {
    case .null: self = .null
    case .integer(let integer): self = .integer(integer)
    case .real(let real): self = .number(real)
    case .text(let bytes): self = .string(String(decoding: bytes, as: UTF8.self))
    case .blob(let bytes): self = ["blob": .string(bytes.map(hexadecimal).joined())]
    }
  }
}
