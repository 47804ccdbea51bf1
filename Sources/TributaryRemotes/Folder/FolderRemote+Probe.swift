package import TributaryModel

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

extension FolderRemote {
  package func probe() throws -> Capabilities {
    try explaining("write a trial file in", path) {
      try inRoot { root in
        let trial = try writeTemporary([0], in: root)
        let other = Self.temporaryName(host.random())
        defer {
          try? files.remove(trial, in: root)
          try? files.remove(other, in: root)
        }
        return Capabilities(
          createIfAbsent: try canCreateOnly(trial, other, root) ? .atomic : .advisory, rename: true)
      }
    }
  }

  /// Whether the file system itself refuses to rename, or to link, over an existing name.
  private func canCreateOnly(_ trial: String, _ other: String, _ root: Int32) throws -> Bool {
    do {
      try files.link(trial, to: other, in: root)
      return true
    } catch {
      guard [EPERM, ENOTSUP, EOPNOTSUPP, ENOSYS, EMLINK].contains(error.number) else { throw error }
    }
    do {
      try files.renameNew(trial, to: other, in: root)
      return true
    } catch {
      guard [ENOTSUP, EOPNOTSUPP, EINVAL, ENOSYS].contains(error.number) else { throw error }
      return false
    }
  }

  package func sweep(_ device: DeviceID) throws -> Int {
    try explaining("sweep the folder of", "\(device)") {
      let inRoot = try inRoot { try sweep($0) }
      return inRoot + (try inFolder(of: device, create: false) { try sweep($0) } ?? 0)
    }
  }

  private func sweep(_ directory: Int32) throws(SystemFault) -> Int {
    var count = 0
    for name in try files.names(in: directory, limit: Listing.entryLimit) where Self.isTemporary(name) {
      guard let status = try statusIfThere(name, in: directory), status.kind == .file,
        status.modified < host.now() - 86_400
      else { continue }
      try removeIfThere(name, in: directory)
      count += 1
    }
    return count
  }
}

extension FolderRemote {
  /// A name that no reader takes for a file of ours, and that `sweep` finds again.
  static func temporaryName(_ random: UInt64) -> String { "~up-\(String(random, radix: 36)).tmp" }

  static func isTemporary(_ name: String) -> Bool { name.hasPrefix("~up-") && name.hasSuffix(".tmp") }
}
