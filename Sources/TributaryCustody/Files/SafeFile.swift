import CPlatform

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// A system call that failed.
struct SystemFault: Error, CustomStringConvertible {
  let call: String
  let number: Int32

  init(_ call: String, _ number: Int32) {
    self.call = call
    self.number = number
  }

  var description: String { "\(call): \(String(cString: strerror(number)))" }
}

/// Checks that an open file is one that only this user could have written.
enum SafeFile {
  /// Refuses another user's file, another kind of file, and one that others may write. One that others may only read
  /// is closed to them: what they have read is read, but from now on it is private.
  static func claim(_ file: Int32, kind: Int, mode: mode_t, _ path: String) throws {
    var status = tributary_status()
    guard tributary_status_of(file, &status) == 0 else {
      throw CustodyError(.system, "\(path) cannot be examined.", cause: SystemFault("fstat", errno))
    }
    guard Int(status.kind) == kind else {
      throw unsafe(path, "is neither a plain file nor a folder, as it should be")
    }
    guard status.owner == geteuid() else { throw unsafe(path, "belongs to another user") }
    guard status.mode & 0o022 == 0 else { throw unsafe(path, "can be written by others") }
    guard status.mode & 0o077 != 0 else { return }
    guard fchmod(file, mode) == 0 else {
      throw CustodyError(.unsafe, "\(path) can be read by others.", cause: SystemFault("fchmod", errno))
    }
  }

  private static func unsafe(_ path: String, _ what: String) -> CustodyError {
    CustodyError(
      .unsafe, "\(path) \(what).",
      remedy: "Look at who made it so; then remove it, or give it to this user and `chmod go= \(path)`.")
  }
}
