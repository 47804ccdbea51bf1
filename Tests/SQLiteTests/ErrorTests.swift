import Glibc
import SQLite
import Testing
import TributaryModel

struct ErrorTests {
  static let constraints: [(String, ResultCode)] = [
    ("INSERT INTO t(k, u) VALUES ('a', 2)", .constraintPrimaryKey),
    ("INSERT INTO t(k, u) VALUES ('b', 1)", .constraintUnique),
    ("INSERT INTO t(k) VALUES (NULL)", .constraintNotNull),
    ("INSERT INTO t(k, c) VALUES ('c', -1)", .constraintCheck),
    ("INSERT INTO t(k, f) VALUES ('d', 'nobody')", .constraintForeignKey),
    ("INSERT INTO t(k, u) VALUES ('e', 'text')", .constraintDatatype),
  ]

  @Test(arguments: constraints)
  func eachConstraintHasItsCode(_ sql: String, _ expected: ResultCode) throws {
    let connection = try memory(
      """
      PRAGMA foreign_keys = ON;
      CREATE TABLE t(k TEXT NOT NULL PRIMARY KEY, u INT UNIQUE, c INT CHECK (c > 0), f TEXT REFERENCES t) STRICT;
      INSERT INTO t(k, u) VALUES ('a', 1);
      """)
    let found = try #require(code { try connection.execute(sql) })
    #expect(found == expected)
    #expect(found.primary == .constraint)
    #expect(.constraint ~= found)
    #expect(!(.busy ~= found))
  }

  @Test func anErrorNamesTheStatementButNoBoundValue() throws {
    let connection = try memory("CREATE TABLE t(a UNIQUE); INSERT INTO t VALUES ('secret')")
    do {
      try connection.execute("INSERT INTO t VALUES (?1)", [.text("secret")])
      Issue.record("The duplicate was to be refused.")
    } catch let error as DatabaseError {
      #expect(error.sql == "INSERT INTO t VALUES (?1)")
      #expect(error.description.contains("UNIQUE constraint failed: t.a"))
      #expect(error.description.contains("exists already"))
      #expect(!error.description.contains("secret"))
    }
    try connection.execute("INSERT INTO t VALUES (?1)", [.text("other")])
  }

  @Test func textThatIsNotExactlyOneStatementIsRefused() throws {
    let connection = try memory("CREATE TABLE t(a)")
    for sql in ["", " -- nothing", "SELECT 1; DROP TABLE t", "SELECT 1\0; DROP TABLE t"] {
      #expect(code { _ = try connection.prepare(sql) } == .misuse)
    }
    #expect(try connection.prepare("SELECT 1; -- done\n ; ").step())
    #expect(code { _ = try connection.prepare("SELEC 1") } == .error)
    #expect(code { try connection.execute("SELECT ?1", []) } == .range)
    #expect(code { try connection.prepare("SELECT ?1").bindInteger(2, 1) } == .range)
    #expect(code { try connection.prepare("SELECT ?1").bindInteger(.max, 1) } == .range)
  }

  @Test func aFileThatIsNoDatabaseIsKnown() throws {
    try withDirectory { directory in
      let file = try #require(fopen(directory + "/a", "w"))
      for _ in 0..<200 { fputs("this is no database", file) }
      fclose(file)
      let connection = try Connection.open(directory + "/a")
      #expect(code { try connection.execute("SELECT * FROM sqlite_master") } == .notADatabase)
    }
  }

  @Test func openingFailsWithACodeAndThePath() throws {
    try withDirectory { directory in
      #expect(code { _ = try Connection.open(directory + "/a", .readOnly) }?.primary == .cantOpen)
      #expect(
        code { _ = try Connection.open(directory + "/a", OpenOptions(create: false)) }?.primary == .cantOpen)
      #expect(code { _ = try Connection.open(directory + "/a\0b") } == .cantOpen)
      try Connection.open(directory + "/a").execute("CREATE TABLE t(a)")
      let reader = try Connection.open(directory + "/a", .readOnly)
      #expect(code { try reader.execute("INSERT INTO t VALUES (1)") }?.primary == .readOnly)
    }
  }

  @Test func aNameThatLooksLikeAURIIsAName() throws {
    // In the current directory, which is the whole process's: a test must not change it.
    let name = "file:\(getpid()).db"
    defer { unlink("./" + name) }
    try Connection.open(name).execute("CREATE TABLE t(a)")
    #expect(access("./" + name, F_OK) == 0)
    let here = try #require(getcwd(nil, 0))
    defer { free(here) }
    let escaped = name.replacing(":", with: "%3A")
    let reader = try Connection.open(
      "file:\(String(cString: here))/\(escaped)?immutable=1", OpenOptions(readOnly: true, uri: true))
    #expect(try reader.tableNames() == ["t"])
  }

  @Test func aLockedDatabaseIsBusy() throws {
    try withDirectory { directory in
      let first = try Connection.open(directory + "/a")
      let second = try Connection.open(directory + "/a", OpenOptions(busyTimeout: 1))
      try first.execute("CREATE TABLE t(a)")
      try first.transaction(.immediate) {
        #expect(code { try second.transaction(.immediate) {} } == .busy)
      }
      try second.transaction(.immediate) {}
    }
  }

  @Test func aClosedConnectionThrows() throws {
    let connection = try memory("CREATE TABLE t(a)")
    _ = try connection.rows("SELECT * FROM t")
    connection.close()
    connection.close()
    #expect(code { _ = try connection.rows("SELECT * FROM t") } == .misuse)
    #expect(!connection.inTransaction)
    #expect(connection.changes == 0)
  }

  @Test func aStatementOutlivesItsConnection() throws {
    let statement = try memory("CREATE TABLE t(a); INSERT INTO t VALUES (5)").prepare("SELECT a FROM t")
    #expect(try statement.step())
    #expect(statement.integer(0) == 5)
  }
}
