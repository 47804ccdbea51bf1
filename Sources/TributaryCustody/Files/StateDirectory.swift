import CPlatform

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// The folder of this user in which the engine keeps what belongs to this machine: secrets and locks.
package struct StateDirectory: Hashable, Sendable {
  /// An absolute path.
  package let path: String

  package init(path: String) { self.path = path }

  /// `$TRIBUTARY_STATE_HOME`, else `$XDG_STATE_HOME/tributary`, else `~/.local/state/tributary`.
  ///
  /// Relative paths are passed over, as the XDG specification asks.
  package init(environment: [String: String]) throws {
    func absolute(_ name: String) -> String? { environment[name].flatMap { $0.hasPrefix("/") ? $0 : nil } }
    if let own = absolute("TRIBUTARY_STATE_HOME") {
      path = own
    } else if let state = absolute("XDG_STATE_HOME") {
      path = state + "/tributary"
    } else if let home = absolute("HOME") {
      path = home + "/.local/state/tributary"
    } else {
      throw CustodyError(
        .noHome, "There is no folder to keep this device's secrets in.",
        remedy: "Set HOME, or TRIBUTARY_STATE_HOME to an absolute path.")
    }
  }

  /// Runs `body` in the open folder, after making sure that only this user can use it; nil if it does not exist.
  func within<Result>(create: Bool, _ body: (Int32) throws -> Result) throws -> Result? {
    var (directory, reason) = open()
    if directory < 0, reason == ENOENT {
      guard create else { return nil }
      try makeAll()
      (directory, reason) = open()
    }
    guard directory >= 0 else {
      let isLink = reason == ENOTDIR || reason == ELOOP
      throw CustodyError(
        isLink ? .unsafe : .system, "\(path) cannot be opened as a folder.",
        remedy: isLink ? "It must be a folder, not a link or a file." : "", cause: SystemFault("open", reason)
      )
    }
    defer { close(directory) }
    try SafeFile.claim(directory, kind: TRIBUTARY_KIND_DIRECTORY, mode: 0o700, path)
    return try body(directory)
  }

  /// Opens without following a link in the last component.
  private func open() -> (Int32, Int32) {
    let directory = tributary_open_directory_at(AT_FDCWD, path)
    return (directory, directory < 0 ? errno : 0)
  }

  private func makeAll() throws {
    var partial = ""
    for component in path.split(separator: "/") {
      partial += "/\(component)"
      guard mkdir(partial, 0o700) != 0, errno != EEXIST else { continue }
      // A parent that exists may refuse with another error, such as EROFS; opening decides.
      let reason = errno
      guard access(partial, F_OK) != 0 else { continue }
      throw CustodyError(.system, "\(partial) cannot be created.", cause: SystemFault("mkdir", reason))
    }
  }
}
