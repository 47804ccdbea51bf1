import CSQLite

/// SQLite calls this for every row that is about to change. Nothing here allocates, counts references or calls
/// through a closure for a row that is as it should be.
func captureRow(
  _ raw: UnsafeMutableRawPointer?, _ database: OpaquePointer?, _ operation: Int32,
  _ schema: UnsafePointer<CChar>?, _ name: UnsafePointer<CChar>?, _ oldRowID: Int64, _ newRowID: Int64
) {
  guard let raw else { return }
  let context = raw.assumingMemoryBound(to: CaptureContext.self)
  guard context.pointee.mode != .off, let table = context.pointee.table(schema, name) else { return }
  let row = CaptureRow(
    context: context, database: database, table: table, oldRowID: oldRowID, newRowID: newRowID)
  if context.pointee.mode == .watching {
    if sqlite3_preupdate_depth(database) > 0 { context.watch(row, operation) }
    return
  }
  switch operation {
  case SQLITE_INSERT: context.insert(row)
  case SQLITE_UPDATE: context.update(row)
  default: context.delete(row)
  }
}

extension UnsafeMutablePointer where Pointee == CaptureContext {
  /// An entry for the row's key; nil, with the reason noted if `isRefused`, when the row has no key that travels.
  @inline(__always)
  fileprivate func entry(
    _ row: CaptureRow, _ side: CaptureRow.Side, _ operation: CaptureEntry.Operation, isRefused: Bool
  ) -> CaptureEntry? {
    let start = pointee.keys.count
    let result = CaptureKey.append(row, side, to: &pointee.keys)
    guard case .good = result else {
      if isRefused { pointee.refuse(row.table, row.table.pointee.keyName, result.problem) }
      // The row exists and could be a record, so that passing over it would lose a change.
      if case .rounded = result { pointee.refuse(row.table, row.table.pointee.keyName, result.problem) }
      return nil
    }
    return CaptureEntry(
      key: start, keyLength: UInt16(truncatingIfNeeded: pointee.keys.count &- start),
      table: UInt16(truncatingIfNeeded: row.table - pointee.tables), operation: operation)
  }

  fileprivate func insert(_ row: CaptureRow) {
    checkFields(row)
    guard let entry = entry(row, .inserted, .insert, isRefused: true) else { return }
    add(inserted: entry, row, .inserted)
  }

  /// Adds an insert. Its values are of use only to compare them with those of the row that it replaces.
  @inline(__always)
  private func add(inserted entry: CaptureEntry, _ row: CaptureRow, _ side: CaptureRow.Side) {
    var entry = entry
    if pointee.deleted.contains(entry, self) {
      entry.image = pointee.images.count
      appendImage(row, side)
    }
    pointee.append(entry)
  }

  fileprivate func delete(_ row: CaptureRow) {
    // A row without a key that travels was never a record.
    guard let entry = entry(row, .old, .delete, isRefused: false) else { return }
    add(deleted: entry, row)
  }

  private func add(deleted entry: CaptureEntry, _ row: CaptureRow) {
    var entry = entry
    entry.image = pointee.images.count
    appendImage(row, .old)
    pointee.append(entry)
    pointee.deleted.insert(pointee.count &- 1, self)
  }

  fileprivate func update(_ row: CaptureRow) {
    let images = pointee.images.count
    let mask = compareFields(row)
    let isWide = pointee.images.count > images
    if compareKey(row) { return changeKey(row, images) }
    guard mask != 0 || isWide else { return }
    // SQLite hands out old values without a copy.
    let side: CaptureRow.Side = row.table.pointee.isKeyMisread ? .updated : .old
    guard var entry = entry(row, side, .update, isRefused: true) else { return }
    entry.mask = mask
    if isWide { entry.image = images }
    pointee.append(entry)
  }

  /// The key's values changed: unless they name the same record still, one record ends and another begins.
  @inline(never)
  private func changeKey(_ row: CaptureRow, _ images: Int) {
    let old = entry(row, .old, .delete, isRefused: false)
    let new = entry(row, .updated, .insert, isRefused: true)
    if let old, var new, pointee.areSame(old, new) {
      let mask = maskAgain(row, images)
      guard mask.low != 0 || mask.isWide else { return }
      new.operation = .update
      new.mask = mask.low
      if mask.isWide { new.image = images }
      return pointee.append(new)
    }
    pointee.images.cut(to: images)
    if let old { add(deleted: old, row) }
    if let new { add(inserted: new, row, .updated) }
  }

  private func maskAgain(_ row: CaptureRow, _ images: Int) -> (low: UInt64, isWide: Bool) {
    pointee.images.cut(to: images)
    let low = compareFields(row)
    return (low, pointee.images.count > images)
  }

  fileprivate func watch(_ row: CaptureRow, _ operation: Int32) {
    if operation != SQLITE_INSERT, let entry = entry(row, .old, .watched, isRefused: false) {
      pointee.append(entry)
    }
    if operation == SQLITE_DELETE { return }
    let side: CaptureRow.Side = operation == SQLITE_INSERT ? .inserted : .updated
    if let entry = entry(row, side, .watched, isRefused: false) { pointee.append(entry) }
  }
}
