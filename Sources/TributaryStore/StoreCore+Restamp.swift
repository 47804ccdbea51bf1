import SQLite
package import TributaryModel

/// Other stamps for edits that no log carries yet: when the device's id changes, or its clock was wrong.
extension StoreCore {
  /// Records read at a time.
  private static let batch = 1_024

  /// The database's file, as SQLite names it; empty for one in memory.
  package var path: String {
    get throws {
      try writer.rows("PRAGMA database_list").first { $0[1].string == "main" }?[2].string ?? ""
    }
  }

  /// The greatest moment that this device has sealed or read.
  package var latestShared: Moment {
    get throws { max(try meta.moment(.sealedMoment), try meta.moment(.clock)) }
  }

  /// The moments of the local transactions that no log carries yet, ascending.
  package func unsentMoments() throws -> [Moment] {
    try writer.rows(
      "SELECT DISTINCT stamp FROM tributary_change_log WHERE seq>?1 ORDER BY stamp",
      [.integer(try meta.integer(.sealed))]
    ).compactMap { row in row[0].integer.map { Moment(raw: UInt64(bitPattern: $0)) } }
  }

  /// Gives the edits of `own` that no log carries yet other stamps, within the caller's ``engineWrite(_:)``. Local
  /// edits must be settled. No value changes, so no row is written; `map` must keep the order of what it moves.
  package func restampUnsent(of own: DeviceID, _ map: (Stamp) -> Stamp) throws {
    let sealed = try meta.moment(.sealedMoment)
    func moved(_ stamp: Stamp) -> Stamp {
      stamp.device == own && stamp.moment > sealed ? map(stamp) : stamp
    }
    for (type, ids) in try unsealedRecords() {
      guard let access = tables.access(named: type) else { continue }
      try rewrite(access, ids) { $0.state.restamped(moved) }
    }
    let rows = try writer.rows(
      "SELECT seq,stamp FROM tributary_change_log WHERE seq>?1", [.integer(try meta.integer(.sealed))])
    for row in rows {
      guard let raw = row[1].integer else { continue }
      let moment = moved(Stamp(Moment(raw: UInt64(bitPattern: raw)), own)).moment
      try writer.execute(
        "UPDATE tributary_change_log SET stamp=?2 WHERE seq=?1",
        [row[0], .integer(Int64(bitPattern: moment.raw))])
    }
  }

  /// Gives unsent edits back to the former id that stamped them where `entries` show that it has sent them: they are
  /// not sent again. Runs before the entries are applied, in the same ``engineWrite(_:)``.
  package func unmove(_ entries: [Entry], formers: Set<DeviceID>, own: DeviceID) throws {
    let told = entries.filter { entry in
      (entry.stamps + entry.change.lives).contains { formers.contains($0.device) }
    }
    guard !told.isEmpty else { return }
    let sealed = try meta.moment(.sealedMoment)
    for (type, entries) in Dictionary(grouping: told, by: \.name.type) {
      guard let access = tables.access(named: type) else { continue }
      let byID = Dictionary(grouping: entries, by: \.name.id)
      try rewrite(access, byID.keys.sorted()) { record in
        (byID[record.id] ?? []).reduce(record.state) {
          $0.unmoved(by: $1.change, formers: formers, own: own, after: sealed)
        }
      }
    }
  }

  /// Stores what `change` makes of the stamps of the given records.
  private func rewrite(_ access: RowAccess, _ ids: [RecordID], _ change: (StoredRecord) -> RecordState) throws
  {
    for start in stride(from: 0, to: ids.count, by: Self.batch) {
      let some = Array(ids[start..<min(start + Self.batch, ids.count)])
      let changed = try tables.load(access, some).compactMap { record in
        var record = record
        let state = change(record)
        guard state != record.state else { return nil as StoredRecord? }
        record.state = state
        return record
      }
      if !changed.isEmpty { try tables.save(access, changed) }
    }
  }
}
