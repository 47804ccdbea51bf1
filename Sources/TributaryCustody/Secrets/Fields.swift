/// Writes big-endian numbers and length-prefixed bytes.
struct FieldWriter {
  private(set) var bytes: [UInt8] = []

  mutating func number<Number: FixedWidthInteger>(_ value: Number) {
    for shift in stride(from: Number.bitWidth - 8, through: 0, by: -8) {
      bytes.append(UInt8(truncatingIfNeeded: value >> Number(shift)))
    }
  }

  mutating func raw(_ value: some Sequence<UInt8>) { bytes += value }

  mutating func counted(_ value: some Collection<UInt8>) {
    number(UInt32(value.count))
    bytes += value
  }
}

/// Reads what `FieldWriter` wrote. Every length is checked against the bytes that are left.
struct FieldReader {
  private var rest: ArraySlice<UInt8>

  init(_ bytes: some Sequence<UInt8>) { rest = ArraySlice(bytes) }

  var isAtEnd: Bool { rest.isEmpty }

  mutating func raw(_ count: Int) throws -> [UInt8] {
    guard count >= 0, count <= rest.count else { throw FieldReader.damage("It is cut off.") }
    defer { rest = rest.dropFirst(count) }
    return Array(rest.prefix(count))
  }

  mutating func number<Number: FixedWidthInteger>(_ type: Number.Type = Number.self) throws -> Number {
    try raw(Number.bitWidth / 8).reduce(0) { $0 << 8 | Number($1) }
  }

  mutating func counted() throws -> [UInt8] {
    let count = try number(UInt32.self)
    guard count <= rest.count else { throw FieldReader.damage("A length goes beyond its end.") }
    return try raw(Int(count))
  }

  mutating func text() throws -> String {
    let bytes = try counted()
    guard let text = String(validating: bytes, as: UTF8.self) else {
      throw FieldReader.damage("A text in it is not UTF-8.")
    }
    return text
  }

  /// Throws unless everything was read.
  func finish() throws {
    guard isAtEnd else { throw FieldReader.damage("A field in it is too long.") }
  }

  static func damage(_ detail: String) -> CustodyError {
    CustodyError(
      .damaged, "The device's secrets cannot be read. \(detail)",
      remedy: "Restore the file, or attach anew with the password: the device then takes a new id.")
  }
}
