#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// Time and chance, as a remote sees them; tests pass their own.
package struct Host: Sendable {
  /// Seconds since 1970.
  package var now: @Sendable () -> Int64
  /// Blocks for so many milliseconds.
  package var sleep: @Sendable (Int) -> Void
  /// Sixty-four random bits.
  package var random: @Sendable () -> UInt64
  /// Whether a file with a size and no blocks is one that was not downloaded. On Linux it is a small inline file.
  package var hasDatalessFiles: Bool

  package init(
    now: @escaping @Sendable () -> Int64, sleep: @escaping @Sendable (Int) -> Void,
    random: @escaping @Sendable () -> UInt64, hasDatalessFiles: Bool = false
  ) {
    self.now = now
    self.sleep = sleep
    self.random = random
    self.hasDatalessFiles = hasDatalessFiles
  }

  /// The real ones.
  package static var live: Host {
    #if canImport(Darwin)
      let dataless = true
    #else
      let dataless = false
    #endif
    return Host(
      now: { Int64(time(nil)) },
      sleep: { usleep(UInt32(clamping: $0 * 1000)) },
      random: {
        var generator = SystemRandomNumberGenerator()
        return generator.next()
      }, hasDatalessFiles: dataless)
  }
}
