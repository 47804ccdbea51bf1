import CSQLite
import Glibc
import SQLite
import TestSupport
import Testing
import TributaryModel
import TributaryStore

private let task = Table("my task", key: "id", columns: [.text("title").orNull])

/// A guarded store in a file, and a connection that is not the engine's.
private func withForeign(_ body: (_ own: Connection, _ foreign: Connection) throws -> Void) throws {
  let folder = try TemporaryFolder()
  defer { withExtendedLifetime(folder) {} }
  let own = try Connection.open(folder.path("store"))
  defer { own.close() }
  try GuardFunction.install(on: own)
  try reconcile(own, [task])
  let foreign = try Connection.open(folder.path("store"))
  defer { foreign.close() }
  try body(own, foreign)
}

@Test(arguments: [
  "INSERT INTO \"my task\"(id) VALUES('b')", "UPDATE \"my task\" SET title = 'y'", "DELETE FROM \"my task\"",
  "INSERT OR IGNORE INTO \"my task\"(id) VALUES('a')", "REPLACE INTO \"my task\"(id) VALUES('a')",
])
func aWritePastTheEngineFails(sql: String) throws {
  try withForeign { own, foreign in
    try own.execute("INSERT INTO \"my task\" VALUES('a', 'x')")
    let error = #expect(throws: DatabaseError.self) { try foreign.execute(sql) }
    #expect(error?.message == "no such function: tributary_guard")
    #expect(try foreign.rows("SELECT * FROM \"my task\"") == [[.text("a"), .text("x")]])
  }
}

@Test func aCascadePastTheEngineFails() throws {
  let connection = try ownedMemory("PRAGMA foreign_keys = ON")
  let child = Table("child", key: "id", columns: [.text("up").references("parent", onDelete: .cascade)])
  let parent = Table("parent", key: "id", columns: [])
  try reconcile(connection, [parent, child])
  try connection.execute("INSERT INTO parent VALUES('p'); INSERT INTO child VALUES('c', 'p')")
  try connection.execute("DROP TRIGGER tributary_guard_1_delete")
  sqlite3_create_function_v2(connection.handle, "tributary_guard", 0, SQLITE_UTF8, nil, nil, nil, nil, nil)
  #expect(throws: DatabaseError.self) { try connection.execute("DELETE FROM parent") }
  #expect(try connection.integer("SELECT count(*) FROM child") == 1)
}

@Test func theEngineWritesWhereTheSchemaIsNotTrusted() throws {
  try withForeign { own, _ in
    try own.execute("PRAGMA trusted_schema = OFF")
    try own.execute("INSERT INTO \"my task\" VALUES('a', 'x')")
    #expect(own.changes == 1)
  }
}

@Test func anAdoptedStoreHasNoGuards() throws {
  try withForeign { own, foreign in
    try reconcile(own, [task], isAdopted: true)
    try foreign.execute("INSERT INTO \"my task\" VALUES('a', 'x')")
    try reconcile(own, [task])
    #expect(throws: DatabaseError.self) { try foreign.execute("DELETE FROM \"my task\"") }
  }
}

@Test func aTableThatWasRenamedAndMadeAnewIsGuarded() throws {
  try withForeign { own, foreign in
    try own.execute("ALTER TABLE \"my task\" RENAME TO old")
    try reconcile(own, [task])
    #expect(throws: DatabaseError.self) { try foreign.execute("INSERT INTO \"my task\" VALUES('a', 'x')") }
    try foreign.execute("INSERT INTO old VALUES('a', 'x')")
  }
}

/// What the preupdate hook saw: operation, depth, and whether old and new rowids are equal.
private final class Events {
  var seen: [String] = []
}

private func record(
  context: UnsafeMutableRawPointer?, database: OpaquePointer?, operation: Int32, _: UnsafePointer<CChar>?,
  table: UnsafePointer<CChar>?, old: Int64, new: Int64
) {
  guard let context, let database, let table else { return }
  let events = Unmanaged<Events>.fromOpaque(context).takeUnretainedValue()
  let depth = sqlite3_preupdate_depth(database)
  events.seen.append("\(operation) \(String(cString: table)) \(depth) \(old) \(new)")
}

private func events(guarded: Bool, _ setup: String) throws -> [String] {
  let connection = try ownedMemory(setup)
  try reconcile(
    connection, [Table("t", key: "id", columns: [.text("a").orNull, .text("b").unique])], isAdopted: !guarded)
  let events = Events()
  try connection.setPreupdateHook(record, Unmanaged.passUnretained(events).toOpaque())
  try connection.execute(
    """
    INSERT INTO t VALUES('x', 1, 'p'), ('y', 2, 'q'), ('z', 3, 'r');
    REPLACE INTO t VALUES('x', 4, 'q');
    UPDATE OR REPLACE t SET b = 'r' WHERE id = 'x';
    INSERT INTO t VALUES('x', 5, 's') ON CONFLICT(id) DO UPDATE SET a = excluded.a;
    INSERT OR IGNORE INTO t VALUES('x', 6, 'u');
    UPDATE t SET id = id || '2';
    CREATE TRIGGER mine AFTER DELETE ON t BEGIN INSERT INTO other VALUES(OLD.id); END;
    DELETE FROM t;
    """)
  try connection.setPreupdateHook(nil, nil)
  withExtendedLifetime(events) {}
  return events.seen
}

@Test(arguments: ["", "; PRAGMA recursive_triggers = ON"])
func guardsDoNotChangeWhatTheHookSees(setting: String) throws {
  let setup = "CREATE TABLE other(x)" + setting
  let guarded = try events(guarded: true, setup).filter { !$0.contains("sqlite_") }
  let plain = try events(guarded: false, setup).filter { !$0.contains("sqlite_") }
  #expect(guarded == plain)
  #expect(guarded.contains { $0.hasPrefix("9 t 0") } && guarded.contains { $0.hasPrefix("18 other 1") })
}
