import CSQLite
import Glibc
import SQLite
import TributaryModel

/// What the hook does with the values of a row.
extension UnsafeMutablePointer where Pointee == CaptureContext {
  /// Compares all fields of an update and checks the changed ones. Returns the first word of the mask; further
  /// words are appended to the images, but only if one of the table's fields beyond the 64th changed.
  @inline(__always)
  func compareFields(_ row: CaptureRow) -> UInt64 {
    let count = row.table.pointee.fieldCount
    let low = compare(row, 0, Swift.min(count, 64))
    if count > 64 { compareWide(row, count) }
    return low
  }

  @inline(never)
  private func compareWide(_ row: CaptureRow, _ count: Int) {
    let start = pointee.images.count
    var any: UInt64 = 0
    var first = 64
    while first < count {
      let word = compare(row, first, Swift.min(count, first &+ 64))
      pointee.images.append(word)
      any |= word
      first &+= 64
    }
    if any == 0 { pointee.images.cut(to: start) }
  }

  @inline(__always)
  private func compare(_ row: CaptureRow, _ first: Int, _ end: Int) -> UInt64 {
    var mask: UInt64 = 0
    var position = first
    while position < end {
      let column = row.table.pointee.columns + position
      if column.pointee.isCompared {
        let new = row.value(.updated, column)
        if differs(column, row.value(.old, column), new) {
          mask |= 1 &<< UInt64(truncatingIfNeeded: position &- first)
          if !column.pointee.check.accepts(new) { row.check(column, new) }
        }
      }
      position &+= 1
    }
    return mask
  }

  /// Whether a value of the key changed; the changed ones are checked.
  @inline(__always)
  func compareKey(_ row: CaptureRow) -> Bool {
    let end = row.table.pointee.fieldCount &+ row.table.pointee.keyCount
    var position = row.table.pointee.fieldCount
    var changed = false
    while position < end {
      let column = row.table.pointee.columns + position
      if column.pointee.oldIndex == CaptureColumn.rowID {
        if row.oldRowID != row.newRowID {
          changed = true
          row.checkRowID(column)
        }
      } else if column.pointee.isCompared {
        let new = row.value(.updated, column)
        // A rounded key is told by its encoding, so that a certain answer is not needed here.
        if isChanged(row.value(.old, column), new) {
          changed = true
          if !column.pointee.check.accepts(new) { row.check(column, new) }
        }
      }
      position &+= 1
    }
    return changed
  }

  @inline(__always)
  private func differs(
    _ column: UnsafeMutablePointer<CaptureColumn>, _ old: OpaquePointer?, _ new: OpaquePointer?
  ) -> Bool {
    if column.pointee.isPlain { return isChanged(old, new) }
    if !column.pointee.isDoubtful, !isChanged(old, new) { return false }
    return differsByImage(column, old, new)
  }

  /// Whether two values differ in type or content.
  @inline(__always)
  private func isChanged(_ old: OpaquePointer?, _ new: OpaquePointer?) -> Bool {
    let type = captureType(old)
    guard type == captureType(new) else { return true }
    switch type {
    case SQLITE_NULL: return false
    case SQLITE_INTEGER: return sqlite3_value_int64(old) != sqlite3_value_int64(new)
    case SQLITE_FLOAT: return sqlite3_value_double(old).bitPattern != sqlite3_value_double(new).bitPattern
    default:
      let left = Value.bytes(of: old.unsafelyUnwrapped)
      let right = Value.bytes(of: new.unsafelyUnwrapped)
      guard left.count == right.count else { return true }
      guard let start = left.baseAddress, let other = right.baseAddress else { return false }
      return memcmp(start, other, left.count) != 0
    }
  }

  /// Compares what the values are, not how SQLite's hook hands them out. A value in doubt differs, so that the
  /// record is among those that are looked up.
  @inline(never)
  private func differsByImage(
    _ column: UnsafeMutablePointer<CaptureColumn>, _ old: OpaquePointer?, _ new: OpaquePointer?
  ) -> Bool {
    let wasUncertain = pointee.isUncertain
    pointee.isUncertain = false
    let start = pointee.images.count
    appendOld(column, old)
    let middle = pointee.images.count
    CaptureImage.append(new, isReal: column.pointee.isReal, to: &pointee.images)
    let isSame = CaptureImage.areEqual(pointee.images.base + start, pointee.images.base + middle)
    pointee.images.cut(to: start)
    let isInDoubt = pointee.isUncertain
    pointee.isUncertain = wasUncertain || isInDoubt
    return isInDoubt || !isSame
  }

  /// Appends the values of all fields.
  @inline(never)
  func appendImage(_ row: CaptureRow, _ side: CaptureRow.Side) {
    var column = row.table.pointee.columns
    let end = column + row.table.pointee.fieldCount
    while column < end {
      let value = row.value(side, column)
      if side == .old {
        appendOld(column, value)
      } else {
        CaptureImage.append(value, isReal: column.pointee.isReal, to: &pointee.images)
      }
      column += 1
    }
  }

  /// Appends an old value, made good for what SQLite's hook gets wrong. Where that cannot be, the transaction is
  /// marked, and its changes will be read from the tables instead.
  @inline(__always)
  private func appendOld(_ column: UnsafeMutablePointer<CaptureColumn>, _ value: OpaquePointer?) {
    let type = captureType(value)
    if type == SQLITE_NULL {
      if column.pointee.hasAmbiguousNull { pointee.isUncertain = true }
      if let bytes = column.pointee.oldNull {
        return pointee.images.append(bytes, column.pointee.oldNullLength)
      }
    }
    if column.pointee.isMisread, type == SQLITE_FLOAT {
      switch CaptureMisreading(sqlite3_value_double(value), isIntegral: column.pointee.isIntegral) {
      case .real: break
      case .integer(let integer): return CaptureImage.appendInteger(integer, to: &pointee.images)
      case .unsure: pointee.isUncertain = true
      }
    }
    CaptureImage.append(value, isReal: column.pointee.isReal, to: &pointee.images)
  }

  /// Checks all fields of a new row; its key is checked where it is read.
  @inline(__always)
  func checkFields(_ row: CaptureRow) {
    var column = row.table.pointee.columns
    let end = column + row.table.pointee.fieldCount
    while column < end {
      let value = row.value(.inserted, column)
      if !column.pointee.check.accepts(value) { row.check(column, value) }
      column += 1
    }
  }
}

extension CaptureRow {
  @inline(__always)
  func checkRowID(_ column: UnsafeMutablePointer<CaptureColumn>) {
    let accepted = column.pointee.check.accepted
    if accepted &>> UInt8(truncatingIfNeeded: SQLITE_INTEGER) & 1 == 0 {
      refuse(column, .integer(newRowID))
    }
  }

  @inline(never)
  func check(_ column: UnsafeMutablePointer<CaptureColumn>, _ value: OpaquePointer?) {
    guard let value else { return }
    if column.pointee.isReal, captureType(value) == SQLITE_INTEGER {
      return refuse(column, .real(sqlite3_value_double(value)))
    }
    refuse(column, Value(copying: value))
  }

  /// Asks the rule itself.
  @inline(never)
  private func refuse(_ column: UnsafeMutablePointer<CaptureColumn>, _ value: Value) {
    let position = column - table.pointee.columns
    guard let problem = table.pointee.rule(position).problem(with: value) else { return }
    context.pointee.refuse(table, table.pointee.columnName(position), problem)
  }
}
