/// The random name of a key epoch: of two with one number, the greater holds.
package struct EpochID: Hashable, Comparable, Sendable {
  /// The bytes of an epoch id.
  package static let size = 16

  private let high: UInt64
  private let low: UInt64

  /// From exactly 16 bytes; nil for another count.
  package init?(bytes: some Collection<UInt8>) {
    guard bytes.count == Self.size else { return nil }
    var words: [UInt64] = [0, 0]
    for (index, byte) in bytes.enumerated() { words[index >> 3] = words[index >> 3] << 8 | UInt64(byte) }
    (high, low) = (words[0], words[1])
  }

  /// A new id.
  package init(random: any RandomSource) throws(CodecError) {
    guard let id = Self(bytes: random.bytes(Self.size)) else {
      throw CodecError(.parameters, "The random source did not give \(Self.size) bytes.")
    }
    self = id
  }

  /// The bytes, in the order that ids compare by.
  package var bytes: [UInt8] {
    var output = ByteWriter(capacity: Self.size)
    output.write(u64: high)
    output.write(u64: low)
    return output.bytes
  }

  package static func < (left: EpochID, right: EpochID) -> Bool {
    (left.high, left.low) < (right.high, right.low)
  }
}
