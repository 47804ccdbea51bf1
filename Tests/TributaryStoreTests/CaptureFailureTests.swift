import SQLite
import TestSupport
import Testing
import TributaryModel

@testable import TributaryStore

/// Statements that fail and changes that are undone.
@Suite struct CaptureFailureTests {
  private static let table = "CREATE TABLE t(id TEXT PRIMARY KEY, x UNIQUE, y)"
  private static let rows = "INSERT INTO t VALUES('a', 1, 1), ('b', 2, 2), ('c', 3, 3)"

  @Test func aStatementThatAbortsLeavesNoTrace() throws {
    let scene = try Scene(Self.table)
    try scene.given(Self.rows)
    let changes = try scene.transaction { writer in
      try writer.execute("UPDATE t SET y = 9 WHERE id = 'b'")
      scene.fails("INSERT INTO t VALUES('d', 4, 4), ('e', 1, 1)")
      scene.fails("UPDATE t SET x = 7")
    }
    #expect(changes == ["update t 'b' y"])
  }

  @Test func aStatementThatFailsMidwayKeepsWhatItDid() throws {
    let scene = try Scene(Self.table)
    try scene.given(Self.rows)
    let changes = try scene.transaction { _ in
      scene.fails("INSERT OR FAIL INTO t VALUES('d', 4, 4), ('e', 1, 1), ('f', 6, 6)")
    }
    #expect(changes == ["insert t 'd'"])
  }

  @Test func rowsThatAreIgnoredAreNoChanges() throws {
    let scene = try Scene(Self.table)
    try scene.given(Self.rows)
    #expect(
      try scene.changes("INSERT OR IGNORE INTO t VALUES('d', 4, 4), ('e', 1, 1), ('a', 9, 9)") == [
        "insert t 'd'"
      ])
    #expect(try scene.changes("UPDATE OR IGNORE t SET x = 2, y = 5") == ["update t 'b' y"])
    #expect(try scene.changes("INSERT INTO t VALUES('a', 1, 1) ON CONFLICT DO NOTHING") == [])
  }

  @Test func aSavepointThatIsRolledBackIsVerifiedAway() throws {
    let scene = try Scene(Self.table)
    try scene.given(Self.rows)
    let changes = try scene.transaction { writer in
      try writer.execute("UPDATE t SET y = 9 WHERE id = 'b'")
      try writer.execute(
        """
        SAVEPOINT s; DELETE FROM t WHERE id = 'a'; UPDATE t SET x = 8 WHERE id = 'b'; INSERT INTO t VALUES('d', 4, 4);
        ROLLBACK TO s; RELEASE s
        """)
      scene.capture.markUncertain()
      try writer.execute("DELETE FROM t WHERE id = 'c'; INSERT INTO t VALUES('e', 5, 5)")
    }
    #expect(changes == ["update t 'b' y", "delete t 'c' {x: 3, y: 3}", "insert t 'e'"])
  }

  @Test func onlyTouchedRecordsAreVerified() throws {
    let scene = try Scene(Self.table)
    try scene.given(Self.rows)
    try scene.writer.execute("BEGIN")
    scene.capture.mode = .recording
    try scene.writer.execute("UPDATE t SET y = 9 WHERE id = 'b'; UPDATE t SET y = 8 WHERE id = 'b'")
    scene.capture.markUncertain()
    guard case .verify(let records) = scene.capture.finish() else {
      Issue.record("An uncertain transaction must be verified")
      return
    }
    #expect(records.map(\.id) == [RecordID([.text("b")])])
    try scene.writer.execute("ROLLBACK")
    // The mark belongs to its transaction.
    #expect(!scene.capture.hasChanges)
    guard case .exact(let changes) = scene.capture.finish() else {
      Issue.record("The mark outlived its transaction")
      return
    }
    #expect(changes.isEmpty)
  }

  @Test func keysThatACollationHoldsEqualAreVerifiedApart() throws {
    let scene = try Scene("CREATE TABLE t(id TEXT COLLATE NOCASE PRIMARY KEY, x)")
    try scene.given("INSERT INTO t VALUES('a', 1)")
    let changes = try scene.transaction { writer in
      try writer.execute("UPDATE t SET id = 'A'")
      scene.capture.markUncertain()
    }
    #expect(changes == ["insert t 'A'", "delete t 'a' {x: 1}"])
  }

  @Test func whatAnErasingTableHeldIsNotLogged() throws {
    let scene = try Scene(Self.table) { $0.onDelete = .erases }
    try scene.given(Self.rows)
    #expect(try scene.changes("DELETE FROM t WHERE id = 'a'") == ["delete t 'a'"])
    #expect(try scene.changes("REPLACE INTO t VALUES('b', 2, 7)") == ["update t 'b' y"])
    let verified = try scene.transaction { writer in
      try writer.execute("DELETE FROM t WHERE id = 'c'")
      scene.capture.markUncertain()
    }
    #expect(verified == ["delete t 'c'"])
  }
}

/// Several changes of one record in one transaction.
@Suite struct CaptureCollapseTests {
  private static let table = "CREATE TABLE t(id TEXT PRIMARY KEY, x, y)"

  private static let cases: [(sql: String, changes: [String])] = [
    ("UPDATE t SET x = 5; UPDATE t SET y = 5; UPDATE t SET x = 6", ["update t 'a' x,y"]),
    ("INSERT INTO t VALUES('n', 1, 1); UPDATE t SET x = 2 WHERE id = 'n'", ["insert t 'n'"]),
    ("INSERT INTO t VALUES('n', 1, 1); DELETE FROM t WHERE id = 'n'", []),
    (
      "INSERT INTO t VALUES('n', 1, 1); DELETE FROM t WHERE id = 'n'; INSERT INTO t VALUES('n', 2, 2)",
      ["insert t 'n'"]
    ),
    ("UPDATE t SET x = 5; DELETE FROM t", ["delete t 'a' x {x: 5, y: 1}"]),
    ("DELETE FROM t; INSERT INTO t VALUES('a', 1, 2); DELETE FROM t", ["delete t 'a' y {x: 1, y: 2}"]),
    ("UPDATE t SET x = 5; REPLACE INTO t VALUES('a', 5, 2)", ["update t 'a' x,y"]),
    ("DELETE FROM t; INSERT INTO t VALUES('a', 1, 1); UPDATE t SET y = 3", ["update t 'a' y"]),
    ("DELETE FROM t; INSERT INTO t VALUES('a', 1, 1)", []),
    ("UPDATE t SET id = 'b'; UPDATE t SET id = 'a'", []),
    ("UPDATE t SET id = 'b', x = 2; UPDATE t SET id = 'a'", ["update t 'a' x"]),
    ("UPDATE t SET id = 'b'; DELETE FROM t", ["delete t 'a' {x: 1, y: 1}"]),
  ]

  @Test(arguments: 0..<cases.count) func editsOfOneRecordBecomeOneChange(_ number: Int) throws {
    let scene = try Scene(Self.table)
    try scene.given("INSERT INTO t VALUES('a', 1, 1)")
    #expect(try scene.changes(Self.cases[number].sql) == Self.cases[number].changes)
  }

  @Test func oneKeyInTwoTablesIsTwoRecords() throws {
    let scene = try Scene("CREATE TABLE a(id TEXT PRIMARY KEY, x); CREATE TABLE b(id TEXT PRIMARY KEY, x)")
    try scene.given("INSERT INTO a VALUES('k', 1)")
    #expect(
      try scene.changes("DELETE FROM a; INSERT INTO b VALUES('k', 1)") == [
        "delete a 'k' {x: 1}", "insert b 'k'",
      ])
  }

  @Test func changesAreSortedByTypeAndIdentity() throws {
    let scene = try Scene("CREATE TABLE a(id BLOB PRIMARY KEY); CREATE TABLE b(id BLOB PRIMARY KEY)")
    let values: [Value] = [
      .text("zz"), .text("z"), .integer(5), .integer(-5), .text("y long text"), .text("y long texu"),
    ]
    let changes = try scene.recorded { writer in
      for value in values {
        try writer.execute("INSERT INTO b VALUES(?)", [value])
        try writer.execute("INSERT INTO a VALUES(?)", [value])
      }
    }
    #expect(changes.count == 12)
    for (left, right) in zip(changes, changes.dropFirst()) {
      #expect(left.type < right.type || (left.type == right.type && left.id < right.id))
    }
  }

  /// The hook's account of random transactions against a comparison of all rows.
  @Test(arguments: 0..<40) func randomTransactionsAreCapturedExactly(_ seed: UInt64) throws {
    var random = SplitMix(state: seed)
    let scene = try Scene(Self.randomTables, comparesAll: seed % 2 == 0)
    for round in 0..<12 {
      var trace = ["seed \(seed) round \(round)"]
      _ = try scene.recorded { writer in
        for _ in 0..<Int(random.next() % 6) {
          trace.append(Self.statement(&random))
          try writer.execute(trace[trace.count - 1])
        }
        try Self.compare(scene, trace)
      }
    }
  }

  private static let randomTables = """
    CREATE TABLE p(id INTEGER PRIMARY KEY, x REAL, y UNIQUE);
    CREATE TABLE q(r REAL, v AS (id || 'v') VIRTUAL, x INTEGER, id, y UNIQUE, PRIMARY KEY(id)) WITHOUT ROWID;
    CREATE TABLE s(v AS (y) VIRTUAL, id TEXT PRIMARY KEY, x, y REFERENCES p(id) ON DELETE CASCADE ON UPDATE CASCADE)
    """

  private static func statement(_ random: inout SplitMix) -> String {
    let table = ["p", "q"][Int(random.next() % 2)]
    let (a, b, c) = (random.next() % 6, random.next() % 4, random.next() % 6)
    switch random.next() % 9 {
    case 0, 1: return "INSERT OR REPLACE INTO \(table)(id, x, y) VALUES(\(a), \(b), \(c))"
    case 2:
      return "INSERT INTO \(table)(id, x, y) VALUES(\(a), \(b), \(c)) ON CONFLICT DO UPDATE SET x = \(b)"
    case 3: return "UPDATE OR IGNORE \(table) SET x = \(b) WHERE id < \(a)"
    case 4: return "UPDATE OR REPLACE \(table) SET id = \(a), y = y WHERE id = \(c)"
    case 5: return "DELETE FROM \(table) WHERE id = \(a)"
    case 6: return "INSERT OR REPLACE INTO s(id, x, y) SELECT 'k\(a)', \(b), id FROM p LIMIT 1"
    case 7: return "UPDATE OR IGNORE s SET id = 'k\(a)', x = \(b) WHERE id = 'k\(c)'"
    default:
      return a == 0 ? "DELETE FROM \(table)" : "UPDATE OR REPLACE \(table) SET y = \(c) WHERE id = \(a)"
    }
  }

  /// Called before the end of a transaction, whose capture stays untouched.
  private static func compare(_ scene: Scene, _ trace: [String]) throws {
    let exact = try scene.verifier.changes(scene.capture.finish())
    var records: [(type: Int64, id: RecordID)] = []
    for shape in scene.shapes {
      var ids: Set<RecordID> = []
      for connection in [scene.writer, scene.reader] {
        let names = shape.key.map(\.name).joined(separator: ", ")
        for row in try connection.rows("SELECT \(names) FROM \(shape.name)") {
          ids.formUnion([RecordID(row)].compactMap(\.self))
        }
      }
      records += ids.sorted().map { (shape.type, $0) }
    }
    let truth = try scene.verifier.changes(of: records)
    let found = Dictionary(uniqueKeysWithValues: exact.map { (Name(type: $0.type, id: $0.id), $0) })
    for change in truth {
      let same = found[Name(type: change.type, id: change.id)]
      #expect(same?.kind == change.kind, "\(trace) \(scene.describe(change))")
      if change.kind == .update { #expect(same?.fields.union(change.fields) == same?.fields, "\(trace)") }
      if change.kind == .delete, same?.fields.isEmpty == true { #expect(same == change, "\(trace)") }
    }
    // What the comparison does not find changed there and back.
    let known = Set(truth.map { Name(type: $0.type, id: $0.id) })
    for change in exact where !known.contains(Name(type: change.type, id: change.id)) {
      #expect(change.kind == .update, "\(trace) \(scene.describe(change))")
    }
  }

  private struct Name: Hashable {
    var type: Int64
    var id: RecordID
  }
}

struct SplitMix: RandomNumberGenerator {
  var state: UInt64

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ mixed >> 30) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ mixed >> 27) &* 0x94D0_49BB_1331_11EB
    return mixed ^ mixed >> 31
  }
}
