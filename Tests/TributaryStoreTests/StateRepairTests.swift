import SQLite
import TestSupport
import Testing
import TributaryModel

@testable import TributaryStore

/// What is mended of what `check` finds.
struct StateRepairTests {
  @Test func aRecordThatNothingKeepsOutComesBack() throws {
    let scene = try CheckScene()
    try scene.store.write { try $0.execute("INSERT INTO folder VALUES('f2','two')") }
    try scene.settle()
    for (table, key) in [("note", "n2"), ("folder", "f2")] {
      try scene.change(table, key) { record, access, connection in
        try access.delete(record.id, connection)
        record.row = nil
        record.flags = .parked
      }
    }
    // Where a table has rules of its own, a check cannot tell that they did not refuse the row.
    #expect(try scene.found() == ["row folder f2"])
    #expect(try scene.repair() == [:])
    #expect(try scene.found() == [])
    #expect(try scene.value("SELECT title FROM note WHERE id='n2'") == .text("two"))
    #expect(try scene.value("SELECT name FROM folder WHERE id='f2'") == .text("two"))
  }

  @Test func aValueThatNothingRepairsIsShownAgain() throws {
    let scene = try CheckScene()
    try scene.change("note", "n1") { record, access, connection in
      guard let index = access.shape.fields.firstIndex(where: { $0.name == "code" }) else { return }
      record.row?[index] = .null
      try access.update(record.id, record.row ?? [], [index], connection)
      record.flags = .repaired
    }
    #expect(try scene.found() == ["row note n1"])
    #expect(try scene.repair() == [:])
    #expect(try scene.found() == [])
    #expect(try scene.value("SELECT code FROM note WHERE id='n1'") == .text("c1"))
  }

  @Test func aReferenceToALostRowIsRepairedAsIfItHadComeSo() throws {
    let scene = try CheckScene()
    try scene.bypass("PRAGMA foreign_keys=OFF; DELETE FROM folder WHERE id='f1'")
    #expect(try scene.repair() == [:])
    #expect(try scene.found() == ["missingRow folder f1"])
    #expect(try scene.value("SELECT folder FROM note WHERE id='n1'") == .null)
    // The state has it still, and it is shown once its row is there again.
    try scene.store.write { try $0.execute("INSERT INTO folder VALUES('f1','one')") }
    try scene.settle()
    #expect(try scene.value("SELECT folder FROM note WHERE id='n1'") == .text("f1"))
  }

  @Test func aMarkThatSaysNothingGoesAndOneThatCannotBeReadStays() throws {
    let scene = try CheckScene()
    try scene.plain("INSERT INTO tributary_overlay VALUES(1,x'306e31',0,x'00'),(1,x'306e32',1,x'05')")
    let before = try scene.everythingReadable()
    #expect(try scene.repair() == [:])
    #expect(try scene.found() == ["overlay note n2"])
    #expect(try scene.everythingReadable() == before)
  }

  @Test func aMarkWithoutItsValuesLosesNoStamp() throws {
    let scene = try CheckScene()
    // The row is there, and the mark says that its values are kept beside it.
    try scene.plain("INSERT INTO tributary_overlay VALUES(1,x'306e32',1,x'00')")
    let clock = try scene.value("SELECT data FROM tributary_clock WHERE type=1")
    #expect(try scene.found() == ["extraRow note n2", "overlay note n2"])
    #expect(try scene.repair() == [:])
    #expect(try scene.value("SELECT data FROM tributary_clock WHERE type=1") == clock)
    try scene.settle()
    #expect(try scene.found() == [])
    #expect(try scene.value("SELECT title FROM note WHERE id='n2'") == .text("two"))
  }

  @Test func rowsThatNobodyKnowsBecomeOneInsertOfThisDevice() throws {
    let scene = try CheckScene()
    try scene.store.write { try $0.execute("DELETE FROM note WHERE id='n2'") }
    try scene.settle()
    try scene.bypass(
      "INSERT INTO note(id,title) VALUES('n2','back'),('x','new'); INSERT INTO folder VALUES('f9','nine')")
    #expect(try scene.repair() == [:])
    #expect(try scene.found() == [])
    let edits = try scene.unsent()
    #expect(edits.map(\.name.type) == ["folder", "note", "note"])
    #expect(edits.allSatisfy { $0.change.isVisible() })
    #expect(Set(edits.map(\.change.born)).count == 1)
    #expect(try scene.value("SELECT title FROM note WHERE id='n2'") == .text("back"))
    #expect(try scene.repair() == [:])
    #expect(try scene.unsent().count == 3)
  }

  @Test func aRowThatIsNotCleanIsLeftWithTheReason() throws {
    let scene = try CheckScene()
    try scene.bypass(
      "PRAGMA foreign_keys=OFF; INSERT INTO note(id,title,folder) VALUES('x','new','gone'),('y',x'07',NULL)")
    let reasons = try scene.repair()
    #expect(
      reasons == ["x": "it refers to a row of folder that is not there", "y": "title takes text, not a blob"])
    #expect(try scene.found() == ["extraRow note x", "extraRow note y", "reference note x"])
    #expect(try scene.value("SELECT count(*) FROM note") == .integer(5))
  }

  @Test func withAChangeLogThatCannotBeReadOnlyIndexesAreMended() throws {
    let scene = try CheckScene()
    try scene.bypass("INSERT INTO note(id,title) VALUES('x','new')")
    try scene.plain("INSERT INTO tributary_change_log VALUES(1000,1,x'0199')")
    try scene.damageIndex()
    #expect(try scene.found().contains { $0.hasPrefix("file") })
    #expect(try scene.repair() == [:])
    #expect(try scene.found() == ["changeLog  ", "extraRow note x"])
  }

  @Test func theIndexIsReadFromWhatSQLiteSays() {
    #expect(StateRepair.index(of: "row 3 missing from index a b") == "a b")
    #expect(StateRepair.index(of: "wrong # of entries in index x") == "x")
    #expect(StateRepair.index(of: "non-unique entry in index x") == "x")
    #expect(StateRepair.index(of: "*** in database main *** Page 3 is never used") == nil)
    #expect(StateRepair.index(of: "NULL value in note.index x") == nil)
  }

  @Test(arguments: 1...10)
  func aStoreThatOnlyTheEngineWroteIsNotChanged(seed: UInt64) throws {
    var random = Splitmix(seed: seed)
    let fleet = try Fleet(count: 3, seed: seed)
    for _ in 0..<60 { _ = try fleet.act(&random) }
    for device in fleet.devices {
      let (before, rows) = (try device.canonical(), try device.rows())
      // As if every record had been found wrong.
      let findings = before.map {
        StateFinding(.row, table: $0.name.type, key: $0.name.id.values ?? [], "", remedy: "")
      }
      _ = try device.store.repair(findings, as: device.id, wall: fleet.now)
      #expect(try device.canonical() == before && device.rows() == rows, "seed \(seed)")
    }
  }
}

extension CheckScene {
  /// Changes one record behind the engine's back, mark and row at once.
  fileprivate func change(
    _ table: String, _ key: String, _ body: (inout StoredRecord, RowAccess, Connection) throws -> Void
  ) throws {
    try store.engineWrite {
      let access = try #require(store.tables.access(named: table))
      let id = try #require(RecordID([.text(key)]))
      var record = try #require(try store.tables.load(access, [id]).first)
      try body(&record, access, store.writer)
      try store.tables.save(access, [record])
    }
  }

  fileprivate func repair() throws -> [String: String] {
    let view = try StoreView.open(path, schema: Self.schema)
    defer { view.close() }
    var found: [StateFinding] = []
    try view.read { try StateCheck(view, report: { found.append($0) }).run() }
    let reasons = try store.repair(found, as: device, wall: 1_700_000_000_000)
    return Dictionary(reasons.map { ($0.key.key.first?.string ?? "", $0.value) }) { first, _ in first }
  }

  fileprivate func value(_ sql: String) throws -> Value? { try store.read { try $0.value(sql) } }

  fileprivate func unsent() throws -> [Entry] {
    try store.settle(as: device)
    return try store.unsentEdits(of: device).sorted { $0.name < $1.name }
  }

  /// The notes' rows and stamps as bytes.
  fileprivate func everythingReadable() throws -> [[Value]] {
    try ["SELECT * FROM note ORDER BY 1", "SELECT * FROM tributary_clock ORDER BY 1,2"].flatMap { sql in
      try store.read { try $0.rows(sql).map(\.values) }
    }
  }

  fileprivate func damageIndex() throws {
    try plain("CREATE INDEX mine ON note(title)")
    try plain(
      """
      PRAGMA writable_schema=ON;
      UPDATE sqlite_master SET sql='CREATE INDEX mine ON note(id)' WHERE name='mine';
      PRAGMA writable_schema=RESET
      """)
  }
}
