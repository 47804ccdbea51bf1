import CSQLite
import Glibc
import SQLite
import TributaryModel

/// Values as the hook keeps them: one after another, a type byte and a payload, so that equal bytes are equal
/// values. Numbers take eight bytes; text and blobs a length of eight bytes and the bytes.
enum CaptureImage {
  /// Appends a value as it reads in SQL.
  @inline(__always)
  static func append(_ value: OpaquePointer?, isReal: Bool, to bytes: inout CaptureBytes) {
    let type = captureType(value)
    switch type {
    case SQLITE_INTEGER where !isReal:
      appendNumber(type, UInt64(bitPattern: sqlite3_value_int64(value)), &bytes)
    case SQLITE_INTEGER, SQLITE_FLOAT:
      appendNumber(SQLITE_FLOAT, sqlite3_value_double(value).bitPattern, &bytes)
    case SQLITE_NULL: bytes.append(UInt8(truncatingIfNeeded: type))
    default:
      let content = Value.bytes(of: value.unsafelyUnwrapped)
      appendNumber(type, UInt64(content.count), &bytes)
      bytes.append(content.baseAddress, content.count)
    }
  }

  @inline(__always)
  static func appendInteger(_ integer: Int64, to bytes: inout CaptureBytes) {
    appendNumber(SQLITE_INTEGER, UInt64(bitPattern: integer), &bytes)
  }

  @inline(__always)
  private static func appendNumber(_ type: Int32, _ number: UInt64, _ bytes: inout CaptureBytes) {
    bytes.append(UInt8(truncatingIfNeeded: type))
    bytes.append(number)
  }

  /// The length of the value at `start`.
  @inline(__always)
  static func length(_ start: UnsafeRawPointer) -> Int {
    switch Int32(start.load(as: UInt8.self)) {
    case SQLITE_NULL: 1
    case SQLITE_INTEGER, SQLITE_FLOAT: 9
    default: 9 &+ Int(truncatingIfNeeded: start.loadUnaligned(fromByteOffset: 1, as: UInt64.self))
    }
  }

  @inline(__always)
  static func areEqual(_ left: UnsafeRawPointer, _ right: UnsafeRawPointer) -> Bool {
    let length = length(left)
    return length == self.length(right) && memcmp(left, right, length) == 0
  }

  /// The value at `start`.
  static func value(_ start: UnsafeRawPointer) -> Value {
    let type = Int32(start.load(as: UInt8.self))
    if type == SQLITE_NULL { return .null }
    let number = start.loadUnaligned(fromByteOffset: 1, as: UInt64.self)
    if type == SQLITE_INTEGER { return .integer(Int64(bitPattern: number)) }
    if type == SQLITE_FLOAT { return .real(Double(bitPattern: number)) }
    let content = [UInt8](UnsafeRawBufferPointer(start: start + 9, count: Int(truncatingIfNeeded: number)))
    return type == SQLITE_TEXT ? .text(content) : .blob(content)
  }

  /// The same bytes from a value of ours.
  static func bytes(of value: Value, isReal: Bool) -> [UInt8] {
    var bytes = CaptureBytes(capacity: 64)
    defer { bytes.deallocate() }
    switch value {
    case .null: bytes.append(UInt8(SQLITE_NULL))
    case .integer(let number) where isReal: appendNumber(SQLITE_FLOAT, Double(number).bitPattern, &bytes)
    case .integer(let number): appendInteger(number, to: &bytes)
    case .real(let number): appendNumber(SQLITE_FLOAT, number.bitPattern, &bytes)
    case .text(let content): appendContent(SQLITE_TEXT, content, &bytes)
    case .blob(let content): appendContent(SQLITE_BLOB, content, &bytes)
    }
    return [UInt8](UnsafeRawBufferPointer(start: bytes.base, count: bytes.count))
  }

  private static func appendContent(_ type: Int32, _ content: [UInt8], _ bytes: inout CaptureBytes) {
    appendNumber(type, UInt64(content.count), &bytes)
    content.withUnsafeBytes { bytes.append($0.baseAddress, $0.count) }
  }
}
