#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// Reads a whole file that the user named.
enum TextFile {
  /// The file's bytes; longer than `limit` is an error, so that a wrong file cannot fill the memory.
  static func read(_ path: String, limit: Int) throws -> [UInt8] {
    guard let stream = fopen(path, "r") else {
      throw ToolError(.failure, "cannot read \(path): \(SystemError.text())")
    }
    defer { fclose(stream) }
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 65_536)
    while true {
      let count = fread(&buffer, 1, buffer.count, stream)
      guard count > 0 else { break }
      bytes += buffer[..<count]
      guard bytes.count <= limit else { throw ToolError(.failure, "\(path) is longer than \(limit) bytes") }
    }
    guard ferror(stream) == 0 else {
      throw ToolError(.failure, "cannot read \(path): \(SystemError.text())")
    }
    return bytes
  }
}

extension TextFile {
  /// Gives a file new text, which is there whole or not at all. Folders on the way are made.
  static func replace(_ path: String, with text: String) throws {
    try makeFolders(FilePlace.folder(of: path))
    let temporary = "\(path).\(getpid()).tmp"
    let file = open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o644)
    guard file >= 0 else { throw ToolError(.failure, "cannot write \(temporary): \(SystemError.text())") }
    do {
      defer { close(file) }
      try DescriptorSink(descriptor: file, name: temporary).write(text)
      guard fsync(file) == 0 else {
        throw ToolError(.failure, "cannot write \(temporary): \(SystemError.text())")
      }
    } catch {
      unlink(temporary)
      throw error
    }
    guard rename(temporary, path) == 0 else {
      let reason = SystemError.text()
      unlink(temporary)
      throw ToolError(.failure, "cannot write \(path): \(reason)")
    }
  }

  private static func makeFolders(_ path: String) throws {
    guard Machinery.kind(path) == .absent else { return }
    try makeFolders(FilePlace.folder(of: path))
    guard mkdir(path, 0o755) == 0 || errno == EEXIST else {
      throw ToolError(.failure, "cannot make the folder \(path): \(SystemError.text())")
    }
  }
}

/// What the machine says of itself.
enum Machinery {
  /// The file that this program runs from.
  static func executable() throws -> String {
    #if canImport(Darwin)
      var size: UInt32 = 0
      _NSGetExecutablePath(nil, &size)
      var buffer = [CChar](repeating: 0, count: Int(size) + 1)
      guard _NSGetExecutablePath(&buffer, &size) == 0 else {
        throw ToolError(.failure, "this program does not know where it lies")
      }
    #else
      var buffer = [CChar](repeating: 0, count: 4097)
      guard readlink("/proc/self/exe", &buffer, buffer.count - 1) > 0 else {
        throw ToolError(.failure, "this program does not know where it lies: \(SystemError.text())")
      }
    #endif
    let bytes = buffer.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }
    return FilePlace.resolved(String(decoding: bytes, as: UTF8.self))
  }

  static var userNumber: UInt32 { getuid() }

  static var hostName: String {
    var buffer = [CChar](repeating: 0, count: 256)
    guard gethostname(&buffer, buffer.count - 1) == 0 else { return "device" }
    let bytes = buffer.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }
    return bytes.isEmpty ? "device" : String(decoding: bytes, as: UTF8.self)
  }

  /// Milliseconds since 1970.
  static func wallClock() -> Int64 {
    var time = timespec()
    clock_gettime(CLOCK_REALTIME, &time)
    return Int64(time.tv_sec) * 1000 + Int64(time.tv_nsec) / 1_000_000
  }

  /// Removes a file, if it is there and may be removed.
  static func remove(_ path: String) { unlink(path) }

  /// What stands at a path, links followed.
  enum Kind {
    case absent, file, directory, other
  }

  static func kind(_ path: String) -> Kind {
    var status = stat()
    // A path that may not be looked at is left to whoever opens it, who knows the reason.
    guard stat(path, &status) == 0 else { return errno == ENOENT || errno == ENOTDIR ? .absent : .file }
    switch status.st_mode & S_IFMT {
    case S_IFREG: return .file
    case S_IFDIR: return .directory
    default: return .other
    }
  }
}
