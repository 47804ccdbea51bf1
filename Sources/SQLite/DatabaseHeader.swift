import CSQLite

/// The beginning of a database file, at most 100 bytes.
struct DatabaseHeader {
  private let bytes: [UInt8]

  /// Reads through SQLite's own handle, without a statement, so that nothing beside the file is touched; and without
  /// opening the file past SQLite, since closing it would drop the locks of connections that are open.
  init(ofFileAt path: String) throws {
    var bytes = [UInt8](repeating: 0, count: 100)
    let code: Int32
    do {
      let connection = try Connection.open(
        path, OpenOptions(readOnly: true, create: false, followsLinks: false))
      defer { connection.close() }
      code = Self.read(&bytes, connection)
    } catch {
      throw Self.unreadable(path, error)
    }
    switch code {
    case SQLITE_OK: self.bytes = bytes
    // Shorter; the rest is zeros.
    case SQLITE_IOERR | 2 << 8: self.bytes = Array(bytes.prefix { $0 != 0 })
    default: throw Self.unreadable(path, DatabaseError(ResultCode(rawValue: code), "reading failed"))
    }
  }

  private static func read(_ bytes: inout [UInt8], _ connection: Connection) -> Int32 {
    var file: UnsafeMutablePointer<sqlite3_file>?
    let code = withUnsafeMutablePointer(to: &file) {
      sqlite3_file_control(connection.handle, "main", SQLITE_FCNTL_FILE_POINTER, $0)
    }
    guard code == SQLITE_OK, let file, let read = file.pointee.pMethods?.pointee.xRead else {
      return SQLITE_IOERR
    }
    return read(file, &bytes, Int32(bytes.count), 0)
  }

  private static func unreadable(_ path: String, _ error: any Error) -> ForeignFileError {
    let reason = (error as? DatabaseError)?.message ?? "\(error)"
    return ForeignFileError(
      .unreadable, "\(path) cannot be read: \(reason).",
      remedy: "Check the permissions of the file and of its folders.")
  }

  /// Whether a reader must know WAL.
  var usesWAL: Bool { bytes.count > 19 && bytes[19] == 2 }

  /// Refuses what is no database, and what a later SQLite must read.
  func check(_ path: String) throws {
    guard bytes.count == 100, bytes.starts(with: Array("SQLite format 3\0".utf8)) else {
      throw ForeignFileError(
        .notADatabase, "\(path) is not a SQLite database\(kind).",
        remedy:
          "Check the path. An encrypted database must be decrypted first, with the program that it belongs to."
      )
    }
    guard bytes[18] <= 2, bytes[19] <= 2 else {
      throw ForeignFileError(
        .tooNew, "\(path) was made by a later version of SQLite than this one.",
        remedy: "Update the program, with its SQLite.")
    }
  }

  /// What it may be instead.
  private var kind: String {
    if bytes.starts(with: Array("** This file contains an SQLite 2".utf8)) { return ", but one of SQLite 2" }
    // Text is no encrypted file, which looks like chance.
    let isText = bytes.allSatisfy { (0x20..<0x7f).contains($0) || (0x09...0x0d).contains($0) }
    return isText ? "" : ", or it is encrypted"
  }
}
