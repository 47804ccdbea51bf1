#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

extension FolderRemote {
  package func publish(_ name: RemoteName, _ bytes: [UInt8]) throws -> PublishOutcome {
    try admit(name, bytes, replacing: false)
    return try explaining("publish", name.path) {
      let outcome = try inFolder(of: name.device, create: true) { directory in
        if let found = try compare(name, bytes, in: directory) { return found }
        return try publishNew(name, bytes, in: directory)
      }
      return try outcome ?? vanished(name)
    }
  }

  package func replace(_ name: RemoteName, _ bytes: [UInt8]) throws {
    try admit(name, bytes, replacing: true)
    try explaining("replace", name.path) {
      let done: Void? = try inFolder(of: name.device, create: true) { directory in
        try refuseStub(name, in: directory)
        let temporary = try writeTemporary(bytes, in: directory)
        do {
          try patiently { () throws(SystemFault) in
            try files.rename(temporary, to: name.fileName, in: directory)
          }
        } catch {
          try? files.remove(temporary, in: directory)
          throw error
        }
        try? files.synchronize(directory)
      }
      if done == nil { _ = try vanished(name) }
    }
  }

  private func publishNew(_ name: RemoteName, _ bytes: [UInt8], in directory: Int32) throws -> PublishOutcome
  {
    let temporary = try writeTemporary(bytes, in: directory)
    // Gone already after a success; the final name is never touched on a failure.
    defer { try? files.remove(temporary, in: directory) }
    do {
      try patiently { () throws(SystemFault) in try give(name.fileName, to: temporary, in: directory) }
    } catch let fault as SystemFault where fault.number == EEXIST {
      guard let found = try compare(name, bytes, in: directory) else { throw fault }
      return found
    }
    try? files.synchronize(directory)
    return .created
  }

  /// Sets what already has the name beside the bytes; nil if the name is free.
  private func compare(_ name: RemoteName, _ bytes: [UInt8], in directory: Int32) throws -> PublishOutcome? {
    switch try read(name, ifNot: nil, limit: name.sizeLimit, in: directory) {
    case .absent: return nil
    case .bytes(let existing, _): return existing == bytes ? .alreadySame : .conflict(existing)
    case .notDownloaded, .notModified: throw notDownloaded(name)
    case .listedButRefused(let reason):
      throw RemoteError(.wrongKind, "Could not publish \(name): \(reason).", remedy: "Move it away.")
    }
  }

  private func refuseStub(_ name: RemoteName, in directory: Int32) throws {
    guard try statusIfThere(name.fileName, in: directory) == nil,
      try statusIfThere(Self.stub(of: name.fileName), in: directory) != nil
    else { return }
    throw notDownloaded(name)
  }

  private func notDownloaded(_ name: RemoteName) -> RemoteError {
    RemoteError(
      .retryable, "\(name) exists but is not downloaded here, so it cannot be compared.",
      remedy: "Let the cloud software download the folder.")
  }

  private func vanished(_ name: RemoteName) throws -> PublishOutcome {
    throw RemoteError(.retryable, "The folder of \(name) vanished while it was written.")
  }
}

extension FolderRemote {
  /// Gives a finished file its name, if the name is free, by the best way that the file system has.
  private func give(_ name: String, to temporary: String, in directory: Int32) throws(SystemFault) {
    do { return try files.renameNew(temporary, to: name, in: directory) } catch {
      guard [ENOTSUP, EOPNOTSUPP, EINVAL, ENOSYS].contains(error.number) else { throw error }
    }
    do { return try files.link(temporary, to: name, in: directory) } catch {
      guard [EPERM, ENOTSUP, EOPNOTSUPP, ENOSYS, EMLINK].contains(error.number) else { throw error }
    }
    // Two racing writers could both pass here; there is one writer a folder, and it reads back.
    if try statusIfThere(name, in: directory) != nil { throw SystemFault("fstatat", EEXIST) }
    try files.rename(temporary, to: name, in: directory)
  }

  /// Tries again while other software (a scanner, a sync client) holds the file, about three seconds at most.
  private func patiently(_ body: () throws(SystemFault) -> Void) throws {
    var delay = 10
    var waited = 0
    while true {
      do { return try body() } catch {
        guard [EACCES, EBUSY, EPERM, ETXTBSY].contains(error.number) else { throw error }
        guard waited < 3000 else {
          throw RemoteError(
            .retryable, "A finished file could not get its name in \(path) for \(waited) ms.",
            remedy: "Another program holds it; it will be tried again.", cause: error)
        }
        host.sleep(delay)
        waited += delay
        delay = min(100, delay * 2)
      }
    }
  }

  /// Writes a durable file under a temporary name, and leaves none behind on a failure that it survives.
  func writeTemporary(_ bytes: [UInt8], in directory: Int32) throws -> String {
    let (name, file) = try createTemporary(in: directory)
    do {
      do { try fill(file, with: bytes) } catch {
        try? files.close(file)
        throw error
      }
      try files.close(file)
    } catch {
      try? files.remove(name, in: directory)
      throw error
    }
    return name
  }

  /// A few tries, since a killed run may have left the same name.
  private func createTemporary(in directory: Int32) throws(SystemFault) -> (String, Int32) {
    for _ in 0..<8 {
      let name = Self.temporaryName(host.random())
      do { return (name, try files.create(name, in: directory)) } catch {
        if error.number != EEXIST { throw error }
      }
    }
    throw SystemFault("openat", EEXIST)
  }

  private func fill(_ file: Int32, with bytes: [UInt8]) throws {
    var offset = 0
    while offset < bytes.count {
      let written = try bytes.withUnsafeBytes { buffer in
        try files.write(UnsafeRawBufferPointer(rebasing: buffer[offset...]), to: file)
      }
      // A call that writes nothing and does not fail would be repeated for ever.
      if written <= 0 { throw SystemFault("write", EIO) }
      offset += written
    }
    do { try files.synchronize(file) } catch {
      guard [ENOTSUP, EOPNOTSUPP, EINVAL].contains(error.number) else { throw error }
    }
  }
}
