import SQLite
package import TributaryModel

/// Who wrote what of one record, as far as it still counts.
package struct RecordHistory: Sendable {
  /// One value of the record.
  package struct FieldEdit: Sendable, Hashable {
    package var column: String
    /// As the state has it; NULL for a set, which has several.
    package var value: Value
    package var stamp: Stamp
    /// What the table shows in its place, where a constraint makes it show something else.
    package var shown: Value?
    /// Whether the table here has the column; else a build with a later schema wrote it.
    package var isKnown: Bool
  }

  package var name: RecordName
  package var isVisible: Bool
  /// Visible by its state, and kept out of its table by a constraint.
  package var isParked: Bool
  /// The insert that counts; nil while it is not known.
  package var born: Stamp?
  /// The delete that counts; nil if there is none.
  package var deleted: Stamp?
  /// In the order of the table's columns, then what is not one of them.
  package var fields: [FieldEdit]
  /// The stamps of this device's own edits that no sync has settled.
  package var unsettled: Set<Stamp>
}

extension StoreView {
  /// The history of a record; nil if nothing was ever known of it. Within ``read(_:)``.
  ///
  /// - Parameter own: the device that local edits are stamped with.
  /// - Throws: ``StoreError`` `.damaged`, or SQLite's errors.
  package func history(of name: RecordName, own: DeviceID) throws -> RecordHistory? {
    guard let access = tables.access(named: name.type) else { return nil }
    let edited = try EditedRecords(tables, own: own, schemaVersion: schema.version)
    guard let found = try edited.record(access, name.id) else { return nil }
    let (record, state) = (found.record, found.record.state)
    return RecordHistory(
      name: name, isVisible: state.isVisible(), isParked: record.flags.contains(.parked), born: state.born,
      deleted: state.latestDelete, fields: Self.edits(record, access), unsettled: found.unsettled)
  }

  /// The moment up to which this device's edits are in sealed files. Within ``read(_:)``.
  package var sealedMoment: Moment {
    get throws { try Meta(connection: connection).moment(.sealedMoment) }
  }

  private static func edits(_ record: StoredRecord, _ access: RowAccess) -> [RecordHistory.FieldEdit] {
    let columns = access.columns.map(\.name)
    let others = record.state.fields.map(\.name).filter { !columns.contains($0) }
    return (columns + Set(others).sorted { $0.isBefore($1) }).compactMap { column in
      guard let field = record.state[column], let stamp = field.stamp else { return nil }
      let index = columns.firstIndex(of: column)
      let shown = index.flatMap { index in record.row.map { $0[index] } }
      return RecordHistory.FieldEdit(
        column: column, value: field.value, stamp: stamp, shown: shown == field.value ? nil : shown,
        isKnown: index != nil)
    }
  }
}
