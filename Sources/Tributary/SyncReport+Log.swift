import TributaryModel
import TributaryStore

extension SyncReport {
  /// What the sync log says of this sync. What lasts is said once, not after every sync.
  func logEntries(after previous: SyncLasting?, at time: Int64) -> [SyncLogEntry] {
    var entries: [SyncLogEntry] = []
    func add(_ kind: SyncLogEntry.Kind, _ message: String) {
      entries.append(SyncLogEntry(time: time, kind: kind, message: message))
    }
    if received > 0 { add(.applied, "\(count(received, "record")) changed here.") }
    if sent > 0 { add(.sent, "\(count(sent, "edit")) sent.") }
    if conflicts > 0 { add(.conflict, "\(count(conflicts, "value")) lost to a concurrent edit.") }
    if held > 0, held != previous?.held { add(.held, "\(count(held, "edit")) kept for later, in all.") }
    if parked > 0, parked != previous?.parked {
      add(.parked, "\(count(parked, "record")) kept out of a table by a constraint.")
    }
    for (device, reason) in gaps.sorted(by: { $0.key < $1.key }) where previous?.gaps[device] != reason {
      add(.gap, "Device \(device) was not read to its end: \(reason).")
    }
    if discarded > 0 { add(.notice, "\(count(discarded, "edit")) broken, and dropped.") }
    for notice in notices { add(.notice, notice.message) }
    return entries
  }

  private func count(_ number: Int, _ noun: String) -> String { "\(number) \(noun)\(number == 1 ? "" : "s")" }
}
