import CPlatform
import Synchronization

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// Lets one sync of a store run at a time on this machine. Ends with its owner, and with the process.
package final class SyncLock: Sendable {
  private let file: Mutex<Int32?>
  private let owner = getpid()

  private init(_ file: Int32) { self.file = Mutex(file) }

  deinit { release() }

  /// Takes the lock of a store without waiting; throws `busy` if another process, or another part of this one, has it.
  package static func take(_ name: String, in directory: StateDirectory) throws -> SyncLock {
    try SecretName.check(name)
    let path = "\(directory.path)/\(name).lock"
    let taken = try directory.within(create: true) { folder in
      let file = tributary_open_or_create_at(folder, "\(name).lock", 0o600)
      guard file >= 0 else {
        throw CustodyError(.system, "\(path) cannot be opened.", cause: SystemFault("openat", errno))
      }
      // Owns the descriptor from here on, whatever is thrown.
      let lock = SyncLock(file)
      try SafeFile.claim(file, kind: TRIBUTARY_KIND_FILE, mode: 0o600, path)
      try take(file, path)
      return lock
    }
    guard let taken else { throw CustodyError(.system, "\(directory.path) vanished.") }
    return taken
  }

  /// Gives the lock up; more than once is fine. The file stays: removing it would let two take it.
  ///
  /// The kernel keeps the lock while any copy of the descriptor is open, and a child that another thread begins has
  /// one until its program runs. So it is unlocked first, though never by a child, which shares its parent's lock.
  package func release() {
    file.withLock { file in
      guard let open = file else { return }
      if getpid() == owner { _ = tributary_unlock(open) }
      close(open)
      file = nil
    }
  }

  private static func take(_ file: Int32, _ path: String) throws {
    guard tributary_lock(file) == 0 else {
      let reason = errno
      guard reason == EWOULDBLOCK else {
        throw CustodyError(.system, "\(path) cannot be locked.", cause: SystemFault("flock", reason))
      }
      let holder = holder(of: file).map { " (process \($0))" } ?? ""
      throw CustodyError(
        .busy, "Another sync of this store is running\(holder).", remedy: "Wait for it to end, or stop it.")
    }
    // Only for the message above: the lock itself is the kernel's.
    let text = Array("\(getpid())\n".utf8)
    if ftruncate(file, 0) == 0 { _ = pwrite(file, text, text.count, 0) }
  }

  private static func holder(of file: Int32) -> Int32? {
    var text = [UInt8](repeating: 0, count: 16)
    let count = pread(file, &text, text.count, 0)
    guard count > 1 else { return nil }
    return Int32(String(decoding: text.prefix(count - 1), as: UTF8.self))
  }
}
