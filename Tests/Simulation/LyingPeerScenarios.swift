import TestSupport
import Testing
import TributaryCodec
import TributaryModel
import TributaryRemotes
import TributaryTesting
import TributaryWire

@testable import Tributary

/// A remote that withholds and goes back, and a peer that has the password and sends what no device would.
struct LyingPeerScenarios {
  @Test func logsThatOthersHaveReadButThatAreNotThereAreReportedAsWithheld() throws {
    let crew = try Crew()
    let a = try crew.join("a")
    try crew.send(a, "INSERT INTO list(id,name) VALUES('l1','one')")
    let old = try #require(crew.remote.contents[.head(a.device)])
    let c = try crew.join("c")
    try crew.send(a, "INSERT INTO list(id,name) VALUES('l2','two')")
    try crew.send(c, "INSERT INTO list(id,name) VALUES('l3','three')")
    crew.lose(2...2, of: a)
    crew.remote.plant(.head(a.device), old)
    let b = try crew.join("b")
    let gap = try b.sync().gaps[a.device]
    #expect(gap?.contains("withheld") == true, "\(gap ?? "no gap")")
    #expect(try b.rows()["list"]?.count == 2)
  }

  @Test func aRemoteThatGoesBackIsReportedAndUndoesNothing() throws {
    let crew = try Crew()
    let a = try crew.join("a")
    try crew.send(a, "INSERT INTO list(id,name) VALUES('l1','one')")
    let before = crew.remote.contents
    try crew.send(a, "INSERT INTO list(id,name) VALUES('l2','two')")
    let b = try crew.join("b")
    _ = try b.sync()
    for name in crew.remote.contents.keys where name.device == a.device {
      crew.remote.plant(name, before[name])
    }
    let report = try b.sync()
    #expect(report.notices.map(\.code) == [.wentBack])
    #expect(try b.rows()["list"]?.count == 2)
  }

  @Test func entriesOfSQLitesAndTheEnginesTablesAreHeldAndTouchNothing() throws {
    let crew = try Crew()
    let a = try crew.join("a")
    let b = try crew.join("b")
    try crew.send(a, "INSERT INTO list(id,name) VALUES('l1','one')")
    _ = try b.sync()
    let before = try b.schemaAndNotes()
    try a.forge(
      ["sqlite_master", "sqlite_schema", "tributary_meta", "tributary_peer"].map { entry($0, a.device) })
    let report = try b.sync()
    #expect(report.held == 4)
    #expect(try b.schemaAndNotes() == before)
  }

  @Test func aLogWithAnotherDevicesStampsIsRefused() throws {
    let crew = try Crew()
    let a = try crew.join("a")
    let b = try crew.join("b")
    try crew.send(a, "INSERT INTO list(id,name) VALUES('l1','one')")
    _ = try b.sync()
    try a.forge([entry("list", b.device)])
    #expect(try b.sync().gaps[a.device]?.contains("another device's edit") == true)
    #expect(try b.rows()["list"]?.count == 1)
    #expect(try b.store.cursors()[a.device]?.seq == 1)
  }

  @Test func aCursorBeyondEverythingStopsNobody() throws {
    let crew = try Crew()
    let a = try crew.join("a")
    let b = try crew.join("b")
    try crew.send(a, "INSERT INTO list(id,name) VALUES('l1','one')")
    _ = try b.sync()
    var head = Head(schemaName: Workload.schema.name)
    head.cursors = [b.device: Cursor(seq: 1 << 52, hash: Cursor.start.hash, moment: Moment(raw: 1))]
    let engine = try #require(a.engine)
    let bytes = try SealedFile.seal(
      try head.encode(), at: .head(a.device), counter: 1 << 40, with: try engine.sealing())
    crew.remote.plant(.head(a.device), bytes)
    let c = try crew.join("c")
    try crew.send(b, "INSERT INTO list(id,name) VALUES('l2','two')")
    _ = try c.sync()
    #expect(try c.rows()["list"]?.count == 2)
    try crew.send(b, "INSERT INTO list(id,name) VALUES('l3','three')")
    _ = try c.sync()
    #expect(try c.rows()["list"]?.count == 3)
  }

  private func entry(_ type: String, _ device: DeviceID) -> Entry {
    let stamp = Stamp(Moment(milliseconds: 1_700_000_000_000), device)
    let name = Field("name", Register(stamp: stamp, value: .text("x")))
    return Entry(
      RecordName(type, RecordID([.text("k")]) ?? RecordID(encoded: [])),
      RecordState(born: stamp, fields: [name]))
  }
}

extension SimulatedDevice {
  /// Uploads a log that the engine itself would never write, with this device's keys.
  fileprivate func forge(_ entries: [Entry]) throws {
    guard let engine, let own = try store.cursors()[device], let hash = Digest(bytes: own.hash) else {
      return
    }
    let bodies = try LogWriter.split(entries)
    #expect(bodies.count == 1)
    for body in bodies {
      let bytes = try SealedFile.seal(
        try body.encode(), at: .log(device, own.seq + 1), previous: hash, with: try engine.sealing())
      _ = try engine.remote.publish(.log(device, seq: own.seq + 1), bytes)
    }
  }

  /// What must not change.
  fileprivate func schemaAndNotes() throws -> [[[Value]]] {
    try store.read { db in
      try ["SELECT * FROM sqlite_master ORDER BY name", "SELECT key FROM tributary_meta ORDER BY key"].map {
        try db.rows($0).map(\.values)
      }
    }
  }
}
