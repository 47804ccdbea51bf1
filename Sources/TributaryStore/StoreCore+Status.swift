import SQLite
package import TributaryModel

/// What a store can say of its own syncing without asking the remote.
extension StoreCore {
  /// Local transactions that no sealed log carries. It looks at two numbers, so that it can be asked after each write.
  package func unsealedWrites() throws -> Int {
    max(0, Int(try changeLog.lastSeq - meta.integer(.sealed)))
  }

  /// Sealed files whose upload was not confirmed yet.
  package func unsentFileCount() throws -> Int {
    Int(try writer.integer("SELECT count(*) FROM tributary_outbox WHERE sent=0") ?? 0)
  }

  /// How many records a constraint keeps out of their table, and how many are shown with a repaired value.
  package func repairs() throws -> (parked: Int, repaired: Int) {
    func count(_ flag: Int) throws -> Int {
      Int(
        try writer.integer(
          "SELECT count(*) FROM tributary_overlay WHERE flags & 6 AND flags & \(flag)") ?? 0)
    }
    return (try count(2), try count(4))
  }

  /// How many entries are held, by the device that wrote them.
  package func heldCounts() throws -> [DeviceID: Int] {
    var counts: [DeviceID: Int] = [:]
    for row in try writer.rows("SELECT device,count(*) FROM tributary_held GROUP BY device") {
      guard case .blob(let bytes) = row[0], let device = DeviceID(bytes: bytes), let count = row[1].integer
      else { continue }
      counts[device] = Int(count)
    }
    return counts
  }
}
