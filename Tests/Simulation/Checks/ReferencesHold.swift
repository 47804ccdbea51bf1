import TestSupport
import TributaryModel
import TributaryStore

extension Check {
  /// No table breaks a foreign key, and SQLite finds its file sound.
  static let referencesHold = Check("every reference holds") { run in
    try run.devices.flatMap { device in
      let broken = try device.store.read { try $0.rows("PRAGMA foreign_key_check") }
      let flaws = try device.store.read { try $0.rows("PRAGMA quick_check") }.compactMap {
        $0.values[0].string
      }
      return broken.map { "\(device.name): \($0.values.map(\.literal))" }
        + flaws.filter { $0 != "ok" }.map { "\(device.name): \($0)" }
    }
  }
}
