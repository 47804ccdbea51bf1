import CSQLite

/// The row that a hook is called for, and its table.
struct CaptureRow {
  /// Which values of the row.
  enum Side {
    case old, inserted, updated
  }

  let database: OpaquePointer?
  let table: UnsafeMutablePointer<CaptureTable>
  let oldRowID: Int64
  let newRowID: Int64

  /// The value; not for a column that the rowid stands for.
  @inline(__always)
  func value(_ side: Side, _ column: UnsafeMutablePointer<CaptureColumn>) -> OpaquePointer? {
    var value: OpaquePointer?
    switch side {
    case .old: sqlite3_preupdate_old(database, column.pointee.oldIndex, &value)
    case .inserted: sqlite3_preupdate_new(database, column.pointee.insertIndex, &value)
    case .updated: sqlite3_preupdate_new(database, column.pointee.updateIndex, &value)
    }
    return value
  }

  @inline(__always)
  func rowID(_ side: Side) -> Int64 { side == .old ? oldRowID : newRowID }
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
