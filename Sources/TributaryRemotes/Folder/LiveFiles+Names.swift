import CPlatform

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

extension LiveFiles {
  package func status(of file: Int32) throws(SystemFault) -> FileStatus {
    var status = tributary_status()
    try checked("fstat", tributary_status_of(file, &status))
    return FileStatus(status)
  }

  package func status(of name: String, in directory: Int32) throws(SystemFault) -> FileStatus {
    var status = tributary_status()
    try checked("fstatat", tributary_status_at(directory, name, &status))
    return FileStatus(status)
  }

  package func renameNew(_ old: String, to new: String, in directory: Int32) throws(SystemFault) {
    try checked("renameat2", tributary_rename_noreplace_at(directory, old, new))
  }

  package func rename(_ old: String, to new: String, in directory: Int32) throws(SystemFault) {
    try checked("renameat", renameat(directory, old, directory, new))
  }

  package func link(_ old: String, to new: String, in directory: Int32) throws(SystemFault) {
    try checked("linkat", linkat(directory, old, directory, new, 0))
  }

  package func remove(_ name: String, in directory: Int32) throws(SystemFault) {
    try checked("unlinkat", unlinkat(directory, name, 0))
  }

  package func names(in directory: Int32, limit: Int) throws(SystemFault) -> [String] {
    guard let listing = tributary_listing_open(directory) else { throw SystemFault("opendir", errno) }
    defer { tributary_listing_close(listing) }
    var names: [String] = []
    while let name = tributary_listing_next(listing) {
      let text = String(cString: name)
      if text == "." || text == ".." { continue }
      if names.count == limit { throw SystemFault("readdir", EOVERFLOW) }
      names.append(text)
    }
    if errno != 0 { throw SystemFault("readdir", errno) }
    return names
  }

  package func available(at file: Int32) throws(SystemFault) -> Int64 {
    var bytes: Int64 = 0
    try checked("fstatvfs", tributary_available(file, &bytes))
    return bytes
  }
}

extension FileStatus {
  fileprivate init(_ status: tributary_status) {
    let kind: Kind =
      switch Int(status.kind) {
      case Int(TRIBUTARY_KIND_FILE): .file
      case Int(TRIBUTARY_KIND_DIRECTORY): .directory
      case Int(TRIBUTARY_KIND_LINK): .link
      default: .other
      }
    let times = [
      status.modified_seconds, status.modified_nanoseconds, status.changed_seconds,
      status.changed_nanoseconds,
    ]
    let parts = [String(status.device), String(status.inode), String(status.size)] + times.map { String($0) }
    self.init(
      kind: kind, size: status.size, blocks: status.blocks, modified: status.modified_seconds,
      version: parts.joined(separator: "."))
  }
}
