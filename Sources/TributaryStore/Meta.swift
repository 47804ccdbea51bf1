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
  var latestMoment: Moment {
    get throws { max(try ChangeLog(connection).lastMoment ?? Moment(raw: 0), try moment(.clock)) }
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
