import SQLite
import TributaryStore

/// The file that a command is given, before and while SQLite works on it.
enum DatabaseFile {
  /// Whether there is a file at the path. Something else than a file is an error.
  static func exists(_ path: String) throws -> Bool {
    switch Machinery.kind(path) {
    case .absent: return false
    case .file: return true
    case .directory:
      throw ToolError(.failure, "\(path) is a folder, not a database", remedy: "Give the file's path.")
    case .other:
      throw ToolError(.failure, "\(path) is not a plain file", remedy: "Give the path of a database.")
    }
  }

  /// Removes a database and what SQLite keeps beside it, as far as that goes.
  static func remove(_ path: String) {
    for suffix in ["", "-wal", "-shm", "-journal"] { Machinery.remove(path + suffix) }
  }

  /// Runs `body`; SQLite's errors about the file as a whole name it, and say what helps.
  static func naming<T>(_ path: String, _ body: () throws -> T) throws -> T {
    do { return try body() } catch let error as DatabaseError {
      throw explained(error, path) ?? error
    } catch let error as StoreError where error.sqliteCode != nil {
      let code = ResultCode(rawValue: error.sqliteCode ?? 0)
      throw explained(DatabaseError(code, error.message), path) ?? error
    }
  }

  /// The same for a body that only reads. Reading too makes files beside the database.
  static func namingToRead<T>(_ path: String, _ body: () throws -> T) throws -> T {
    try naming(path) {
      do { return try body() } catch let error as DatabaseError where error.code == .needsRollback {
        try rollBack(path)
        return try body()
      } catch let error as DatabaseError where error.code.primary == .readOnly {
        throw DatabaseError(.cantOpen, error.message)
      }
    }
  }

  /// Undoes what a program left that was cut off in the middle of a transaction: a connection that only reads cannot.
  private static func rollBack(_ path: String) throws {
    let connection = try Connection.openAdopted(path)
    defer { connection.close() }
    _ = try connection.integer("SELECT count(*) FROM sqlite_master")
  }

  private static func explained(_ error: DatabaseError, _ path: String) -> ToolError? {
    switch error.code.primary {
    case .notADatabase:
      ToolError(
        .failure, "\(path) is not a SQLite database, or it is encrypted", remedy: "Check the path.")
    case .corrupt:
      ToolError(
        .damage, "\(path) is damaged: \(error.message)",
        remedy: "Keep a copy of it. `tributary check \(path)` says more, where it can be read.")
    case .readOnly:
      ToolError(
        .failure, "\(path) cannot be written",
        remedy: "Check the permissions of the file, of its folder, and of the files beside it (-wal, -shm).")
    case .cantOpen:
      ToolError(
        .failure, "\(path) cannot be opened",
        remedy: "Check that you may read the file, and write in its folder.")
    case .busy, .locked, .protocolBroken:
      ToolError(
        .busy, "another program is writing to \(path)", remedy: "Try again once it has ended.")
    case .interrupt: ToolError.interrupted
    case .full:
      ToolError(
        .failure, "the disk of \(path) is full", remedy: "Make room. Nothing that was written before is lost."
      )
    default: nil
    }
  }
}

extension ResultCode {
  /// What SQLite reports when somebody stands still in the middle of opening the file.
  fileprivate static let protocolBroken = ResultCode(rawValue: 15)
  /// A journal that was left behind must be rolled back first.
  fileprivate static let needsRollback = ResultCode(rawValue: 776)
}
