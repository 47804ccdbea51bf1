/// The system calls of a folder remote, one method each, so that tests can make any of them fail.
///
/// Names are single components within an open directory, so that nothing can be swapped for a link on the way.
/// Files and directories are descriptors; whoever opens closes.
package protocol FileSystem: Sendable {
  /// Opens the folder that the user chose. Links are followed.
  func openRoot(_ path: String) throws(SystemFault) -> Int32
  /// The path without links, dots and doubled slashes.
  func resolve(_ path: String) throws(SystemFault) -> String
  /// Makes a folder by its path, its parents not included.
  func makeRoot(_ path: String) throws(SystemFault)
  /// Opens a directory, never through a link.
  func openDirectory(_ name: String, in directory: Int32) throws(SystemFault) -> Int32
  func makeDirectory(_ name: String, in directory: Int32) throws(SystemFault)
  /// Creates a file that must not exist, for writing.
  func create(_ name: String, in directory: Int32) throws(SystemFault) -> Int32
  /// Opens for reading, never through a link and never waiting.
  func openFile(_ name: String, in directory: Int32) throws(SystemFault) -> Int32
  /// Writes some of the bytes and says how many.
  func write(_ bytes: UnsafeRawBufferPointer, to file: Int32) throws(SystemFault) -> Int
  /// Reads some bytes and says how many; 0 at the end.
  func read(into buffer: UnsafeMutableRawBufferPointer, from file: Int32) throws(SystemFault) -> Int
  /// Makes what was written durable.
  func synchronize(_ file: Int32) throws(SystemFault)
  func close(_ file: Int32) throws(SystemFault)
  func status(of file: Int32) throws(SystemFault) -> FileStatus
  /// Does not follow links.
  func status(of name: String, in directory: Int32) throws(SystemFault) -> FileStatus
  /// Renames; `EEXIST` if the new name is taken.
  func renameNew(_ old: String, to new: String, in directory: Int32) throws(SystemFault)
  /// Renames over whatever has the new name.
  func rename(_ old: String, to new: String, in directory: Int32) throws(SystemFault)
  func link(_ old: String, to new: String, in directory: Int32) throws(SystemFault)
  func remove(_ name: String, in directory: Int32) throws(SystemFault)
  /// All names but `.` and `..`, unordered; `EOVERFLOW` if there are more than `limit`.
  func names(in directory: Int32, limit: Int) throws(SystemFault) -> [String]
  /// Bytes that may still be written on the file system.
  func available(at file: Int32) throws(SystemFault) -> Int64
}

/// What the file system says about a file.
package struct FileStatus: Hashable, Sendable {
  /// What has the name.
  package enum Kind: Hashable, Sendable { case file, directory, link, other }

  package var kind: Kind
  package var size: Int64
  package var blocks: Int64
  /// Seconds since 1970.
  package var modified: Int64
  /// Changes whenever the file is another one or was written.
  package var version: String

  package init(kind: Kind, size: Int64, blocks: Int64, modified: Int64, version: String) {
    self.kind = kind
    self.size = size
    self.blocks = blocks
    self.modified = modified
    self.version = version
  }
}

/// A system call that failed.
package struct SystemFault: Error, Hashable, Sendable, CustomStringConvertible {
  /// The call, such as `openat`.
  package let call: String
  /// Its `errno`.
  package let number: Int32

  package init(_ call: String, _ number: Int32) {
    self.call = call
    self.number = number
  }
}
