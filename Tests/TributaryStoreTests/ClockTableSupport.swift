import Glibc
import SQLite
import TestSupport
import Testing
import TributaryModel
import TributaryStore

typealias ClockChange = (id: RecordID, clock: [UInt8]?)

struct StoredClocks: Equatable {
  let lo: [UInt8]
  let data: [UInt8]
  var size: Int { lo.count + data.count }
}

func clockBlocks(_ connection: Connection, _ type: Int64) throws -> [StoredClocks] {
  try connection.rows("SELECT lo, data FROM tributary_clock WHERE type = ?1 ORDER BY lo", [.integer(type)])
    .compactMap { row in
      guard case .blob(let lo) = row[0], case .blob(let data) = row[1] else { return nil }
      return StoredClocks(lo: lo, data: data)
    }
}

func clockStore(_ path: String) throws -> Connection {
  let connection = try Connection.open(path)
  if try connection.integer("SELECT count(*) FROM sqlite_master") == 0 {
    try connection.execute(LocalTables.creation)
  }
  return connection
}

/// A database file of its own, removed at the end.
func withClockStore(_ body: (String) throws -> Void) throws {
  let folder = try TemporaryFolder()
  defer { withExtendedLifetime(folder) {} }
  try body(folder.path("store"))
}

extension Splitmix {
  /// An identity with much in common with others, and sometimes a long one.
  mutating func id() -> RecordID {
    var bytes: [UInt8] = [0x30] + Array("group\(below(3))/".utf8)
    if below(30) == 0 { bytes += [UInt8](repeating: 0x61, count: 400) }
    for _ in 0...below(6) { bytes.append([0, 0x61, 0x62, 0xFF][below(4)]) }
    if below(2) == 0 { bytes += String(below(400)).utf8 }
    return RecordID(encoded: bytes)
  }

  mutating func clock() -> [UInt8] {
    switch below(40) {
    case 0: bytes(500 + below(2_000))
    case 1: []
    case 2...20: [1, 2, 3, UInt8(below(3))]
    default: bytes(12 + below(18))
    }
  }

  mutating func changes(known: [RecordID]) -> [(id: RecordID, clock: [UInt8]?)] {
    let size = [1, 1, 5, 50, 500][below(5)]
    let removing = [0, 10, 95][below(3)]
    var ids: Set<RecordID> = []
    for _ in 0..<size {
      let old = below(3) == 0 || removing > 50 ? known.randomElement(using: &self) : nil
      ids.insert(old ?? id())
    }
    return ids.sorted().map { ($0, below(100) < removing ? nil : clock()) }
  }

  /// 26 characters as in a ULID: ten for a time that ascends, sixteen at random.
  mutating func ulid(_ number: UInt64) -> RecordID {
    let digits = Array("0123456789ABCDEFGHJKMNPQRSTVWXYZ".utf8)
    let time = 1_750_000_000_000 + number * 37
    var bytes: [UInt8] = [0x30]
    for place in (0..<10).reversed() { bytes.append(digits[Int(time >> (5 * UInt64(place)) & 31)]) }
    for _ in 0..<16 { bytes.append(digits[below(32)]) }
    return RecordID(encoded: bytes)
  }
}
