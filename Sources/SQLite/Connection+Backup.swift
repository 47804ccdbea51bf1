import CSQLite

extension Connection {
  /// Copies the whole database over that of `destination`, as of one moment.
  ///
  /// - Throws: ``DatabaseError`` with `.busy` or `.locked` if either side is locked. The destination then is as it was.
  package func backup(to destination: Connection) throws {
    guard isOpen, destination.isOpen else { throw DatabaseError(.misuse, "The connection is closed.") }
    guard let backup = sqlite3_backup_init(destination.handle, "main", handle, "main") else {
      throw DatabaseError.last(sqlite3_extended_errcode(destination.handle), of: destination.handle)
    }
    // All pages in one step: in several, a writer in between would start the copy over, perhaps for ever.
    let stepped = sqlite3_backup_step(backup, -1)
    let finished = sqlite3_backup_finish(backup)
    guard stepped == SQLITE_DONE else { throw DatabaseError.last(stepped, of: destination.handle) }
    try destination.check(finished)
  }
}
