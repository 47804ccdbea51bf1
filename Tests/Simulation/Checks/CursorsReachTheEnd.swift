import TributaryModel
import TributaryStore

extension Check {
  /// Everyone has read everyone to the last log, and has no gap.
  static let cursorsReachTheEnd = Check("no cursor is stuck") { run in
    var problems: [String] = []
    for writer in run.devices {
      let end = try writer.store.cursors()[writer.device] ?? .start
      for reader in run.devices where reader !== writer {
        let cursor = try reader.store.cursors()[writer.device] ?? .start
        if cursor.seq != end.seq || cursor.hash != end.hash {
          problems.append("\(reader.name) is at log \(cursor.seq) of \(end.seq) of \(writer.name)")
        }
      }
    }
    return problems
  }
}
