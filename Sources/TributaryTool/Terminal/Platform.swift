#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// What the last system call said, for people.
enum SystemError {
  static func text(_ code: Int32 = errno) -> String {
    String(cString: strerror(code))
  }
}

/// A terminal, or not, behind a file descriptor.
enum TerminalTraits {
  static func isTerminal(_ descriptor: Int32) -> Bool { isatty(descriptor) == 1 }

  /// Columns of the terminal; 80 where it does not say.
  static func width(_ descriptor: Int32) -> Int {
    var size = winsize()
    guard ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0, size.ws_col >= 20 else { return 80 }
    return Int(size.ws_col)
  }
}
