import CSQLite
import TributaryModel

extension Connection {
  /// Opens a database that another program made, where it is: checks the files, then opens, then hardens. The file
  /// must exist. Its journal mode, page size, encoding, `auto_vacuum`, `application_id` and `user_version` stay.
  ///
  /// Open the writer first, and let it read: it rolls back what a program left that was cut off. A connection that
  /// only reads cannot, and fails with `SQLITE_READONLY_ROLLBACK`. Therefore a reader is one that could write, and is
  /// forbidden to: pass true for `onlyReads`.
  ///
  /// What fails only at a statement, for SQLite reads nothing before:
  ///
  /// | the file | code | when |
  /// |---|---|---|
  /// | is locked, as by a program with `locking_mode=EXCLUSIVE` that has written | `busy` | at the first read, after the busy timeout |
  /// | is locked, by such a program that has only read | `busy` | at COMMIT, after the busy timeout |
  /// | uses a rollback journal, and its folder is read-only | `readOnly` | at the first write |
  /// | is in WAL mode without `-wal` and `-shm`, and its folder is read-only | `readOnly` | at the first read |
  /// | is encrypted behind a plain header | `notADatabase` or `corrupt` | at the first read |
  ///
  /// - Parameter busyTimeout: milliseconds.
  /// - Throws: ``ForeignFileError``; ``DatabaseError``.
  package static func openAdopted(
    _ path: String, onlyReads: Bool = false, busyTimeout: Int32 = 5_000
  ) throws -> Connection {
    try openAdopted(ForeignFile.check(path), onlyReads: onlyReads, busyTimeout: busyTimeout)
  }

  /// Opens the file that was checked, as ``openAdopted(_:onlyReads:busyTimeout:)`` does, and no other.
  package static func openAdopted(
    _ file: ForeignFile, onlyReads: Bool = false, busyTimeout: Int32 = 5_000
  ) throws -> Connection {
    let options = OpenOptions(create: false, busyTimeout: busyTimeout, followsLinks: false)
    let connection = try open(file.path, options)
    do {
      // By now SQLite holds the file open, and has looked at nothing beside it.
      let again = try ForeignFile.check(file.path)
      guard again.inode == file.inode, again.device == file.device else { throw replaced(file.path) }
      // Asked for a file that may not be written, SQLite opens it for reading, and lets even BEGIN IMMEDIATE pass.
      guard onlyReads || sqlite3_db_readonly(connection.handle, "main") == 0 else {
        throw readOnly(file.path)
      }
      try harden(connection, .adopted)
      try connection.keepReadersGoing()
      if onlyReads { try connection.execute("PRAGMA query_only = ON") }
      return connection
    } catch {
      connection.close()
      throw error
    }
  }

  private static func readOnly(_ path: String) -> ForeignFileError {
    ForeignFileError(
      .readOnly, "\(path) cannot be written.",
      remedy: "Check the permissions of the file and of its folder, and whether the disk is read-only.")
  }

  private static func replaced(_ path: String) -> ForeignFileError {
    ForeignFileError(
      .replaced, "\(path) was replaced while it was being opened.",
      remedy: "Stop the program that replaces it, then try again.")
  }

  /// Reads the whole file for damage, for at most `duration`. That rows break a CHECK is no damage: programs add rules
  /// to tables that have rows. What cannot be read for want of a collation that only the app has is passed over.
  ///
  /// - Throws: ``DatabaseError`` with `.corrupt` and the first finding; with `.interrupt` when the time is over.
  package func checkAdopted(within duration: Duration) throws {
    let ignored = try integer("PRAGMA ignore_check_constraints") ?? 0
    try execute("PRAGMA ignore_check_constraints = ON")
    defer { try? execute("PRAGMA ignore_check_constraints = \(ignored)") }
    do {
      try limited(to: duration) { try checkWholeOrByTable() }
    } catch let error as DatabaseError where error.code.primary == .interrupt {
      throw DatabaseError(
        .interrupt,
        "Looking for damage took longer than \(duration.components.seconds) seconds, and was stopped.")
    }
  }

  private func checkWholeOrByTable() throws {
    do {
      try quickCheck()
    } catch let error as DatabaseError where error.code.primary == .error {
      for table in try tableNames() { try checkTable(table) }
    }
  }

  private func checkTable(_ name: String) throws {
    do {
      let finding = try value("PRAGMA quick_check(\(quoted(name)))")?.string ?? "no answer"
      guard finding == "ok" else { throw DatabaseError(.corrupt, "The database is damaged: \(finding)") }
    } catch let error as DatabaseError where error.code.primary == .error {}
  }
}
