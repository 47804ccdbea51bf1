package import TributaryCodec
package import TributaryCustody
package import TributaryWire

/// What the engine takes from outside: time, chance, key derivation, and a place to stop at.
package struct SyncEnvironment: Sendable {
  /// Milliseconds since 1970, by the wall clock.
  package var wall: @Sendable () -> Int64
  package var random: any RandomSource
  package var passwordHash: any PasswordHash
  /// Called before each named step; a simulation throws here to stop a device in the middle.
  package var step: @Sendable (String) throws -> Void
  /// What lies at a path, by the file system's own name for it.
  package var locate: @Sendable (String) -> DatabaseLocation? = { DatabaseLocation.find($0) }
  package var sizes = SyncSizes()
  /// Told how far a sync is.
  package var progress: @Sendable (SyncProgress) -> Void = { _ in }

  package init(
    wall: @escaping @Sendable () -> Int64, random: any RandomSource, passwordHash: any PasswordHash,
    step: @escaping @Sendable (String) throws -> Void = { _ in }
  ) {
    self.wall = wall
    self.random = random
    self.passwordHash = passwordHash
    self.step = step
  }
}

/// How much goes into one file, and when a first upload becomes a snapshot. Simulations take smaller ones, so that few
/// records fill many files.
package struct SyncSizes: Sendable {
  package var file = FileLimits()
  /// Bytes of change log above which a first upload goes as a snapshot in parts.
  package var firstSnapshot: Int64 = 256 << 10
  /// Own logs since the last snapshot after which a new one is written.
  package var compaction: UInt64 = 64

  package init(
    file: FileLimits = FileLimits(), firstSnapshot: Int64 = 256 << 10, compaction: UInt64 = 64
  ) {
    self.file = file
    self.firstSnapshot = firstSnapshot
    self.compaction = compaction
  }
}
