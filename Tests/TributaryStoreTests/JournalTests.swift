import TestSupport
import Testing
import TributaryModel

@testable import TributaryStore

/// The bounded records that a store keeps of its syncs.
struct JournalTests {
  private let me = DeviceID(high: 1, low: 1)
  private let schema = Schema(
    "com.example.journal", tables: [Table("item", key: "id", columns: [.text("title").orNull])])

  private func withStore(_ body: (StoreCore) throws -> Void) throws {
    let folder = try TemporaryFolder()
    defer { withExtendedLifetime(folder) {} }
    let path = folder.path("app.db")
    let store = try StoreCore.open(path, schema: schema, wall: { 5_000 })
    defer { store.close() }
    try body(store)
  }

  private func entry(_ title: String, _ stamp: Stamp) throws -> Entry {
    let field = Field("title", Register(stamp: stamp, value: .text(title)))
    return Entry(
      RecordName("item", try #require(RecordID([.text("i")]))), RecordState(born: stamp, fields: [field]))
  }

  @Test func theSyncLogKeepsTheNewestThousand() throws {
    try withStore { store in
      for batch in 0..<3 {
        let entries = (0..<500).map {
          SyncLogEntry(time: Int64(batch * 500 + $0), kind: .applied, message: "\(batch)")
        }
        try store.engineWrite { try store.appendToSyncLog(entries) }
      }
      let log = try store.syncLog(limit: 5_000)
      #expect(log.count == 1_000 && log.first?.time == 1_499 && log.last?.time == 500)
    }
  }

  @Test func aLongMessageIsCut() throws {
    try withStore { store in
      let long = String(repeating: "x", count: 100_000)
      try store.engineWrite {
        try store.appendToSyncLog([SyncLogEntry(time: 1, kind: .error, message: long)])
      }
      #expect(try store.syncLog(limit: 1).first?.message.count == 2_000)
    }
  }

  @Test(arguments: [false, true])
  func oneStampWithTwoContentsIsReportedWithBoth(isLater: Bool) throws {
    try withStore { store in
      let stamp = Stamp(Moment(milliseconds: 4_000), DeviceID(high: 2, low: 2))
      let titles = isLater ? ["a", "b"] : ["b", "a"]
      let first = try entry(titles[0], stamp)
      _ = try store.engineWrite { try store.apply([first]) { _, _ in false } }
      let second = try entry(titles[1], stamp)
      let report = try store.engineWrite {
        let report = try store.apply([second]) { _, _ in false }
        try store.journal(report.conflicts)
        return report
      }
      #expect(report.conflicts.count == 1)
      let conflict = try #require(try store.conflicts(limit: 10).first)
      #expect(conflict == report.conflicts.first)
      #expect(conflict.won.value == .text("b") && conflict.lost.value == .text("a"))
      #expect(try store.read { try $0.value("SELECT title FROM item") } == .text("b"))
    }
  }

  @Test func theSameEntryAgainIsNoConflict() throws {
    try withStore { store in
      let same = try entry("a", Stamp(Moment(milliseconds: 4_000), DeviceID(high: 2, low: 2)))
      for _ in 0..<2 {
        let report = try store.engineWrite { try store.apply([same]) { _, _ in true } }
        #expect(report.conflicts.isEmpty)
      }
    }
  }

  @Test func writesCountAsUnsealedUntilTheyAreSealed() throws {
    try withStore { store in
      for id in ["a", "b"] { try store.write { try $0.execute("INSERT INTO item(id) VALUES('\(id)')") } }
      #expect(try store.unsealedWrites() == 2)
      try store.settle(as: me)
      #expect(try store.unsealedWrites() == 2)
      try store.engineWrite { try store.markSealed() }
      #expect(try store.unsealedWrites() == 0)
      try store.write { try $0.execute("DELETE FROM item") }
      #expect(try store.unsealedWrites() == 1)
    }
  }
}
