import SQLite
import TributaryCodec
package import TributaryModel

/// What a store remembers of its peers and of its own files. Each call runs inside the caller's transaction.
extension StoreCore {
  /// A value of the sync engine's, or nil.
  package func note(_ key: NoteKey) throws -> Value? {
    try meta.note(key)
  }

  /// Forgets such a value.
  package func removeNote(_ key: NoteKey) throws {
    try meta.removeNote(key)
  }

  /// Keeps a value of the sync engine's.
  package func setNote(_ key: NoteKey, _ value: Value) throws {
    try meta.setNote(key, value)
  }

  /// How far every device was read.
  package func cursors() throws -> CursorVector { try writer.cursors() }

  /// Forgets how far anyone was read, so that everything is read again.
  package func forgetCursors() throws {
    try writer.execute(
      "UPDATE tributary_peer SET seq=0,hash=?1,moment=?2",
      [.blob(Cursor.start.hash), .integer(Int64(bitPattern: Cursor.start.moment.raw))])
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

  /// What is remembered of a peer beside its cursor; the sync engine knows its form.
  package func peerFacts() throws -> [DeviceID: [UInt8]] { try writer.peerFacts() }

  package func setPeerFacts(_ data: [UInt8], of device: DeviceID) throws {
    let start = Cursor.start
    try writer.execute(
      "INSERT INTO tributary_peer(device,seq,hash,moment,data) VALUES(?1,0,?2,0,?3)"
        + " ON CONFLICT DO UPDATE SET data=excluded.data",
      [.blob(device.bytes), .blob(start.hash), .blob(data)])
  }

  /// Remembers what the writer of a log had read, for its edits up to `moment`.
  package func addVector(of device: DeviceID, upTo moment: Moment, _ vector: CursorVector) throws {
    try writer.execute(
      "INSERT OR REPLACE INTO tributary_vector(device,moment,data) VALUES(?1,?2,?3)",
      [.blob(device.bytes), .integer(Int64(bitPattern: moment.raw)), .blob(Self.encode(vector))])
    // Of older edits the oldest vector that is kept answers: it may claim that they knew more, never less.
    try writer.execute(
      "DELETE FROM tributary_vector WHERE device=?1 AND moment<"
        + "(SELECT moment FROM tributary_vector WHERE device=?1 ORDER BY moment DESC LIMIT 1 OFFSET 255)",
      [.blob(device.bytes)])
  }

  /// Remembers what had been read when the unsealed edits were made, before more is read. Their log says so later: an
  /// edit must not claim to know what was read between it and its upload.
  package func keepVectorOfUnsealedEdits() throws {
    guard try note(.readBefore) == nil, try changeLog.lastSeq > meta.integer(.sealed) else { return }
    try setNote(.readBefore, .blob(Self.encode(try cursors())))
  }

  /// What had been read when the oldest unsealed edit was made.
  package func vectorOfUnsealedEdits() throws -> CursorVector {
    guard case .blob(let bytes)? = try note(.readBefore) else { return try cursors() }
    var input = ByteReader(bytes)
    var vector: CursorVector = [:]
    while !input.isAtEnd {
      let device = try input.readDevice()
      let moment = Moment(raw: try input.readU64())
      vector[device] = Cursor(seq: try input.readU64(), hash: [], moment: moment)
    }
    return vector
  }

  private static func encode(_ vector: CursorVector) -> [UInt8] {
    var out = ByteWriter()
    for (peer, cursor) in vector.sorted(by: { $0.key < $1.key }) {
      out.write(bytes: peer.bytes)
      out.write(u64: cursor.moment.raw)
      out.write(u64: cursor.seq)
    }
    return out.bytes
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
      _ = try input.readU64()
      if peer == earlier.device { return moment < earlier.moment }
    }
    return true
  }

  /// An entry, or a block of them, that is kept without being applied.
  package struct Held {
    package var id: Int64
    package var device: DeviceID
    package var seq: UInt64
    package var isBlock: Bool
    package var bytes: [UInt8]
  }

  /// Keeps an entry or a block without applying it. One that is held already, from a log or a snapshot, is held once.
  package func hold(
    _ bytes: [UInt8], of name: RecordName?, from device: DeviceID, seq: UInt64, reason: String
  ) throws {
    try writer.execute(
      "INSERT INTO tributary_held(device,seq,type,record,reason,data) SELECT ?1,?2,?3,?4,?5,?6"
        + " WHERE NOT EXISTS(SELECT 1 FROM tributary_held WHERE device=?1 AND record IS ?4 AND data=?6)",
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

  /// How many bytes are held of what a device wrote.
  package func heldWeight(of device: DeviceID) throws -> Int64 {
    try writer.integer(
      "SELECT coalesce(sum(length(data)),0) FROM tributary_held WHERE device=?1", [.blob(device.bytes)]) ?? 0
  }

  /// The first log of each device of which something is held.
  package func firstHeld() throws -> [DeviceID: UInt64] {
    var first: [DeviceID: UInt64] = [:]
    for row in try writer.rows("SELECT device,min(seq) FROM tributary_held GROUP BY device") {
      guard case .blob(let device) = row[0], let id = DeviceID(bytes: device), let seq = row[1].integer
      else { continue }
      first[id] = UInt64(bitPattern: seq)
    }
    return first
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
