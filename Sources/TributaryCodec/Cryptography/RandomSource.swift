internal import CSodium

/// Where random bytes come from; injected so that a simulation repeats exactly.
package protocol RandomSource: Sendable {
  /// `count` bytes that no one can foretell (in a simulation: that the seed foretells).
  func bytes(_ count: Int) -> [UInt8]
}

/// The system's own generator.
package struct SystemRandom: RandomSource {
  /// The system's generator; it needs no set-up.
  package init() {}

  package func bytes(_ count: Int) -> [UInt8] {
    [UInt8](unsafeUninitializedCapacity: max(0, count)) { buffer, initialized in
      guard let start = buffer.baseAddress else { return }
      randombytes_buf(start, max(0, count))
      initialized = max(0, count)
    }
  }
}
