import CPlatform

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// The real file system.
package struct LiveFiles: FileSystem {
  package init() {}

  package func openRoot(_ path: String) throws(SystemFault) -> Int32 {
    try checked("open", tributary_open_directory(path))
  }

  package func resolve(_ path: String) throws(SystemFault) -> String {
    guard let resolved = realpath(path, nil) else { throw SystemFault("realpath", errno) }
    defer { free(resolved) }
    return String(cString: resolved)
  }

  package func makeRoot(_ path: String) throws(SystemFault) { try checked("mkdir", mkdir(path, 0o777)) }

  package func openDirectory(_ name: String, in directory: Int32) throws(SystemFault) -> Int32 {
    try checked("openat", tributary_open_directory_at(directory, name))
  }

  package func makeDirectory(_ name: String, in directory: Int32) throws(SystemFault) {
    try checked("mkdirat", mkdirat(directory, name, 0o777))
  }

  package func create(_ name: String, in directory: Int32) throws(SystemFault) -> Int32 {
    try checked("openat", tributary_create_at(directory, name, 0o666))
  }

  package func openFile(_ name: String, in directory: Int32) throws(SystemFault) -> Int32 {
    try checked("openat", tributary_open_file_at(directory, name))
  }

  package func write(_ bytes: UnsafeRawBufferPointer, to file: Int32) throws(SystemFault) -> Int {
    while true {
      #if canImport(Darwin)
        let count = Darwin.write(file, bytes.baseAddress, bytes.count)
      #else
        let count = Glibc.write(file, bytes.baseAddress, bytes.count)
      #endif
      if count >= 0 { return count }
      if errno != EINTR { throw SystemFault("write", errno) }
    }
  }

  package func read(into buffer: UnsafeMutableRawBufferPointer, from file: Int32) throws(SystemFault) -> Int {
    while true {
      #if canImport(Darwin)
        let count = Darwin.read(file, buffer.baseAddress, buffer.count)
      #else
        let count = Glibc.read(file, buffer.baseAddress, buffer.count)
      #endif
      if count >= 0 { return count }
      if errno != EINTR { throw SystemFault("read", errno) }
    }
  }

  package func synchronize(_ file: Int32) throws(SystemFault) {
    try checked("fsync", tributary_full_sync(file))
  }

  package func close(_ file: Int32) throws(SystemFault) {
    #if canImport(Darwin)
      let result = Darwin.close(file)
    #else
      let result = Glibc.close(file)
    #endif
    // After EINTR the descriptor is gone all the same, and may already be another thread's.
    if result != 0, errno != EINTR { throw SystemFault("close", errno) }
  }
}

/// Passes a result through, or throws what `errno` says.
@discardableResult
func checked(_ call: String, _ result: Int32) throws(SystemFault) -> Int32 {
  if result < 0 { throw SystemFault(call, errno) }
  return result
}
