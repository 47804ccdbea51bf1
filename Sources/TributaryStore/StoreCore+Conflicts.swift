import SQLite
import TributaryCodec
import TributaryModel

extension StoreCore {
  /// The journal of values that lost to a concurrent edit, newest first. ``journal(_:)`` writes and bounds it.
  package func conflicts(limit: Int) throws -> [Conflict] {
    let sql = "SELECT type,record,field,won,lost FROM tributary_conflict ORDER BY id DESC LIMIT ?1"
    return try writer.rows(sql, [.integer(Int64(max(0, limit)))]).map { row in
      guard let type = row[0].string, case .blob(let record) = row[1], let field = row[2].string,
        case .blob(let won) = row[3], case .blob(let lost) = row[4]
      else {
        throw StoreError(.damaged, "The conflict journal has a row that is not one of its own. Run `check`.")
      }
      return Conflict(
        name: RecordName(type, RecordID(encoded: record)), field: field, won: try register(won),
        lost: try register(lost))
    }
  }

  private func register(_ bytes: [UInt8]) throws -> Register {
    var input = ByteReader(bytes)
    return try input.readLocalRegister()
  }
}
