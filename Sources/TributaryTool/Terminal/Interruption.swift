import Synchronization

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// Whether the user asked to stop. Long work polls it between steps that are safe to stop at.
///
/// The first Ctrl-C (or a polite `kill`) only raises the flag; a second one ends the process at once.
enum Interruption {
  static var requested: Bool { flag.load(ordering: .relaxed) }

  /// Throws the error that ends the tool with 130, if asked to stop.
  static func check() throws {
    if requested { throw ToolError.interrupted }
  }

  /// Catches SIGINT, SIGTERM and SIGHUP from here on. System calls that wait end with EINTR.
  static func install() {
    // Initialised here, since a handler must not run a lazy initialiser.
    flag.store(false, ordering: .relaxed)
    for signal in [SIGINT, SIGTERM, SIGHUP] {
      var previous = sigaction()
      sigaction(signal, nil, &previous)
      // Under nohup, or in the background of a plain shell, ignored signals stay ignored.
      if !isIgnored(previous) { catchOnce(signal) }
    }
    // A reader that went away shows as a failed write, with a message, rather than as a silent end.
    signal(SIGPIPE, SIG_IGN)
  }

  private static func catchOnce(_ signal: Int32) {
    var action = sigaction()
    #if canImport(Darwin)
      action.__sigaction_u.__sa_handler = raiseFlag
      action.sa_flags = Int32(SA_RESETHAND)
    #else
      action.__sigaction_handler.sa_handler = raiseFlag
      action.sa_flags = Int32(bitPattern: UInt32(SA_RESETHAND))
    #endif
    sigaction(signal, &action, nil)
  }

  private static func isIgnored(_ action: sigaction) -> Bool {
    #if canImport(Darwin)
      let handler = action.__sigaction_u.__sa_handler
    #else
      let handler = action.__sigaction_handler.sa_handler
    #endif
    return unsafeBitCast(handler, to: Int.self) == unsafeBitCast(SIG_IGN, to: Int.self)
  }
}

/// A global, as the compiler cannot yet take a C function that reads a static atomic.
private let flag = Atomic<Bool>(false)

private func raiseFlag(_: Int32) {
  flag.store(true, ordering: .relaxed)
}
