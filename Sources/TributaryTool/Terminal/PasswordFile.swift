#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// Reads a password from a file or a descriptor.
enum PasswordFile {
  /// The most bytes of a password: far more than anyone types, far less than a wrong file.
  static let limit = 4096

  static func read(path: String) throws -> String {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else {
      throw ToolError(.failure, "cannot read the password file \(path): \(SystemError.text())")
    }
    defer { close(descriptor) }
    // The open file is asked, not the name, which may mean another file a moment later.
    var status = stat()
    guard fstat(descriptor, &status) == 0 else {
      throw ToolError(.failure, "cannot look at the password file \(path): \(SystemError.text())")
    }
    if status.st_mode & S_IFMT == S_IFREG, status.st_mode & (S_IRWXG | S_IRWXO) != 0 {
      throw ToolError(
        .usage, "others may use the password file \(path)", remedy: "Run: chmod 600 \(path)")
    }
    return try password(from: descriptor, named: path)
  }

  static func read(descriptor: Int32) throws -> String {
    try password(from: descriptor, named: "descriptor \(descriptor)")
  }

  /// The text as a password, if it can be one.
  static func checked(_ text: String, from source: String) throws -> String {
    guard !text.isEmpty else { throw ToolError(.usage, "the password from \(source) is empty") }
    guard text.utf8.count <= limit else {
      throw ToolError(.usage, "the password from \(source) is longer than \(limit) bytes")
    }
    return text
  }

  private static func password(from descriptor: Int32, named name: String) throws -> String {
    var bytes = try contents(of: descriptor, named: name)
    if bytes.last == UInt8(ascii: "\n") {
      bytes.removeLast()
      if bytes.last == UInt8(ascii: "\r") { bytes.removeLast() }
    }
    guard let text = String(validating: bytes, as: UTF8.self) else {
      throw ToolError(.usage, "the password from \(name) is not UTF-8 text")
    }
    return try checked(text, from: name)
  }

  /// Everything up to the end, or enough to see that it is too long.
  private static func contents(of descriptor: Int32, named name: String) throws -> [UInt8] {
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 1024)
    while bytes.count <= limit + 2 {
      let count = systemRead(descriptor, &buffer)
      if count == 0 { break }
      if count > 0 {
        bytes += buffer[..<count]
      } else if errno == EINTR {
        try Interruption.check()
      } else {
        throw ToolError(.failure, "cannot read the password from \(name): \(SystemError.text())")
      }
    }
    return bytes
  }
}

private func systemRead(_ descriptor: Int32, _ buffer: inout [UInt8]) -> Int {
  buffer.withUnsafeMutableBytes { read(descriptor, $0.baseAddress, $0.count) }
}
