import CPlatform

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// Paths, as far as watching and services need them.
enum FilePlace {
  /// The path without links and dots. What is missing keeps its name within a folder that is resolved.
  static func resolved(_ path: String) -> String {
    if let found = realpath(path, nil) {
      defer { free(found) }
      return String(cString: found)
    }
    let folder = folder(of: path)
    // The root always resolves, and so does the working folder unless it was removed.
    guard folder != path, !["/", "."].contains(path) else { return path }
    return joined(resolved(folder), name(path))
  }

  /// "/a" for "/a/b", "/" for "/a", "." for "a".
  static func folder(of path: String) -> String {
    let path = withoutEndingSlashes(path)
    guard let slash = path.lastIndex(of: "/") else { return "." }
    return slash == path.startIndex ? "/" : withoutEndingSlashes(path[..<slash])
  }

  /// The last component.
  static func name(_ path: String) -> String {
    let path = withoutEndingSlashes(path)
    return path.lastIndex(of: "/").map { String(path[path.index(after: $0)...]) } ?? path
  }

  static func joined(_ folder: String, _ name: String) -> String {
    folder == "/" ? "/\(name)" : "\(folder)/\(name)"
  }

  /// The database, and what SQLite keeps beside it that tells of commits.
  static func databaseFiles(_ path: String) -> [String] { [path, path + "-wal", path + "-journal"] }

  private static func withoutEndingSlashes(_ path: some StringProtocol) -> String {
    var path = Substring(path)
    while path.count > 1, path.hasSuffix("/") { path.removeLast() }
    return String(path)
  }
}

/// What a file looks like from outside: another mark is another file, or other content.
struct FileMark: Hashable, Sendable {
  let device: UInt64
  let inode: UInt64
  let size: Int64
  let seconds: Int64
  let nanoseconds: Int64

  /// Whether it is the same file, whatever its content.
  func isSameFile(as other: FileMark) -> Bool { device == other.device && inode == other.inode }

  /// Nil if there is none, or it cannot be looked at.
  static func of(_ path: String) -> FileMark? {
    var status = tributary_status()
    guard tributary_status_at(AT_FDCWD, path, &status) == 0 else { return nil }
    return FileMark(
      device: status.device, inode: status.inode, size: status.size, seconds: status.modified_seconds,
      nanoseconds: status.modified_nanoseconds)
  }

  /// A database's state: its file, and its write-ahead log if that holds anything. Reading alone makes an empty one.
  static func ofDatabase(_ path: String) -> [FileMark?] {
    let path = FilePlace.resolved(path)
    let log = of(path + "-wal").flatMap { $0.size > 0 ? $0 : nil }
    return [of(path), log]
  }
}
