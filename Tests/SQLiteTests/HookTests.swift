import CSQLite
import SQLite
import Testing
import TributaryModel

/// What the hooks saw.
private final class Trace {
  var lines: [String] = []

  var context: UnsafeMutableRawPointer { Unmanaged.passUnretained(self).toOpaque() }

  static func from(_ context: UnsafeMutableRawPointer?) -> Trace? {
    context.map { Unmanaged<Trace>.fromOpaque($0).takeUnretainedValue() }
  }
}

private func preupdate(
  _ context: UnsafeMutableRawPointer?, _ database: OpaquePointer?, _ operation: Int32,
  _ schema: UnsafePointer<CChar>?, _ table: UnsafePointer<CChar>?, _ old: Int64, _ new: Int64
) {
  var value: OpaquePointer?
  let code =
    operation == SQLITE_INSERT
    ? sqlite3_preupdate_new(database, 0, &value) : sqlite3_preupdate_old(database, 0, &value)
  guard code == SQLITE_OK, let value, let table else { return }
  Trace.from(context)?.lines.append("\(operation) \(String(cString: table)) \(Value(copying: value))")
}

struct HookTests {
  @Test(arguments: ["", "WITHOUT ROWID"])
  func thePreupdateHookSeesEveryRow(_ suffix: String) throws {
    let connection = try memory("CREATE TABLE t(a PRIMARY KEY, b) \(suffix)")
    let trace = Trace()
    try connection.setPreupdateHook(preupdate, trace.context)
    try connection.execute("INSERT INTO t VALUES (1, 2), (?1, 3)", [.text([0x78, 0, 0xff])])
    try connection.execute("UPDATE t SET b = 5 WHERE a = 1")
    try connection.execute("DELETE FROM t")
    let text = "\(Value.text([0x78, 0, 0xff]))"
    let one = "\(Value.integer(1))"
    #expect(trace.lines == ["18 t \(one)", "18 t \(text)", "23 t \(one)", "9 t \(one)", "9 t \(text)"])
    try connection.setPreupdateHook(nil, nil)
    try connection.execute("INSERT INTO t VALUES (1, 2)")
    #expect(trace.lines.count == 5)
  }

  @Test func aDeleteCompiledBeforeTheHookIsSeenToo() throws {
    let connection = try memory("CREATE TABLE t(a); INSERT INTO t VALUES (1), (2)")
    let held = try connection.prepare("DELETE FROM t")
    try connection.transaction {
      try held.run()
      try connection.execute("INSERT INTO t VALUES (1), (2)")
    }
    let trace = Trace()
    try connection.setPreupdateHook(preupdate, trace.context)
    try held.run()
    #expect(trace.lines.count == 2)
    try connection.setPreupdateHook(nil, nil)
  }

  @Test func theAuthorizerRefusesAndTheProgressHandlerInterrupts() throws {
    let connection = try memory("CREATE TABLE t(a)")
    try connection.setAuthorizer(
      { _, action, _, _, _, _ in action == SQLITE_DELETE ? SQLITE_DENY : SQLITE_OK }, nil)
    #expect(code { try connection.execute("DELETE FROM t") } == .auth)
    try connection.setAuthorizer(nil, nil)
    try connection.execute("DELETE FROM t")
    connection.setProgressHandler(every: 100, { _ in 1 }, nil)
    let endless = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT max(i) FROM n"
    #expect(code { try connection.execute(endless) } == .interrupt)
    connection.setProgressHandler(every: 0, nil, nil)
  }

  @Test func aFunctionComputesAndItsContextIsReleased() throws {
    let trace = Trace()
    do {
      let connection = try memory()
      try connection.createFunction(
        "twice", argumentCount: 1, flags: [.deterministic, .directOnly],
        { context, _, arguments in
          sqlite3_result_int64(context, 2 * sqlite3_value_int64(arguments?[0]))
        }, trace.context, { context in Trace.from(context)?.lines.append("released") })
      #expect(try connection.integer("SELECT twice(21)") == 42)
      try connection.execute("CREATE VIEW v AS SELECT twice(1)")
      #expect(code { try connection.execute("SELECT * FROM v") } == .error)
      #expect(trace.lines.isEmpty)
    }
    #expect(trace.lines == ["released"])
  }
}
