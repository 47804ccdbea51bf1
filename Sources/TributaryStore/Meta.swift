import SQLite
import TributaryModel

/// Named values in the store, each part of the transaction that changes it.
struct Meta {
  let connection: Connection

  enum Key: String {
    /// The greatest moment that this store has seen, in its state.
    case clock
    /// The last change-log row that is in the state.
    case settled
    /// The last change-log row that is in a sealed log.
    case sealed
    /// The moment up to which this device's edits are sealed.
    case sealedMoment
  }

  func integer(_ key: Key) throws -> Int64 {
    try connection.integer("SELECT value FROM tributary_meta WHERE key=?1", [.text(key.rawValue)]) ?? 0
  }

  func set(_ key: Key, _ value: Int64) throws {
    try connection.execute(
      "INSERT INTO tributary_meta(key,value) VALUES(?1,?2) ON CONFLICT DO UPDATE SET value=excluded.value",
      [.text(key.rawValue), .integer(value)])
  }

  func moment(_ key: Key) throws -> Moment { Moment(raw: UInt64(bitPattern: try integer(key))) }

  func set(_ key: Key, _ moment: Moment) throws { try set(key, Int64(bitPattern: moment.raw)) }

  /// The greatest moment that the store knows, of its state and of its change log.
  var latestMoment: Moment { get throws { try latest().moment } }

  /// The same, and the number of the change log's last row, 0 before the first: all that a write asks for.
  func latest() throws -> (moment: Moment, seq: Int64) {
    // Beside max() SQLite gives the other columns of the row that has it.
    let statement = try connection.cached(
      "SELECT max(seq),stamp,(SELECT value FROM main.tributary_meta WHERE key='clock') FROM main.tributary_change_log"
    )
    defer { statement.reset() }
    guard try statement.step() else { return (Moment(raw: 0), 0) }
    let moments = [1, 2].map { Moment(raw: UInt64(bitPattern: statement.integer($0))) }
    return (max(moments[0], moments[1]), statement.integer(0))
  }
}

/// What the layers above keep.
extension Meta {
  func note(_ key: NoteKey) throws -> Value? {
    try connection.value("SELECT value FROM tributary_meta WHERE key=?1", [key.stored])
  }

  func setNote(_ key: NoteKey, _ value: Value) throws {
    try connection.execute(
      "INSERT INTO tributary_meta(key,value) VALUES(?1,?2) ON CONFLICT DO UPDATE SET value=excluded.value",
      [key.stored, value])
  }

  func removeNote(_ key: NoteKey) throws {
    try connection.execute("DELETE FROM tributary_meta WHERE key=?1", [key.stored])
  }
}
