/// Fills guarded memory from the front. What is written fits by construction; what would not is refused.
struct SecretWriter {
  let buffer: UnsafeMutableRawBufferPointer
  private var position = 0

  init(buffer: UnsafeMutableRawBufferPointer) { self.buffer = buffer }

  mutating func write(_ bytes: [UInt8]) {
    for byte in bytes where position < buffer.count {
      buffer[position] = byte
      position += 1
    }
  }

  mutating func write(_ secret: Secret, size: Int) throws {
    guard secret.count == size, position + size <= buffer.count else {
      throw CodecError(.parameters, "A key of \(secret.count) bytes stands where one of \(size) belongs.")
    }
    secret.withBytes { UnsafeMutableRawBufferPointer(rebasing: buffer[position...]).copyMemory(from: $0) }
    position += size
  }
}

/// Reads guarded memory from the front, within its bounds.
struct SecretReader {
  let buffer: UnsafeRawBufferPointer
  private var position = 0

  init(buffer: UnsafeRawBufferPointer) { self.buffer = buffer }

  /// The next bytes in place, indexed from 0.
  mutating func read(_ count: Int) throws -> UnsafeRawBufferPointer {
    guard count <= buffer.count - position else {
      throw CodecError(.truncated, "The key file's payload ends too early.")
    }
    defer { position += count }
    return UnsafeRawBufferPointer(rebasing: buffer[position..<position + count])
  }

  mutating func readSecret(_ count: Int) throws -> Secret { try Secret(copying: try read(count)) }

  /// Whether all that is left is zeros.
  var restIsZero: Bool { buffer[position...].allSatisfy { $0 == 0 } }
}
