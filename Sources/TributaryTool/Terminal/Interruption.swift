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

  /// Becomes readable, for good, once asked to stop: a wait for something else can watch it as well. -1 if there is none.
  static var descriptor: Int32 { wakeReader.load(ordering: .relaxed) }

  /// Throws the error that ends the tool with 130, if asked to stop.
  static func check() throws {
    if requested { throw ToolError.interrupted }
  }

  /// Catches SIGINT, SIGTERM and SIGHUP from here on. System calls that wait end with EINTR.
  static func install() {
    // Initialised here, since a handler must not run a lazy initialiser.
    flag.store(false, ordering: .relaxed)
    makePipe()
    for signal in [SIGINT, SIGTERM, SIGHUP] {
      var previous = sigaction()
      sigaction(signal, nil, &previous)
      // Under nohup, or in the background of a plain shell, ignored signals stay ignored.
      if !isIgnored(previous) { catchOnce(signal) }
    }
    // A reader that went away shows as a failed write, with a message, rather than as a silent end.
    signal(SIGPIPE, SIG_IGN)
  }

  private static func makePipe() {
    var ends: [Int32] = [-1, -1]
    guard pipe(&ends) == 0 else { return }
    for end in ends {
      _ = fcntl(end, F_SETFD, FD_CLOEXEC)
      _ = fcntl(end, F_SETFL, O_NONBLOCK)
    }
    wakeReader.store(ends[0], ordering: .relaxed)
    wakeWriter.store(ends[1], ordering: .relaxed)
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

private let wakeReader = Atomic<Int32>(-1)
private let wakeWriter = Atomic<Int32>(-1)

private func raiseFlag(_: Int32) {
  flag.store(true, ordering: .relaxed)
  // Another thread than the one that waits may have been given the signal. The pipe is never read, so it stays awake.
  let before = errno
  var byte: UInt8 = 0
  _ = write(wakeWriter.load(ordering: .relaxed), &byte, 1)
  errno = before
}
