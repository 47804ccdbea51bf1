import CPlatform

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// The system calls of an atomic write, so that tests can make any of them fail. Each fails with -1 and `errno`.
struct FileCalls: Sendable {
  /// Creates a file that must not exist.
  var create: @Sendable (_ directory: Int32, _ name: String) -> Int32 = { tributary_create_at($0, $1, 0o600) }
  /// Writes some bytes and says how many.
  var write: @Sendable (_ file: Int32, _ bytes: UnsafeRawBufferPointer) -> Int = { file, bytes in
    #if canImport(Darwin)
      Darwin.write(file, bytes.baseAddress, bytes.count)
    #else
      Glibc.write(file, bytes.baseAddress, bytes.count)
    #endif
  }
  var sync: @Sendable (_ file: Int32) -> Int32 = { tributary_full_sync($0) }
  var rename: @Sendable (_ directory: Int32, _ old: String, _ new: String) -> Int32 = {
    renameat($0, $1, $0, $2)
  }
}

extension FileCalls {
  /// Gives a name new bytes: the old ones stay until the new ones are whole and durable.
  func replace(_ name: String, _ bytes: [UInt8], in directory: Int32, temporary: String) throws {
    let file = create(directory, temporary)
    guard file >= 0 else { throw SystemFault("openat", errno) }
    do {
      defer { close(file) }
      try fill(file, bytes)
    } catch {
      unlinkat(directory, temporary, 0)
      throw error
    }
    guard rename(directory, temporary, name) == 0 else {
      let fault = SystemFault("renameat", errno)
      unlinkat(directory, temporary, 0)
      throw fault
    }
    guard sync(directory) == 0 else { throw SystemFault("fsync", errno) }
  }

  private func fill(_ file: Int32, _ bytes: [UInt8]) throws {
    var offset = 0
    while offset < bytes.count {
      let count = bytes.withUnsafeBytes { write(file, UnsafeRawBufferPointer(rebasing: $0[offset...])) }
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { throw SystemFault("write", count < 0 ? errno : EIO) }
      offset += count
    }
    guard sync(file) == 0 else { throw SystemFault("fsync", errno) }
  }
}
