#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// Asks on the terminal itself, so that pipes on standard input and output do not matter, and without echo.
struct TerminalPrompt: PasswordPrompt {
  /// The controlling terminal, or another one in tests.
  var path = "/dev/tty"
  /// Whether to stop asking; looked at five times a second.
  var isInterrupted: @Sendable () -> Bool = { Interruption.requested }

  /// A prompt, if this process has a terminal.
  static func ifPossible() -> TerminalPrompt? {
    let descriptor = open("/dev/tty", O_RDWR | O_CLOEXEC | O_NOCTTY)
    guard descriptor >= 0 else { return nil }
    close(descriptor)
    return TerminalPrompt()
  }

  func ask(_ question: String) throws -> String {
    let descriptor = open(path, O_RDWR | O_CLOEXEC | O_NOCTTY)
    guard descriptor >= 0 else {
      throw ToolError(.failure, "cannot ask for the password on \(path): \(SystemError.text())")
    }
    defer { close(descriptor) }
    let before = try settings(of: descriptor)
    var quiet = before
    quiet.c_lflag &= ~tcflag_t(ECHO)
    // Ctrl-Z would leave the shell with a terminal that shows nothing.
    withUnsafeMutableBytes(of: &quiet.c_cc) { $0[Int(VSUSP)] = noCharacter }
    // Flushed first, so that keys hit before the question are not taken for the password.
    guard tcsetattr(descriptor, TCSAFLUSH, &quiet) == 0 else {
      throw ToolError(.failure, "cannot turn off the echo on \(path): \(SystemError.text())")
    }
    let terminal = DescriptorSink(descriptor: descriptor, name: path)
    defer {
      var before = before
      tcsetattr(descriptor, TCSAFLUSH, &before)
      try? terminal.write("\n")
    }
    try terminal.write(question)
    return try line(from: descriptor)
  }

  private func settings(of descriptor: Int32) throws -> termios {
    var settings = termios()
    guard tcgetattr(descriptor, &settings) == 0 else {
      throw ToolError(.failure, "\(path) is not a terminal: \(SystemError.text())")
    }
    return settings
  }

  /// One line; the terminal itself deals with deleting.
  private func line(from descriptor: Int32) throws -> String {
    var bytes: [UInt8] = []
    var byte: UInt8 = 0
    while bytes.count <= PasswordFile.limit {
      try wait(for: descriptor)
      let count = read(descriptor, &byte, 1)
      if count == 0 || (count == 1 && byte == UInt8(ascii: "\n")) { break }
      if count == 1 {
        bytes.append(byte)
      } else if errno != EINTR {
        throw ToolError(.failure, "cannot read from \(path): \(SystemError.text())")
      }
    }
    guard let text = String(validating: bytes, as: UTF8.self) else {
      throw ToolError(.usage, "the password is not UTF-8 text")
    }
    return text
  }

  /// Polls with a timeout: a signal just before a bare read would go unseen until the next key.
  private func wait(for descriptor: Int32) throws {
    var request = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    while poll(&request, 1, 200) <= 0 {
      if isInterrupted() { throw ToolError.interrupted }
    }
    if isInterrupted() { throw ToolError.interrupted }
  }
}

// The C macro _POSIX_VDISABLE is a cast, which Swift does not import.
#if canImport(Darwin)
  private let noCharacter: UInt8 = 0xFF
#else
  private let noCharacter: UInt8 = 0
#endif
