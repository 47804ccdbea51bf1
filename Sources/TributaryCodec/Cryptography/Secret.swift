internal import CSodium

/// Secret bytes in guarded memory: kept from swap where the system allows it, read-only once filled, zeroed and
/// freed with the last reference. It never prints its bytes.
package final class Secret: Sendable {
  /// The number of bytes.
  package let count: Int
  /// The address as a number, since a pointer is not Sendable; nothing writes there after `init`.
  private let address: UInt

  /// `count` bytes that `fill` writes; they start as zeros, and are freed if it throws.
  package init(count: Int, fill: (UnsafeMutableRawBufferPointer) throws -> Void) throws {
    let memory = try Self.allocate(count)
    self.count = count
    self.address = UInt(bitPattern: memory)
    try fill(UnsafeMutableRawBufferPointer(start: memory, count: count))
    sodium_mprotect_readonly(memory)
  }

  /// A copy of a buffer.
  package convenience init(copying bytes: UnsafeRawBufferPointer) throws {
    try self.init(count: bytes.count) { $0.copyMemory(from: bytes) }
  }

  /// A copy of an array. The array itself stays in ordinary memory: prefer the other initializers.
  package convenience init(_ bytes: [UInt8]) throws {
    try self.init(count: bytes.count) { $0.copyBytes(from: bytes) }
  }

  /// `count` bytes from a random source, whose array is zeroed.
  package convenience init(random source: any RandomSource, count: Int) throws {
    var bytes = source.bytes(count)
    defer { bytes.withUnsafeMutableBytes { sodium_memzero($0.baseAddress, $0.count) } }
    guard bytes.count == count else {
      throw CodecError(.parameters, "The random source gave \(bytes.count) bytes for \(count).")
    }
    try self.init(bytes)
  }

  deinit { sodium_free(UnsafeMutableRawPointer(bitPattern: address)) }

  /// Lends the bytes; they must not leave `body`.
  package func withBytes<Result>(_ body: (UnsafeRawBufferPointer) throws -> Result) rethrows -> Result {
    try withExtendedLifetime(self) {
      try body(UnsafeRawBufferPointer(start: UnsafeRawPointer(bitPattern: address), count: count))
    }
  }

  /// Whether both hold the same bytes, in a time that tells nothing but their lengths.
  package func matches(_ other: Secret) -> Bool {
    guard count == other.count else { return false }
    return withBytes { left in
      other.withBytes { sodium_memcmp(left.baseAddress, $0.baseAddress, left.count) == 0 }
    }
  }

  private static func allocate(_ count: Int) throws -> UnsafeMutableRawPointer {
    try Sodium.start()
    guard count >= 0, let memory = sodium_malloc(count) else {
      throw CodecError(
        .memory, "No guarded memory for a key. Raise the limit on locked memory, or close other work.")
    }
    sodium_memzero(memory, count)
    return memory
  }
}

extension Secret: CustomStringConvertible, CustomReflectable {
  package var description: String { "Secret of \(count) bytes" }

  package var customMirror: Mirror { Mirror(self, children: []) }
}
