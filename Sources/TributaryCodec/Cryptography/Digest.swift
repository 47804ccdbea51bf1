/// The 32 bytes of a BLAKE2b-256 hash.
package struct Digest: Hashable, Sendable, CustomStringConvertible {
  /// The number of bytes in a digest.
  package static let size = 32
  /// Thirty-two zeros: the hash before the first.
  package static let zero = Digest(words: (0, 0, 0, 0))

  private let first: UInt64
  private let second: UInt64
  private let third: UInt64
  private let fourth: UInt64

  /// From exactly 32 bytes; nil for another count.
  package init?(bytes: some Collection<UInt8>) {
    guard bytes.count == Self.size else { return nil }
    var words: [UInt64] = [0, 0, 0, 0]
    for (index, byte) in bytes.enumerated() { words[index >> 3] = words[index >> 3] << 8 | UInt64(byte) }
    self.init(words: (words[0], words[1], words[2], words[3]))
  }

  /// The bytes.
  package var bytes: [UInt8] {
    var output = ByteWriter(capacity: Self.size)
    for word in [first, second, third, fourth] { output.write(u64: word) }
    return output.bytes
  }

  /// Equality in constant time, for commitments and authentication codes.
  package func matches(_ other: Digest) -> Bool {
    (first ^ other.first) | (second ^ other.second) | (third ^ other.third) | (fourth ^ other.fourth) == 0
  }

  /// Lower-case hexadecimal.
  package var description: String {
    bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
  }

  init(words: (UInt64, UInt64, UInt64, UInt64)) { (first, second, third, fourth) = words }
}
