import CPlatform

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// Secrets in files that only this user can read, bound to this machine. For where there is no keyring.
///
/// A file is a magic word, a version, the machine's mark, the secret, and a checksum of all that.
package struct FileSecretStore: SecretStore {
  /// Where the files are.
  package let directory: StateDirectory
  let machine: Machine
  let calls: FileCalls

  /// Does no I/O.
  package init(directory: StateDirectory, machine: Machine) {
    self.init(directory: directory, machine: machine, calls: FileCalls())
  }

  init(directory: StateDirectory, machine: Machine, calls: FileCalls) {
    self.directory = directory
    self.machine = machine
    self.calls = calls
  }

  package func read(_ name: String) throws -> [UInt8]? {
    try SecretName.check(name)
    let content = try directory.within(create: false) { try envelope(name, in: $0) }
    guard case .own(let secret)? = content else { return nil }
    return secret
  }

  package func write(_ name: String, _ bytes: [UInt8]) throws {
    try SecretName.check(name)
    guard bytes.count <= Envelope.limit else {
      throw CustodyError(
        .tooLarge, "A secret of \(bytes.count) bytes is too long; at most \(Envelope.limit).")
    }
    try explaining("written", name) {
      _ = try directory.within(create: true) { folder in
        try keepForeign(name, in: folder)
        sweep(folder)
        var generator = SystemRandomNumberGenerator()
        let temporary = "\(fileName(name)).\(String(generator.next(), radix: 36)).tmp"
        let content = Envelope.sealed(bytes, for: machine)
        try calls.replace(fileName(name), content, in: folder, temporary: temporary)
      }
    }
  }

  package func remove(_ name: String) throws {
    try SecretName.check(name)
    try explaining("removed", name) {
      _ = try directory.within(create: false) { folder in
        guard unlinkat(folder, fileName(name), 0) == 0 || errno == ENOENT else {
          throw SystemFault("unlinkat", errno)
        }
        guard calls.sync(folder) == 0 else { throw SystemFault("fsync", errno) }
      }
    }
  }
}

extension FileSecretStore {
  private func fileName(_ name: String) -> String { "\(name).secret" }

  private func path(_ name: String) -> String { "\(directory.path)/\(fileName(name))" }

  /// Removes what writes that were cut off have left, a day ago or more, so that no other process is at work on it.
  private func sweep(_ folder: Int32) {
    guard let listing = tributary_listing_open(folder) else { return }
    defer { tributary_listing_close(listing) }
    var old: [String] = []
    while let entry = tributary_listing_next(listing) {
      let name = String(cString: entry)
      guard name.contains(".secret."), name.hasSuffix(".tmp") else { continue }
      var status = tributary_status()
      guard tributary_status_at(folder, name, &status) == 0, Int(status.kind) == TRIBUTARY_KIND_FILE,
        status.modified_seconds < Int64(time(nil)) - 86_400
      else { continue }
      old.append(name)
    }
    for name in old { unlinkat(folder, name, 0) }
  }

  /// Another machine's secrets may be the only ones that it has: they are set aside, not overwritten.
  private func keepForeign(_ name: String, in folder: Int32) throws {
    guard case .foreign? = try? envelope(name, in: folder) else { return }
    guard tributary_rename_noreplace_at(folder, fileName(name), "\(name).foreign") == 0 || errno == EEXIST
    else {
      throw SystemFault("renameat2", errno)
    }
  }

  private func envelope(_ name: String, in folder: Int32) throws -> Envelope? {
    let file = tributary_open_file_at(folder, fileName(name))
    if file < 0 {
      if errno == ENOENT { return nil }
      let fault = SystemFault("openat", errno)
      throw CustodyError(
        fault.number == ELOOP ? .unsafe : .system, "\(path(name)) cannot be opened.",
        remedy: fault.number == ELOOP ? "It is a link: move it away." : "", cause: fault)
    }
    defer { close(file) }
    try SafeFile.claim(file, kind: TRIBUTARY_KIND_FILE, mode: 0o600, path(name))
    return try Envelope(opening: contents(of: file, name), on: machine, path(name))
  }

  private func contents(of file: Int32, _ name: String) throws -> [UInt8] {
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 16 << 10)
    while bytes.count <= Envelope.limit + Envelope.overhead {
      let count = Self.read(file, &buffer)
      if count < 0, errno == EINTR { continue }
      guard count >= 0 else {
        throw CustodyError(.system, "\(path(name)) cannot be read.", cause: SystemFault("read", errno))
      }
      if count == 0 { return bytes }
      bytes += buffer.prefix(count)
    }
    throw CustodyError(.tooLarge, "\(path(name)) is longer than a secret can be.", remedy: "Move it away.")
  }

  private static func read(_ file: Int32, _ buffer: inout [UInt8]) -> Int {
    #if canImport(Darwin)
      Darwin.read(file, &buffer, buffer.count)
    #else
      Glibc.read(file, &buffer, buffer.count)
    #endif
  }

  private func explaining(_ done: String, _ name: String, _ body: () throws -> Void) throws {
    do { try body() } catch let fault as SystemFault {
      throw CustodyError(.system, "\(path(name)) could not be \(done).", cause: fault)
    }
  }
}
