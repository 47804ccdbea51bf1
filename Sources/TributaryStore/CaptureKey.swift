import CSQLite
import SQLite
import TributaryModel

/// Writes a row's key as ``RecordID`` writes it, without making one.
enum CaptureKey {
  enum Result {
    case good
    case null
    case tooLong
    /// SQLite's hook hands the key out rounded.
    case rounded

    var problem: String {
      switch self {
      case .good: ""
      case .null: "must not be NULL, being a key"
      case .tooLong: "must not take more than \(RecordID.maximumLength) bytes, being a key"
      case .rounded: "must be nearer to zero than 2^53 in a table WITHOUT ROWID whose first columns are real"
      }
    }
  }

  /// Appends the key; on any result but `.good` the bytes are as before.
  @inline(__always)
  static func append(_ row: CaptureRow, _ side: CaptureRow.Side, to bytes: inout CaptureBytes) -> Result {
    let start = bytes.count
    let count = row.table.pointee.keyCount
    var column = row.table.pointee.columns + row.table.pointee.fieldCount
    var rest = count
    while rest > 0 {
      rest &-= 1
      let result = appendColumn(row, side, column, isLast: rest == 0, to: &bytes)
      guard case .good = result else {
        bytes.cut(to: start)
        return result
      }
      column += 1
    }
    guard bytes.count &- start > RecordID.maximumLength else { return .good }
    bytes.cut(to: start)
    return .tooLong
  }

  @inline(__always)
  private static func appendColumn(
    _ row: CaptureRow, _ side: CaptureRow.Side, _ column: UnsafeMutablePointer<CaptureColumn>, isLast: Bool,
    to bytes: inout CaptureBytes
  ) -> Result {
    if column.pointee.oldIndex == CaptureColumn.rowID {
      if side == .inserted { row.checkRowID(column) }
      appendInteger(row.rowID(side), to: &bytes)
      return .good
    }
    let value = row.value(side, column)
    // An update checks its key where it compares it.
    if side == .inserted, !column.pointee.check.accepts(value) { row.check(column, value) }
    switch captureType(value) {
    case SQLITE_INTEGER: appendInteger(sqlite3_value_int64(value), to: &bytes)
    case SQLITE_FLOAT:
      let isMisread = side == .old && column.pointee.isMisread
      return appendReal(sqlite3_value_double(value), isMisread: isMisread, to: &bytes)
    case SQLITE_TEXT: return appendContent(value, isLast ? 0x30 : 0x31, isLast: isLast, to: &bytes)
    case SQLITE_BLOB: return appendContent(value, isLast ? 0x40 : 0x41, isLast: isLast, to: &bytes)
    default: return .null
    }
    return .good
  }

  @inline(__always)
  private static func appendInteger(_ integer: Int64, to bytes: inout CaptureBytes) {
    appendNumber(0x10, UInt64(bitPattern: integer) ^ 1 << 63, to: &bytes)
  }

  @inline(never)
  private static func appendReal(_ number: Double, isMisread: Bool, to bytes: inout CaptureBytes) -> Result {
    if isMisread, case .unsure = CaptureMisreading(number, isIntegral: true) { return .rounded }
    if let whole = Int64(exactly: number) {
      appendInteger(whole, to: &bytes)
    } else {
      appendNumber(0x20, number.totalOrderKey, to: &bytes)
    }
    return .good
  }

  @inline(__always)
  private static func appendNumber(_ kind: UInt8, _ number: UInt64, to bytes: inout CaptureBytes) {
    bytes.append(kind)
    bytes.append(number.bigEndian)
  }

  @inline(__always)
  private static func appendContent(
    _ value: OpaquePointer?, _ kind: UInt8, isLast: Bool, to bytes: inout CaptureBytes
  ) -> Result {
    let content = Value.bytes(of: value.unsafelyUnwrapped)
    guard content.count <= RecordID.maximumLength else { return .tooLong }
    bytes.append(kind)
    if isLast {
      bytes.append(content.baseAddress, content.count)
      return .good
    }
    for byte in content {
      bytes.append(byte)
      if byte == 0 { bytes.append(UInt8(0xFF)) }
    }
    bytes.append(UInt8(0))
    bytes.append(UInt8(1))
    return .good
  }
}
