import CPlatform

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// The folder of a file from elsewhere, held open, so that all its files are looked up in one place.
///
/// Neither the database nor its `-shm` is opened here: when a process closes a file, the system drops all locks that
/// the process has on it, those of SQLite's connections too.
struct ForeignPlace {
  let path: String
  private let name: String
  private let directory: Int32

  /// Follows the links of `path` and opens the folder of the file that they end at.
  init(_ path: String) throws {
    guard !path.utf8.contains(0) else {
      throw ForeignFileError(.missing, "The path contains a NUL.", remedy: "Check the path.")
    }
    guard let found = realpath(path, nil) else { throw Self.failure(path, errno) }
    defer { free(found) }
    guard let real = String(validatingCString: found), let slash = real.lastIndex(of: "/") else {
      throw ForeignFileError(
        .unreadable, "The path \(path) is not UTF-8.", remedy: "Rename the file or its folder.")
    }
    self.path = real
    name = real == "/" ? "." : String(real[real.index(after: slash)...])
    directory = tributary_open_directory(slash == real.startIndex ? "/" : String(real[..<slash]))
    guard directory >= 0 else { throw Self.failure(real, errno) }
  }

  func close() { closeFile(directory) }

  /// What the system says of the database file.
  var status: tributary_status {
    get throws {
      guard let status = try plainStatus(name) else { throw Self.failure(path, ENOENT) }
      return status
    }
  }

  /// Refuses a file beside the database that is not one that SQLite made.
  func checkCompanion(_ suffix: String) throws { _ = try plainStatus(name + suffix) }

  /// Refuses a journal that ends in the name of a super-journal: SQLite deletes whatever file is named there as soon
  /// as it rolls the journal back, at the first use that may write.
  ///
  /// The record is page number, name, length, checksum, magic. Any journal with that magic at its end is refused:
  /// one that SQLite would not roll back now, since its first byte is zero, becomes one that it does when a
  /// transaction writes over its beginning and is cut off.
  func checkJournal() throws {
    let journal = name + "-journal"
    guard try plainStatus(journal) != nil, try end(of: journal, 8) == Self.journalMagic else {
      return
    }
    throw ForeignFileError(
      .superJournal,
      "The journal \(path)-journal names a further file, which SQLite would delete when it opens the database.",
      remedy: """
        If the database comes from elsewhere, move the journal away, or get the database anew. If a program of yours \
        was cut off while it wrote to several databases at once, open the database with that program first.
        """)
  }

  private static let journalMagic: [UInt8] = [0xd9, 0xd5, 0x05, 0xf9, 0x20, 0xa1, 0x63, 0xd7]

  /// The status of a plain file with one name; nil if there is none.
  private func plainStatus(_ name: String) throws -> tributary_status? {
    var status = tributary_status()
    guard tributary_status_at(directory, name, &status) == 0 else {
      if errno == ENOENT { return nil }
      throw Self.failure(sibling(name), errno)
    }
    switch Int(status.kind) {
    case TRIBUTARY_KIND_FILE: break
    case TRIBUTARY_KIND_LINK:
      throw ForeignFileError(
        .link, "\(sibling(name)) is a symbolic link, and SQLite would write to the file that it leads to.",
        remedy: "Remove the link, if no program of yours made it.")
    default:
      throw ForeignFileError(
        .notPlain, "\(sibling(name)) is not a plain file.", remedy: "Give the path of a database file.")
    }
    guard status.links <= 1 else {
      throw ForeignFileError(
        .secondName, "\(sibling(name)) has a second name, so that writing to it would change another file.",
        remedy: "Copy it, and put the copy in its place.")
    }
    return status
  }

  /// The bytes up to the end, at most `count`.
  private func end(of name: String, _ count: Int) throws -> [UInt8] {
    let file = tributary_open_file_at(directory, name)
    guard file >= 0 else { throw Self.failure(sibling(name), errno) }
    defer { closeFile(file) }
    var status = tributary_status()
    guard tributary_status_of(file, &status) == 0 else { throw Self.failure(sibling(name), errno) }
    let offset = off_t(max(0, status.size - Int64(count)))
    return try [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
      while filled < count {
        let rest = UnsafeMutableRawBufferPointer(rebasing: UnsafeMutableRawBufferPointer(buffer)[filled...])
        let got = pread(file, rest.baseAddress, rest.count, offset + off_t(filled))
        if got < 0, errno == EINTR { continue }
        guard got >= 0 else { throw Self.failure(sibling(name), errno) }
        if got == 0 { break }
        filled += got
      }
    }
  }

  private func sibling(_ name: String) -> String { path + name.dropFirst(self.name.count) }

  private static func failure(_ path: String, _ error: Int32) -> ForeignFileError {
    switch error {
    case ENOENT, ENOTDIR:
      ForeignFileError(.missing, "There is no file at \(path).", remedy: "Check the path.")
    case ELOOP:
      ForeignFileError(
        .link, "The links of \(path) lead nowhere.", remedy: "Give the path of the file itself.")
    default:
      ForeignFileError(
        .unreadable, "\(path) cannot be read: \(String(cString: strerror(error))).",
        remedy: "Check the permissions of the file and of its folders.")
    }
  }
}

/// The system's, which the type's own name hides.
private func closeFile(_ file: Int32) { close(file) }
