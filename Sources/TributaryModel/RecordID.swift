/// The identity of a record within its type: its key values, encoded so that byte order is key order.
///
/// Each value is a kind byte and a payload. Numbers are eight bytes, big-endian and offset; a whole real is
/// written as the integer that SQLite holds equal to it. Text and blobs are raw; where another value follows,
/// a zero byte is written as `00 FF` and the end as `00 01`.
public struct RecordID: Hashable, Sendable, Comparable {
  /// At most ``maximumLength`` bytes.
  package let bytes: [UInt8]

  /// Longest identity that travels, in bytes.
  package static let maximumLength = 512

  /// From encoded bytes that are known to be well formed.
  package init(encoded bytes: [UInt8]) { self.bytes = bytes }

  /// From key values; nil if one is NULL or the whole is longer than ``maximumLength``.
  package init?(_ values: [Value]) {
    var bytes: [UInt8] = []
    for (index, value) in values.enumerated() {
      guard Self.append(value, isLast: index == values.count - 1, to: &bytes) else { return nil }
    }
    guard !bytes.isEmpty, bytes.count <= Self.maximumLength else { return nil }
    self.bytes = bytes
  }

  /// The key values; nil if the bytes are not what this type writes.
  package var values: [Value]? {
    // A single text or blob has one form only.
    if bytes.count <= Self.maximumLength,
      let value = withSingleContent({ $1 ? Value.text([UInt8]($0)) : .blob([UInt8]($0)) })
    {
      return [value]
    }
    var values: [Value] = []
    var rest = bytes[...]
    while let kind = rest.popFirst() {
      guard let value = Self.read(kind, &rest) else { return nil }
      values.append(value)
    }
    return values.isEmpty || RecordID(values) != self ? nil : values
  }

  /// Runs `body` over the content of a key that is one text or one blob; nil for another key.
  package func withSingleContent<T>(
    _ body: (_ content: UnsafeRawBufferPointer, _ isText: Bool) throws -> T
  ) rethrows -> T? {
    try bytes.withUnsafeBytes { all in
      guard let kind = all.first, kind == Kind.text || kind == Kind.blob else { return nil }
      return try body(UnsafeRawBufferPointer(rebasing: all.dropFirst()), kind == Kind.text)
    }
  }

  public static func == (left: RecordID, right: RecordID) -> Bool {
    left.bytes.count == right.bytes.count && ByteOrder.compare(left.bytes, right.bytes) == 0
  }

  public static func < (left: RecordID, right: RecordID) -> Bool {
    ByteOrder.compare(left.bytes, right.bytes) < 0
  }

  /// All bytes at once: one by one, as an array does it, takes ten times as long.
  public func hash(into hasher: inout Hasher) {
    bytes.withUnsafeBytes { hasher.combine(bytes: $0) }
  }
}

extension RecordID {
  private enum Kind {
    static let integer: UInt8 = 0x10
    static let real: UInt8 = 0x20
    static let text: UInt8 = 0x30
    static let blob: UInt8 = 0x40
    static let openText: UInt8 = 0x31
    static let openBlob: UInt8 = 0x41
  }

  private static func append(_ value: Value, isLast: Bool, to bytes: inout [UInt8]) -> Bool {
    switch value {
    case .null: return false
    case .integer(let number): appendNumber(Kind.integer, UInt64(bitPattern: number) ^ 1 << 63, &bytes)
    case .real(let number):
      if let whole = whole(number) { return append(.integer(whole), isLast: isLast, to: &bytes) }
      appendNumber(Kind.real, number.totalOrderKey, &bytes)
    case .text(let content): appendBytes(content, isLast ? Kind.text : Kind.openText, isLast, &bytes)
    case .blob(let content): appendBytes(content, isLast ? Kind.blob : Kind.openBlob, isLast, &bytes)
    }
    return true
  }

  /// The integer equal to a real. `Int64(exactly:)` would want the C library's rounding linked.
  private static func whole(_ number: Double) -> Int64? {
    guard number >= -0x1p63, number < 0x1p63 else { return nil }
    let whole = Int64(number)
    return Double(whole) == number ? whole : nil
  }

  private static func appendNumber(_ kind: UInt8, _ number: UInt64, _ bytes: inout [UInt8]) {
    bytes.append(kind)
    for shift in stride(from: UInt64(56), through: 0, by: -8) {
      bytes.append(UInt8(truncatingIfNeeded: number >> shift))
    }
  }

  private static func appendBytes(_ content: [UInt8], _ kind: UInt8, _ isLast: Bool, _ bytes: inout [UInt8]) {
    bytes.append(kind)
    if isLast { return bytes.append(contentsOf: content) }
    for byte in content {
      bytes.append(byte)
      if byte == 0 { bytes.append(0xFF) }
    }
    bytes.append(contentsOf: [0, 1])
  }

  private static func read(_ kind: UInt8, _ rest: inout ArraySlice<UInt8>) -> Value? {
    switch kind {
    case Kind.integer: readNumber(&rest).map { .integer(Int64(bitPattern: $0 ^ 1 << 63)) }
    case Kind.real:
      readNumber(&rest).map { .real(Double(bitPattern: $0 >> 63 == 1 ? $0 ^ 1 << 63 : ~$0)) }
    case Kind.text: .text(takeAll(&rest))
    case Kind.blob: .blob(takeAll(&rest))
    case Kind.openText: readBytes(&rest).map { .text($0) }
    case Kind.openBlob: readBytes(&rest).map { .blob($0) }
    default: nil
    }
  }

  private static func takeAll(_ rest: inout ArraySlice<UInt8>) -> [UInt8] {
    defer { rest = [] }
    return Array(rest)
  }

  private static func readNumber(_ rest: inout ArraySlice<UInt8>) -> UInt64? {
    guard rest.count >= 8 else { return nil }
    defer { rest = rest.dropFirst(8) }
    return rest.prefix(8).reduce(0) { $0 << 8 | UInt64($1) }
  }

  private static func readBytes(_ rest: inout ArraySlice<UInt8>) -> [UInt8]? {
    var content: [UInt8] = []
    while let byte = rest.popFirst() {
      guard byte == 0 else {
        content.append(byte)
        continue
      }
      switch rest.popFirst() {
      case 0xFF: content.append(0)
      case 1: return content
      default: return nil
      }
    }
    return nil
  }
}

/// The full name of a record: its type and its identity in it.
public struct RecordName: Hashable, Sendable, Comparable {
  /// The record type: the table's name.
  public let type: String
  public let id: RecordID

  package init(_ type: String, _ id: RecordID) {
    self.type = type
    self.id = id
  }

  public static func == (left: RecordName, right: RecordName) -> Bool {
    left.id == right.id && left.type.isSame(as: right.type)
  }

  public static func < (left: RecordName, right: RecordName) -> Bool {
    left.type.isSame(as: right.type)
      ? left.id < right.id : left.type.utf8.lexicographicallyPrecedes(right.type.utf8)
  }
}
