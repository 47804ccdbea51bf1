import SQLite
import TestSupport
import Testing
import TributaryModel

@testable import TributaryStore

/// Whatever stops adopting, settling or resuming in the middle leaves nothing half done.
struct AdoptionSafetyTests {
  /// Stops SQLite once, after a number of its instructions.
  private final class Fuse {
    var left: Int
    init(_ left: Int) { self.left = left }
  }

  /// Runs `body` again and again, stopped later each time, until it comes to its end; whenever it was stopped nothing
  /// may have changed, or all. Returns how often it was.
  private func stopEverywhere(_ connection: Connection, _ body: () throws -> Void) throws -> Int {
    var (left, stops) = (1, 0)
    let before = try dump(connection)
    while true {
      let fuse = Fuse(left)
      connection.setProgressHandler(
        every: 1,
        { context in
          guard let context else { return 0 }
          let fuse = Unmanaged<Fuse>.fromOpaque(context).takeUnretainedValue()
          fuse.left -= 1
          return fuse.left == -1 ? 1 : 0
        }, Unmanaged.passUnretained(fuse).toOpaque())
      defer { connection.setProgressHandler(every: 0, nil, nil) }
      do {
        try body()
        return stops
      } catch let error as DatabaseError where error.code.primary == .interrupt {}
      connection.setProgressHandler(every: 0, nil, nil)
      // SQLite looks at its handler once more when BEGIN or COMMIT has done its work.
      if connection.inTransaction { try connection.execute("ROLLBACK") }
      let now = try dump(connection)
      if now != before {
        try? body()
        #expect(try dump(connection) == now, "stopped after \(left), half done")
        return stops
      }
      (left, stops) = (left + 1 + left / 6, stops + 1)
    }
  }

  private func dump(_ connection: Connection) throws -> [[Value]] {
    let master = try connection.rows("SELECT type,name,tbl_name,sql FROM sqlite_master ORDER BY 1,2")
    return try master.reduce(into: master) { all, row in
      guard row[0].string == "table", let name = row[1].string else { return }
      all += try connection.rows("SELECT * FROM \(quoted(name))")
    }
  }

  private static let edits = """
    UPDATE note SET title='x' WHERE id=1; DELETE FROM note WHERE id=2; INSERT INTO note(id,title) VALUES(8,'eight');
    REPLACE INTO note VALUES(9,'nine',NULL,'c1');
    """

  @Test func adoptingIsOneTransaction() throws {
    let folder = try TemporaryFolder()
    let connection = try Connection.open(folder.path("app.db"))
    defer { connection.close() }
    try connection.execute(AdoptionTests.notes)
    let stops = try stopEverywhere(connection) {
      _ = try connection.transaction(.immediate) {
        try Adoption(connection, wall: { 1_800_000_000_000 })
          .begin(FoundSchema.Wish(name: "com.example", sharesIntegerKeys: true))
      }
    }
    #expect(stops > 20)
  }

  @Test func stoppingByProgressLeavesNothing() throws {
    struct Stop: Error {}
    let folder = try TemporaryFolder()
    let connection = try Connection.open(folder.path("app.db"))
    defer { connection.close() }
    try connection.execute(
      """
      CREATE TABLE t(id TEXT PRIMARY KEY, v);
      WITH RECURSIVE n(i) AS (VALUES(1) UNION ALL SELECT i+1 FROM n WHERE i<5000) INSERT INTO t SELECT i,i FROM n
      """)
    let before = try dump(connection)
    #expect(throws: Stop.self) {
      _ = try Adoption.adopt(
        folder.path("app.db"), FoundSchema.Wish(name: "com.example"), wall: { 1_800_000_000_000 },
        progress: { _, rows in if rows > 4_000 { throw Stop() } })
    }
    #expect(try dump(connection) == before)
  }

  @Test func settlingIsOneTransaction() throws {
    let scene = try AdoptedScene(AdoptionTests.notes)
    let old = try scene.state()
    try scene.app.execute(Self.edits)
    let store = try StoreCore.openAdopted(scene.path, wall: { scene.now })
    let stops = try stopEverywhere(store.writer) { try store.settle(as: scene.device) }
    store.close()
    #expect(stops > 10)
    #expect(try scene.changes(since: old).count == 4)
    #expect(try scene.findings().isEmpty)
  }

  @Test func resumingIsOneTransaction() throws {
    let scene = try AdoptedScene(AdoptionTests.notes)
    let old = try scene.state()
    try Adoption.pause(scene.path, wall: { scene.now })
    try scene.app.execute(Self.edits)
    let connection = try Opening.connectAdopted(scene.path)
    let stops = try stopEverywhere(connection) {
      _ = try connection.transaction(.immediate) {
        try Adoption(connection, wall: { scene.now }).open(.resuming)
      }
    }
    connection.close()
    #expect(stops > 20)
    #expect(try scene.changes(since: old).contains("update note \([Value.integer(1)]) title") == false)
    #expect(try scene.findings().isEmpty)
  }

  @Test func moreEditsThanOneTransactionTakes() throws {
    let scene = try AdoptedScene(AdoptionTests.notes + "CREATE TABLE other(id TEXT PRIMARY KEY, v, w);")
    _ = try scene.state()
    try scene.app.execute(
      """
      BEGIN;
      WITH RECURSIVE n(i) AS (VALUES(1) UNION ALL SELECT i+1 FROM n WHERE i<14000) INSERT INTO other SELECT i,i,0 FROM n;
      UPDATE other SET v=v+1 WHERE v%3=0; DELETE FROM other WHERE v%5=0; UPDATE note SET body='late';
      UPDATE tributary_edit_1 SET time=time-seq*7; UPDATE tributary_edit_2 SET time=time-(seq%50)*1000;
      COMMIT
      """)
    let rows = try scene.app.rows("SELECT id,v FROM other ORDER BY id")
    let state = try scene.state()
    #expect(state.values.filter { $0.isVisible() }.count == rows.count + 3)
    for row in rows { #expect(state["other \([row[0]])"]?["v"]?.value == row[1]) }
    #expect(try scene.app.rows("SELECT id,v FROM other ORDER BY id") == rows)
    #expect(try scene.findings().isEmpty)
  }
}
