import TributaryCodec
package import TributaryModel

/// A digest of a whole merged state: 16 bytes that two devices with one state have in common, in whatever order they
/// go through it.
///
/// The sum modulo 2^128 of the first 16 bytes of BLAKE2b over each record alone, as a block of one row.
package struct StateDigest: Hashable, Sendable {
  private var high: UInt64 = 0
  private var low: UInt64 = 0

  /// The digest of no records.
  package init() {}

  /// Takes a record's whole state in, once.
  package mutating func add(_ entry: Entry) throws {
    let hash = Hash.digest(try EntryCoding.encode(entry)).bytes
    func word(_ range: Range<Int>) -> UInt64 { hash[range].reduce(0) { $0 << 8 | UInt64($1) } }
    let (sum, carries) = low.addingReportingOverflow(word(8..<16))
    low = sum
    high = high &+ word(0..<8) &+ (carries ? 1 : 0)
  }

  /// 16 bytes, big-endian.
  package var bytes: [UInt8] {
    [high, low].flatMap { word in (0..<8).map { UInt8(truncatingIfNeeded: word >> (56 - 8 * UInt64($0))) } }
  }
}
