import SQLite
package import TributaryModel

/// What a store has still to send, what it keeps for later, and how far it has read its peers.
package struct StoreStatus: Sendable {
  /// Local transactions that are in no sealed log yet.
  package var unsentWrites = 0
  /// Local transactions that are not merged into the state yet.
  package var unsettledWrites = 0
  /// Sealed files whose upload was not confirmed.
  package var unsentFiles = 0
  /// The bytes of those files.
  package var unsentBytes = 0
  /// How far each device was read; this device's own entry says what it has sealed.
  package var cursors: CursorVector = [:]
  /// Entries and blocks that are kept without being applied.
  package var held = 0
  /// Records that a constraint keeps out of their table.
  package var parked = 0
  /// Records shown with a repaired value.
  package var repaired = 0
  /// The latest edit that the store knows, anyone's; nil in a new store.
  package var latestEdit: Moment?
}

/// An entry, or a block of them, that is kept without being applied.
package struct HeldItem: Sendable {
  package var device: DeviceID
  package var seq: UInt64
  /// The record type; nil for a block that this build cannot read.
  package var type: String?
  /// Why, as it was noted when the entry came.
  package var reason: String
  package var bytes: [UInt8]
  /// The record's key; empty for a block, and where it cannot be read.
  package var key: [Value] = []
}

extension StoreView {
  /// A value that the sync engine, or whoever attached the store, left in it.
  package func note(_ key: NoteKey) throws -> Value? {
    try Meta(connection: connection).note(key)
  }

  /// The store's state in numbers. Within ``read(_:)``.
  package func status() throws -> StoreStatus {
    let meta = Meta(connection: connection)
    var status = StoreStatus()
    let noted = try notedEdits()
    status.unsentWrites = try writes(after: meta.integer(.sealed)) + noted
    status.unsettledWrites = try writes(after: meta.integer(.settled)) + noted
    status.unsentFiles = try count("tributary_outbox WHERE sent=0")
    status.unsentBytes = Int(
      try connection.integer("SELECT sum(length(data)) FROM tributary_outbox WHERE sent=0") ?? 0)
    status.cursors = try cursors()
    status.held = try count("tributary_held")
    status.parked = try count("tributary_overlay WHERE flags & 6 AND flags & 2")
    status.repaired = try count("tributary_overlay WHERE flags & 6 AND flags & 4")
    let latest = try meta.latestMoment
    status.latestEdit = latest == Moment(raw: 0) ? nil : latest
    return status
  }

  /// Edits that are in no sealed file, as the change log has them: one a record and transaction. Within ``read(_:)``.
  package func unsentEdits() throws -> Int {
    var count = 0
    try ChangeLog(connection).forEach(after: Meta(connection: connection).integer(.sealed)) { _, changes in
      count += changes.count
    }
    return count
  }

  /// The first `limit` of what is held, in the order in which it came.
  package func held(limit: Int) throws -> [HeldItem] {
    let sql = "SELECT device,seq,type,reason,data,record FROM tributary_held ORDER BY id LIMIT ?1"
    return try connection.rows(sql, [.integer(Int64(limit))]).compactMap { row in
      guard case .blob(let device) = row[0], let id = DeviceID(bytes: device), case .blob(let bytes) = row[4]
      else { return nil }
      var key: [Value] = []
      if case .blob(let record) = row[5] { key = RecordID(encoded: record).values ?? [] }
      return HeldItem(
        device: id, seq: UInt64(bitPattern: row[1].integer ?? 0), type: row[2].string,
        reason: row[3].string ?? "", bytes: bytes, key: key)
    }
  }

  /// How far every device was read.
  package func cursors() throws -> CursorVector { try connection.cursors() }

  /// What is remembered of peers beside their cursors; the sync engine knows its form.
  package func peerFacts() throws -> [DeviceID: [UInt8]] { try connection.peerFacts() }

  /// Sealed files of this device that it still keeps, one after the other. Within ``read(_:)``.
  package func forEachOutboxFile(
    unsentOnly: Bool = false, _ body: (StoreCore.OutboxFile) throws -> Void
  ) throws {
    let statement = try connection.prepare(
      "SELECT name,seq,data FROM main.tributary_outbox \(unsentOnly ? "WHERE sent=0" : "") ORDER BY seq,name")
    while try statement.step() {
      let name = statement.column(0).string ?? ""
      try body(
        StoreCore.OutboxFile(
          name: name, seq: UInt64(bitPattern: statement.integer(1)), bytes: Array(statement.bytes(2))))
    }
  }

  /// Edits of other programs that triggers noted in an adopted store, and that no sync has looked at yet.
  private func notedEdits() throws -> Int {
    guard try AdoptionTables.arePresent(connection) else { return 0 }
    return try tables.shapes.reduce(0) { count, shape in
      guard try EditTable(shape.type, connection) != nil else { return count }
      return try count + self.count(EditTable.name(shape.type))
    }
  }

  /// Transactions, which may have several rows, that are past a mark of the change log.
  private func writes(after seq: Int64) throws -> Int {
    let sql = "SELECT count(DISTINCT stamp) FROM tributary_change_log WHERE seq > ?1"
    return Int(try connection.integer(sql, [.integer(seq)]) ?? 0)
  }

  private func count(_ what: String) throws -> Int {
    Int(try connection.integer("SELECT count(*) FROM \(what)") ?? 0)
  }
}
