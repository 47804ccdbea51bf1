import SQLite
import Testing
import TributaryModel

struct TransactionTests {
  private func count(_ connection: Connection) throws -> Int64? {
    try connection.integer("SELECT count(*) FROM t")
  }

  @Test(arguments: [TransactionKind.deferred, .immediate])
  func whatThrowsInATransactionIsUndone(_ kind: TransactionKind) throws {
    let connection = try memory("CREATE TABLE t(a)")
    #expect(throws: Refusal()) {
      try connection.transaction(kind) {
        try connection.execute("INSERT INTO t VALUES (1)")
        #expect(connection.inTransaction)
        throw Refusal()
      }
    }
    #expect(!connection.inTransaction)
    #expect(try count(connection) == 0)
    let result = try connection.transaction(kind) {
      try connection.execute("INSERT INTO t VALUES (1)")
      return 7
    }
    #expect(result == 7)
    #expect(try count(connection) == 1)
  }

  @Test func theFirstErrorSurvivesWhenSQLiteHasRolledBackAlready() throws {
    let connection = try memory("CREATE TABLE t(a UNIQUE); INSERT INTO t VALUES (1)")
    let found = code {
      try connection.transaction { try connection.execute("INSERT OR ROLLBACK INTO t VALUES (1)") }
    }
    #expect(found == .constraintUnique)
    #expect(!connection.inTransaction)
    let inner = code {
      try connection.transaction {
        try connection.savepoint { try connection.execute("INSERT OR ROLLBACK INTO t VALUES (1)") }
      }
    }
    #expect(inner == .constraintUnique)
  }

  @Test func aCommitThatFailsLeavesNoTransactionOpen() throws {
    let connection = try memory(
      """
      PRAGMA foreign_keys = ON; CREATE TABLE p(a PRIMARY KEY);
      CREATE TABLE t(a REFERENCES p DEFERRABLE INITIALLY DEFERRED)
      """)
    #expect(
      code { try connection.transaction { try connection.execute("INSERT INTO t VALUES (1)") } }
        == .constraintForeignKey)
    #expect(!connection.inTransaction)
    #expect(code { try connection.savepoint { try connection.execute("INSERT INTO t VALUES (1)") } } != nil)
    #expect(!connection.inTransaction)
    #expect(try count(connection) == 0)
  }

  @Test func aSavepointIsUndoneAlone() throws {
    let connection = try memory("CREATE TABLE t(a)")
    try connection.transaction {
      try connection.execute("INSERT INTO t VALUES (1)")
      try connection.savepoint {
        try connection.execute("INSERT INTO t VALUES (2)")
        #expect(throws: Refusal()) {
          try connection.savepoint {
            try connection.execute("INSERT INTO t VALUES (3)")
            throw Refusal()
          }
        }
      }
    }
    #expect(try connection.rows("SELECT a FROM t ORDER BY a") == [[.integer(1)], [.integer(2)]])
  }

  @Test func aRollbackThatFailsTellsBoth() throws {
    let connection = try memory("CREATE TABLE t(a)")
    do {
      try connection.transaction {
        try connection.setAuthorizer({ _, action, _, _, _, _ in action == 22 ? 1 : 0 }, nil)
        throw Refusal()
      }
      Issue.record("The rollback was to be refused.")
    } catch let error as DatabaseError {
      #expect(error.code == .auth)
      #expect(error.cause is Refusal)
    }
    try connection.setAuthorizer(nil, nil)
  }
}
