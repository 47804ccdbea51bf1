internal import CSodium

/// The start of libsodium, once a process.
enum Sodium {
  private static let started = sodium_init() >= 0

  /// Fails if the library cannot run on this machine.
  static func start() throws(CodecError) {
    guard started else {
      throw CodecError(
        .memory, "The cryptography library did not start. Restart the machine, then report this.")
    }
  }
}
