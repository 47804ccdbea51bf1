#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

extension FolderRemote {
  package func read(_ name: RemoteName, ifNot tag: Tag?, limit: Int) throws -> ReadOutcome {
    guard name.isValid else { return .absent }
    do {
      let outcome = try inFolder(of: name.device, create: false) {
        try read(name, ifNot: tag, limit: limit, in: $0)
      }
      return outcome ?? .absent
    } catch let fault as SystemFault {
      // A link where a folder should be: the device's folder is planted, and so is all within.
      if fault.code == .wrongKind { return .listedButRefused("its folder is no folder") }
      throw fault.explained("read", name.path)
    }
  }

  func read(_ name: RemoteName, ifNot tag: Tag?, limit: Int, in directory: Int32) throws -> ReadOutcome {
    // Looked at before it is opened: opening a device can have effects of its own.
    guard let status = try statusIfThere(name.fileName, in: directory) else {
      let stub = try statusIfThere(Self.stub(of: name.fileName), in: directory)
      return stub == nil ? .absent : .notDownloaded
    }
    if let refusal = status.refusal { return .listedButRefused(refusal) }
    if isDataless(status) { return .notDownloaded }
    let file: Int32
    do { file = try files.openFile(name.fileName, in: directory) } catch {
      switch error.number {
      case ENOENT: return .absent
      case ELOOP, ENXIO, EMLINK: return .listedButRefused("it is a link or a FIFO")
      default: throw error
      }
    }
    defer { try? files.close(file) }
    return try read(file, name, ifNot: tag, limit: limit)
  }

  private func read(_ file: Int32, _ name: RemoteName, ifNot tag: Tag?, limit: Int) throws -> ReadOutcome {
    let status = try files.status(of: file)
    if let refusal = status.refusal { return .listedButRefused(refusal) }
    let current = self.tag(for: status)
    if let tag, tag == current, tag != .none { return .notModified }
    guard status.size <= limit else { throw tooLong(name, limit) }
    let bytes = try contents(of: file, expecting: Int(status.size), limit: limit)
    guard bytes.count <= limit else { throw tooLong(name, limit) }
    return .bytes(bytes, current)
  }

  /// Reads to the end, or one byte beyond the limit if the file grew meanwhile.
  private func contents(of file: Int32, expecting size: Int, limit: Int) throws -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: size + 1)
    var filled = 0
    while true {
      let count = try bytes.withUnsafeMutableBytes { buffer in
        try files.read(into: UnsafeMutableRawBufferPointer(rebasing: buffer[filled...]), from: file)
      }
      filled += count
      if count == 0 || filled > limit { break }
      if filled == bytes.count {
        bytes += [UInt8](repeating: 0, count: min(bytes.count, limit + 1 - filled))
      }
    }
    bytes.removeSubrange(filled...)
    return bytes
  }

  /// A file written within the last seconds has no tag: a coarse clock could give its successor the same one.
  private func tag(for status: FileStatus) -> Tag {
    let age = host.now() - status.modified
    return (0...2).contains(age) ? .none : Tag(status.version)
  }

  func isDataless(_ status: FileStatus) -> Bool {
    host.hasDatalessFiles && status.blocks == 0 && status.size > 0
  }

  private func tooLong(_ name: RemoteName, _ limit: Int) -> RemoteError {
    RemoteError(
      .tooLarge, "\(name) is longer than the \(limit) bytes that such a file may have.",
      remedy: "It was not written by this engine; its owner must publish it again.")
  }
}

extension FileStatus {
  /// Why this cannot be read as a file, or nil.
  fileprivate var refusal: String? {
    switch kind {
    case .file: nil
    case .directory: "it is a folder"
    case .link: "it is a symbolic link"
    case .other: "it is a FIFO, a socket or a device"
    }
  }
}
