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
}
