import CSQLite

/// The row that a hook is called for, and its table.
struct CaptureRow {
  /// Which values of the row.
  enum Side {
    case old, inserted, updated
  }

  let context: UnsafeMutablePointer<CaptureContext>
  let database: OpaquePointer?
  let table: UnsafeMutablePointer<CaptureTable>
  let oldRowID: Int64
  let newRowID: Int64

  /// The value; not for a column that the rowid stands for. What cannot be read is nil and a violation.
  @inline(__always)
  func value(_ side: Side, _ column: UnsafeMutablePointer<CaptureColumn>) -> OpaquePointer? {
    var value: OpaquePointer?
    let code =
      switch side {
      case .old: sqlite3_preupdate_old(database, column.pointee.oldIndex, &value)
      case .inserted: sqlite3_preupdate_new(database, column.pointee.insertIndex, &value)
      case .updated: sqlite3_preupdate_new(database, column.pointee.updateIndex, &value)
      }
    if code == SQLITE_OK { return value }
    refuse(column)
    return nil
  }

  /// The table is not what it was, or memory ran out.
  @inline(never)
  private func refuse(_ column: UnsafeMutablePointer<CaptureColumn>) {
    let name = table.pointee.columnName(column - table.pointee.columns)
    context.pointee.refuse(table, name, "cannot be read: the table has other columns than when it was opened")
  }

  @inline(__always)
  func rowID(_ side: Side) -> Int64 { side == .old ? oldRowID : newRowID }
}

/// SQLite's type of a value, NULL for one that could not be read.
@inline(__always)
func captureType(_ value: OpaquePointer?) -> Int32 {
  value == nil ? SQLITE_NULL : sqlite3_value_type(value)
}

/// What the hook makes of a real that may be a stored integer.
enum CaptureMisreading {
  case real
  case integer(Int64)
  /// It could be either.
  case unsure

  @inline(never)
  init(_ number: Double, isIntegral: Bool) {
    guard number == number.rounded(.towardZero), number.magnitude <= 0x1p63 else {
      self = .real
      return
    }
    self = isIntegral && number.magnitude < 0x1p53 ? .integer(Int64(number)) : .unsure
  }
}
