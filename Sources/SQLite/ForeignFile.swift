import CPlatform

/// A database file that another program made, found fit to be opened in place.
///
/// What SQLite does with the files beside a database it does before it reads a page, so this is checked before SQLite
/// is given the path. It says nothing of the content: see ``harden(_:_:)`` and ``Connection/checkAdopted(within:)``.
/// It holds against a file that was planted, not against a program that goes on writing into the folder meanwhile.
package struct ForeignFile: Equatable, Sendable {
  /// The path, absolute and free of symbolic links. SQLite keeps its other files beside this one.
  package let path: String
  /// Whether the file has no bytes, and is thus a database without tables.
  package let isEmpty: Bool
  /// Whether the header says that it is in WAL mode. A transaction that waits in a journal may change that.
  package let usesWAL: Bool
  /// Tells the file from another that takes its place.
  let inode: UInt64
  let device: UInt64

  /// Checks the file at `path` and those that SQLite keeps beside it. Reads a few hundred bytes, writes nothing, and
  /// may be called while connections are open on the file.
  ///
  /// A link to a database is followed, as SQLite does. The files beside it must not be links.
  /// - Throws: ``ForeignFileError``.
  package static func check(_ path: String) throws -> ForeignFile {
    let place = try ForeignPlace(path)
    defer { place.close() }
    let status = try place.status
    for suffix in ["-journal", "-wal", "-shm"] { try place.checkCompanion(suffix) }
    try place.checkJournal()
    let header = status.size == 0 ? nil : try DatabaseHeader(ofFileAt: place.path)
    try header?.check(place.path)
    return ForeignFile(
      path: place.path, isEmpty: header == nil, usesWAL: header?.usesWAL ?? false, inode: status.inode,
      device: status.device)
  }
}
