import SQLite
import Testing
import TributaryModel

struct BackupTests {
  @Test func aBackupIsTheWholeDatabase() throws {
    try withDirectory { directory in
      let source = try Connection.open(directory + "/a")
      try source.execute("PRAGMA journal_mode = WAL; CREATE TABLE t(a); INSERT INTO t VALUES (1)")
      let copy = try Connection.open(directory + "/b")
      try copy.execute("CREATE TABLE old(a)")
      try source.backup(to: copy)
      #expect(try copy.rows("SELECT a FROM t") == [[.integer(1)]])
      #expect(try copy.tableNames() == ["t"])
      try source.execute("INSERT INTO t VALUES (2)")
      #expect(try copy.integer("SELECT count(*) FROM t") == 1)
    }
  }

  @Test func aBackupOverALockedDatabaseFailsAndLeavesIt() throws {
    try withDirectory { directory in
      let source = try memory("CREATE TABLE t(a)")
      let copy = try Connection.open(directory + "/b", OpenOptions(busyTimeout: 1))
      try copy.execute("CREATE TABLE old(a)")
      let other = try Connection.open(directory + "/b")
      try other.transaction(.immediate) {
        #expect(code { try source.backup(to: copy) }?.primary == .busy)
      }
      #expect(try copy.tableNames() == ["old"])
      try source.backup(to: copy)
      #expect(try copy.tableNames() == ["t"])
      copy.close()
      #expect(code { try source.backup(to: copy) } == .misuse)
    }
  }
}
