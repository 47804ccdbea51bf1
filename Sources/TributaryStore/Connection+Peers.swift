import SQLite
import TributaryModel

/// What the engine's own tables say, for its writer and for those who only look.
extension Connection {
  func cursors() throws -> CursorVector {
    var vector: CursorVector = [:]
    for row in try rows("SELECT device,seq,hash,moment FROM tributary_peer WHERE seq>0") {
      guard case .blob(let device) = row[0], let id = DeviceID(bytes: device), case .blob(let hash) = row[2]
      else { continue }
      vector[id] = Cursor(
        seq: UInt64(bitPattern: row[1].integer ?? 0), hash: hash,
        moment: Moment(raw: UInt64(bitPattern: row[3].integer ?? 0)))
    }
    return vector
  }

  func peerFacts() throws -> [DeviceID: [UInt8]] {
    var facts: [DeviceID: [UInt8]] = [:]
    for row in try rows("SELECT device,data FROM tributary_peer WHERE length(data)>0") {
      guard case .blob(let device) = row[0], let id = DeviceID(bytes: device), case .blob(let data) = row[1]
      else { continue }
      facts[id] = data
    }
    return facts
  }
}
