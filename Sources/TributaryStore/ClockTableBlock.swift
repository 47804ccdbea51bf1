/// Clocks of neighbouring records of one type, as a row of `tributary_clock`.
///
/// ```
/// data     version 1 | checksum 4, little-endian | length, clock of `lo` | further records
/// record   suffix length << 1 | same | shared | suffix | unless same: length, clock
/// ```
///
/// Numbers are LEB128. A key is the first `shared` bytes of the key before it and the suffix; `same` says that the
/// clock is the one before. The checksum covers type, `lo` and records: a wrong stamp would lose an edit silently.
package struct ClockBlock {
  /// The layout's version, in the first byte.
  package static let version: UInt8 = 1
  /// Bytes of `lo` and `data` together, as far as one record alone is not longer. Four such rows fill a page of 4 KiB
  /// and none spills into overflow pages.
  package static let limit = 980
  static let headerLength = 5

  let type: Int64
  /// The key of the first record.
  let lo: [UInt8]
  let data: [UInt8]

  var size: Int { lo.count + data.count }

  /// Writes version and checksum into the first five bytes of `data`; shorter data is left alone.
  package static func seal(_ data: inout [UInt8], type: Int64, lo: [UInt8]) {
    guard data.count >= headerLength else { return }
    data[0] = version
    let sum = checksum(data, type, lo)
    for index in 0..<4 { data[1 + index] = UInt8(truncatingIfNeeded: sum >> (8 * UInt32(index))) }
  }

  static func checksum(_ data: [UInt8], _ type: Int64, _ lo: [UInt8]) -> UInt32 {
    var state = UInt64(bitPattern: type) ^ 0x9E37_79B9_7F4A_7C15
    lo.withUnsafeBytes { mix($0, &state) }
    data.withUnsafeBytes { mix(UnsafeRawBufferPointer(rebasing: $0.dropFirst(headerLength)), &state) }
    return UInt32(truncatingIfNeeded: state)
  }

  /// Every step is a bijection of the state, so that a change is not lost on the way.
  private static func mix(_ bytes: UnsafeRawBufferPointer, _ state: inout UInt64) {
    func step(_ word: UInt64) {
      state = (state ^ word) &* 0xD6E8_FEB8_6659_FD93
      state ^= state >> 32
    }
    step(UInt64(bytes.count))
    var index = 0
    while index &+ 8 <= bytes.count {
      step(UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: index, as: UInt64.self)))
      index &+= 8
    }
    var rest: UInt64 = 0
    while index < bytes.count {
      rest = rest << 8 | UInt64(bytes[index])
      index &+= 1
    }
    step(rest)
  }

  @inline(never)
  func damaged(_ reason: String) -> StoreError {
    let digits = Array("0123456789abcdef")
    let name = String(lo.prefix(64).flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] })
    return StoreError(
      .damaged,
      "The clocks of record type \(type) are damaged in block x'\(name)\(lo.count > 64 ? "…" : "")': \(reason). "
        + "Restore the store from a backup, or make it anew from the remote.")
  }
}
