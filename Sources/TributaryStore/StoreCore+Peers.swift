import SQLite
import TributaryCodec
package import TributaryModel

/// What a store remembers of its peers and of its own files. Each call runs inside the caller's transaction.
extension StoreCore {
  /// A value of the sync engine's, or nil.
  package func note(_ key: String) throws -> Value? {
    try writer.value("SELECT value FROM tributary_meta WHERE key=?1", [.text("sync." + key)])
  }

  package func setNote(_ key: String, _ value: Value) throws {
    try writer.execute(
      "INSERT INTO tributary_meta(key,value) VALUES(?1,?2) ON CONFLICT DO UPDATE SET value=excluded.value",
      [.text("sync." + key), value])
  }

  /// How far every peer was read.
  package func cursors() throws -> CursorVector {
    var vector: CursorVector = [:]
    for row in try writer.rows("SELECT device,seq,hash,moment FROM tributary_peer") {
      guard case .blob(let device) = row[0], let id = DeviceID(bytes: device), case .blob(let hash) = row[2]
      else { continue }
      vector[id] = Cursor(
        seq: UInt64(bitPattern: row[1].integer ?? 0), hash: hash,
        moment: Moment(raw: UInt64(bitPattern: row[3].integer ?? 0)))
    }
    return vector
  }

  package func setCursor(_ cursor: Cursor, of device: DeviceID) throws {
    try writer.execute(
      "INSERT INTO tributary_peer(device,seq,hash,moment,data) VALUES(?1,?2,?3,?4,x'')"
        + " ON CONFLICT DO UPDATE SET seq=excluded.seq,hash=excluded.hash,moment=excluded.moment",
      [
        .blob(device.bytes), .integer(Int64(bitPattern: cursor.seq)), .blob(cursor.hash),
        .integer(Int64(bitPattern: cursor.moment.raw)),
      ])
  }

  /// Remembers what the writer of a log had read, for its edits up to `moment`.
  package func addVector(of device: DeviceID, upTo moment: Moment, _ vector: CursorVector) throws {
    var out = ByteWriter()
    for (peer, cursor) in vector.sorted(by: { $0.key < $1.key }) {
      out.write(bytes: peer.bytes)
      out.write(u64: cursor.moment.raw)
    }
    try writer.execute(
      "INSERT OR REPLACE INTO tributary_vector(device,moment,data) VALUES(?1,?2,?3)",
      [.blob(device.bytes), .integer(Int64(bitPattern: moment.raw)), .blob(out.bytes)])
  }

  /// Whether the edit stamped `later` was made without knowledge of the one stamped `earlier`. An edit of this device
  /// that no log carries yet knew nothing of what is being read now.
  package func isConcurrent(_ later: Stamp, _ earlier: Stamp, own: DeviceID) throws -> Bool {
    let sql = "SELECT data FROM tributary_vector WHERE device=?1 AND moment>=?2 ORDER BY moment LIMIT 1"
    let values: [Value] = [.blob(later.device.bytes), .integer(Int64(bitPattern: later.moment.raw))]
    guard case .blob(let bytes)? = try writer.value(sql, values) else { return later.device == own }
    var input = ByteReader(bytes)
    while !input.isAtEnd {
      let peer = try input.readDevice()
      let moment = Moment(raw: try input.readU64())
      if peer == earlier.device { return moment < earlier.moment }
    }
    return true
  }

  /// A sealed file of this device.
  package struct OutboxFile {
    package var name: String
    package var seq: UInt64
    package var bytes: [UInt8]

    package init(name: String, seq: UInt64, bytes: [UInt8]) {
      self.name = name
      self.seq = seq
      self.bytes = bytes
    }
  }

  /// Sealed files whose upload was not confirmed yet, oldest first.
  package func unsentFiles() throws -> [OutboxFile] {
    try writer.rows("SELECT name,seq,data FROM tributary_outbox WHERE sent=0 ORDER BY seq").compactMap {
      row in
      guard let name = row[0].string, let seq = row[1].integer, case .blob(let bytes) = row[2] else {
        return nil
      }
      return OutboxFile(name: name, seq: UInt64(bitPattern: seq), bytes: bytes)
    }
  }

  package func freeze(_ file: OutboxFile) throws {
    try writer.execute(
      "INSERT INTO tributary_outbox(name,seq,sent,hash,data) VALUES(?1,?2,0,?3,?4)",
      [
        .text(file.name), .integer(Int64(bitPattern: file.seq)), .blob(Hash.digest(file.bytes).bytes),
        .blob(file.bytes),
      ])
  }

  package func markSent(_ name: String) throws {
    try writer.execute("UPDATE tributary_outbox SET sent=1 WHERE name=?1", [.text(name)])
  }

  /// An entry, or a block of them, that is kept without being applied.
  package struct Held {
    package var id: Int64
    package var device: DeviceID
    package var seq: UInt64
    package var isBlock: Bool
    package var bytes: [UInt8]
  }

  package func hold(
    _ bytes: [UInt8], of name: RecordName?, from device: DeviceID, seq: UInt64, reason: String
  ) throws {
    try writer.execute(
      "INSERT INTO tributary_held(device,seq,type,record,reason,data) VALUES(?1,?2,?3,?4,?5,?6)",
      [
        .blob(device.bytes), .integer(Int64(bitPattern: seq)), name.map { .text($0.type) } ?? .null,
        name.map { .blob($0.id.bytes) } ?? .null, .text(reason), .blob(bytes),
      ])
  }

  package func held() throws -> [Held] {
    try writer.rows("SELECT id,device,seq,type IS NULL,data FROM tributary_held ORDER BY id").compactMap {
      row in
      guard let id = row[0].integer, case .blob(let device) = row[1], let writer = DeviceID(bytes: device),
        case .blob(let bytes) = row[4]
      else { return nil }
      return Held(
        id: id, device: writer, seq: UInt64(bitPattern: row[2].integer ?? 0), isBlock: row[3] == .integer(1),
        bytes: bytes)
    }
  }

  package func release(_ held: Held) throws {
    try writer.execute("DELETE FROM tributary_held WHERE id=?1", [.integer(held.id)])
  }

  /// Adds values that lost to the conflict journal, which keeps the newest thousand.
  package func journal(_ conflicts: [Conflict]) throws {
    for conflict in conflicts {
      var won = ByteWriter()
      var lost = ByteWriter()
      won.write(local: conflict.won)
      lost.write(local: conflict.lost)
      try writer.execute(
        "INSERT INTO tributary_conflict(type,record,field,won,lost) VALUES(?1,?2,?3,?4,?5)",
        [
          .text(conflict.name.type), .blob(conflict.name.id.bytes), .text(conflict.field), .blob(won.bytes),
          .blob(lost.bytes),
        ])
    }
    try writer.execute(
      "DELETE FROM tributary_conflict WHERE id <= (SELECT max(id) FROM tributary_conflict) - 1000")
  }
}
