import TributaryModel

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// A remote in a folder that other software carries to the other devices.
///
/// The folder itself must exist: a USB stick that is not plugged in must never look like an empty remote. Files get
/// their final name only once they are whole and durable. Links are never followed below the folder.
package struct FolderRemote: Remote {
  /// The folder that the user chose.
  package let path: String
  let files: any FileSystem
  let host: Host

  /// Does no I/O.
  package init(path: String, files: any FileSystem = LiveFiles(), host: Host = .live) {
    self.path = path
    self.files = files
    self.host = host
  }

  /// The folder's real path. Nothing is written into the folder to mark it: that would be a shared file.
  package var identity: String {
    get throws {
      try explaining("find the folder", path) { "folder:" + (try files.resolve(path)) }
    }
  }

  /// Makes the folder if it is missing and `create` allows it. Its parent must exist.
  package func prepare(create: Bool) throws {
    do {
      let root = try files.openRoot(path)
      try? files.close(root)
    } catch {
      guard create, error.number == ENOENT else { throw error.explained("open the folder", path) }
      try explaining("create the folder", path) { try files.makeRoot(path) }
    }
  }

  package func delete(_ name: RemoteName) throws {
    try explaining("delete", name.path) {
      _ = try inFolder(of: name.device, create: false) { directory in
        try removeIfThere(name.fileName, in: directory)
        try removeIfThere(Self.stub(of: name.fileName), in: directory)
      }
    }
  }

  package func usage() throws -> Usage {
    try explaining("ask for the free space of", path) {
      try inRoot { Usage(used: nil, available: try files.available(at: $0)) }
    }
  }
}

extension FolderRemote {
  /// Runs system calls and reports a failure as a `RemoteError` that names the place.
  func explaining<Result>(_ doing: String, _ place: String, _ body: () throws -> Result) throws -> Result {
    do { return try body() } catch let fault as SystemFault { throw fault.explained(doing, place) }
  }

  /// Runs `body` within the user's folder.
  func inRoot<Result>(_ body: (Int32) throws -> Result) throws -> Result {
    let root: Int32
    do { root = try files.openRoot(path) } catch { throw error.explained("open the folder", path) }
    defer { try? files.close(root) }
    return try body(root)
  }

  /// Runs `body` within `sync`; nil if there is none.
  func inSync<Result>(create: Bool, _ body: (Int32) throws -> Result) throws -> Result? {
    try inRoot { try inDirectory(RemoteName.root, of: $0, create: create, body) }
  }

  /// Runs `body` within a device's folder; nil if there is none.
  func inFolder<Result>(of device: DeviceID, create: Bool, _ body: (Int32) throws -> Result) throws -> Result?
  {
    let result = try inSync(create: create) { try inDirectory("\(device)", of: $0, create: create, body) }
    return result ?? nil
  }

  private func inDirectory<Result>(
    _ name: String, of parent: Int32, create: Bool, _ body: (Int32) throws -> Result
  ) throws -> Result? {
    guard let directory = try open(name, of: parent, create: create) else { return nil }
    defer { try? files.close(directory) }
    return try body(directory)
  }

  private func open(_ name: String, of parent: Int32, create: Bool) throws(SystemFault) -> Int32? {
    do { return try files.openDirectory(name, in: parent) } catch {
      guard error.number == ENOENT else { throw error }
    }
    guard create else { return nil }
    do { try files.makeDirectory(name, in: parent) } catch {
      guard error.number == EEXIST else { throw error }
    }
    try? files.synchronize(parent)
    return try files.openDirectory(name, in: parent)
  }

  /// The status, or nil if nothing has the name.
  func statusIfThere(_ name: String, in directory: Int32) throws(SystemFault) -> FileStatus? {
    do { return try files.status(of: name, in: directory) } catch {
      if error.number == ENOENT { return nil }
      throw error
    }
  }

  func removeIfThere(_ name: String, in directory: Int32) throws(SystemFault) {
    do { try files.remove(name, in: directory) } catch {
      if error.number != ENOENT { throw error }
    }
  }

  /// The name under which iCloud Drive keeps the place of a file that it has not downloaded.
  static func stub(of name: String) -> String { ".\(name).icloud" }
}
