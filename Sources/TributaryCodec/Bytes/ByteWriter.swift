/// Builds bytes by appending; integers are big-endian.
package struct ByteWriter: Sendable {
  /// What was written so far.
  package private(set) var bytes: [UInt8] = []

  /// An empty writer with room for `capacity` bytes.
  package init(capacity: Int = 0) { bytes.reserveCapacity(capacity) }

  /// The number of bytes written so far.
  package var count: Int { bytes.count }

  /// Appends one byte.
  package mutating func write(u8 value: UInt8) { bytes.append(value) }

  /// Appends two bytes, big-endian.
  package mutating func write(u16 value: UInt16) { append(bigEndian: value.bigEndian) }

  /// Appends four bytes, big-endian.
  package mutating func write(u32 value: UInt32) { append(bigEndian: value.bigEndian) }

  /// Appends eight bytes, big-endian.
  package mutating func write(u64 value: UInt64) { append(bigEndian: value.bigEndian) }

  /// Appends bytes as they are.
  package mutating func write(bytes more: [UInt8]) { bytes.append(contentsOf: more) }

  /// Appends a slice as it is.
  package mutating func write(bytes more: ArraySlice<UInt8>) { bytes.append(contentsOf: more) }

  /// Appends the bytes of a buffer.
  package mutating func write(buffer: UnsafeRawBufferPointer) { bytes.append(contentsOf: buffer) }

  /// Appends `count` zero bytes.
  package mutating func write(zeros count: Int) { bytes.append(contentsOf: repeatElement(0, count: count)) }

  /// Appends an unsigned LEB128 number: seven bits a byte, lowest first, the top bit set on all but the last.
  package mutating func write(varint value: UInt64) {
    var rest = value
    while rest >= 0x80 {
      bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
      rest >>= 7
    }
    bytes.append(UInt8(truncatingIfNeeded: rest))
  }

  /// Appends a signed number as the LEB128 of its zigzag form: 0, -1, 1, -2 become 0, 1, 2, 3.
  package mutating func write(zigzag value: Int64) {
    write(varint: UInt64(bitPattern: value << 1 ^ value >> 63))
  }

  /// Forgets the bytes but keeps the room, so that one writer serves many items.
  package mutating func removeAll() { bytes.removeAll(keepingCapacity: true) }

  private mutating func append(bigEndian value: some FixedWidthInteger) {
    withUnsafeBytes(of: value) { bytes.append(contentsOf: $0) }
  }
}
