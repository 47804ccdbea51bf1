#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// A file by its path and by what the file system calls it.
package struct DatabaseLocation: Hashable, Sendable {
  package var path: String
  package var inode: UInt64
  /// The number of the file system's device.
  package var volume: UInt64

  package init(path: String, inode: UInt64, volume: UInt64) {
    self.path = path
    self.inode = inode
    self.volume = volume
  }
}

extension DatabaseLocation {
  /// What lies at `path` now; nil if nothing does, or it cannot be told.
  package static func find(_ path: String) -> DatabaseLocation? {
    var status = stat()
    guard !path.isEmpty, stat(path, &status) == 0 else { return nil }
    return DatabaseLocation(
      path: path, inode: UInt64(truncatingIfNeeded: status.st_ino),
      volume: UInt64(truncatingIfNeeded: status.st_dev))
  }

  /// Whether the two are one file, whatever paths lead to it.
  package func isSameFile(as other: DatabaseLocation) -> Bool {
    inode == other.inode && volume == other.volume
  }
}
